"""Metrics: what the server counts about itself, for Prometheus; never a card, a name or an address."""

from __future__ import annotations

import asyncio
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from letitride.chance.health import HEALTH
from letitride.engine.events import AnyEvent, RoundEnded, RoundVoided, Ruled
from letitride.server.runtime.requests import Answer
from letitride.storage.roles.journal import Outcome, Stale, Write

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000)
LAG_SECONDS: Final = 0.5
"""How often the event loop's lag is looked at."""


class Metrics:
    """All that is counted at one server; each method costs a few microseconds."""

    def __init__(self, *collectors: Collector) -> None:
        self.registry = CollectorRegistry()
        commands = Counter("letitride_commands", "Commands by outcome.", ["outcome"], registry=self.registry)
        self._outcomes = {one: commands.labels(one) for one in ("accepted", "refused", "failed")}
        self._command = self._histogram("command_seconds", "From a command's arrival to its durable answer.", SECONDS)
        self._transaction = self._histogram("transaction_seconds", "How long the store takes over a write.", SECONDS)
        self._writes = self._histogram("transaction_writes", "Tables written in one transaction.", SIZES)
        self._failed = self._counter("transactions_failed", "Transactions that failed in the store.")
        self._rounds = self._counter("rounds", "Rounds that ended, void ones included.")
        self._rulings = self._counter("rulings", "Rulings on irregularities.")
        ended = Counter("letitride_decks", "Decks by how they were disclosed.", ["outcome"], registry=self.registry)
        self._silent = self._counter("silent_seats", "Seats that pledged a nonce for a deck and did not reveal it.")
        self._decks = {one: ended.labels(one) for one in ("opened", "void")}
        self._losses = self._counter("lease_losses", "Writes refused because another node owns the table.")
        self._cut_off = Counter(
            "letitride_cut_off",
            "Requests refused and connections closed for exceeding a budget.",
            ["what"],
            registry=self.registry,
        )
        self.messages = Tally[str]()
        """Messages over WebSockets ('view' and 'other' sent, 'received'): counted in one thread and for each of them,
        so without the library's locks."""
        self.sockets = Gauge("letitride_open_sockets", "WebSockets that are open.", registry=self.registry)
        self._lag = Gauge(
            "letitride_loop_lag_seconds", "Delay of the event loop at the last measurement.", registry=self.registry
        )
        self._lag_max = Gauge(
            "letitride_loop_lag_seconds_max", "Largest delay of the event loop.", registry=self.registry
        )
        alarm = Gauge("letitride_generator_alarm", "1 after the generator failed a test.", registry=self.registry)
        alarm.set_function(lambda: float(bool(HEALTH.alarm)))
        for collector in (*collectors, _Messages(self.messages)):
            self.registry.register(collector)

    def count_answer(self, answer: Answer, seconds: float) -> None:
        """Count a command that was answered after so long."""
        self._outcomes["accepted" if answer.accepted else "refused"].inc()
        self._command.observe(seconds)

    def count_failure(self) -> None:
        """Count a command that got no answer."""
        self._outcomes["failed"].inc()

    def count_writes(self, writes: Sequence[Write], outcomes: Sequence[Outcome | Exception], seconds: float) -> None:
        """Count a transaction; called where the store is written."""
        self._transaction.observe(seconds)
        self._writes.observe(len(writes))
        if any(isinstance(one, Exception) for one in outcomes):
            self._failed.inc()
            return
        if losses := sum(isinstance(outcome, Stale) for outcome in outcomes):
            self._losses.inc(losses)

    def count_events(self, happened: Sequence[AnyEvent]) -> None:
        """Count what is durable of a table now."""
        for event in happened:
            if isinstance(event, RoundEnded | RoundVoided):
                self._rounds.inc()
            elif isinstance(event, Ruled):
                self._rulings.inc()

    def count_deck(self, *, void: bool, silent: int) -> None:
        """Count a deck that was opened to everyone, or given up, and the seats that kept their nonces to themselves."""
        self._decks["void" if void else "opened"].inc()
        self._silent.inc(silent)

    def count_cut_off(self, what: str) -> None:
        """Count something that was refused or ended because it passed a budget."""
        self._cut_off.labels(what).inc()

    def count_message(self) -> None:
        """Count a message that came in."""
        self.messages["received"] += 1

    async def watch_loop(self) -> None:
        """Look how late the event loop is, for as long as the server runs."""
        loop = asyncio.get_running_loop()
        worst = 0.0
        while True:
            due = loop.time() + LAG_SECONDS
            await asyncio.sleep(LAG_SECONDS)
            late = max(0.0, loop.time() - due)
            worst = max(worst, late)
            self._lag.set(late)
            self._lag_max.set(worst)

    def text(self) -> bytes:
        """Return everything in Prometheus's text format."""
        return generate_latest(self.registry)

    def _histogram(self, name: str, about: str, buckets: Sequence[float]) -> Histogram:
        return Histogram(f"letitride_{name}", about, buckets=buckets, registry=self.registry)

    def _counter(self, name: str, about: str) -> Counter:
        return Counter(f"letitride_{name}", about, registry=self.registry)


class _Messages(Collector):
    """How many messages went out and came in."""

    def __init__(self, messages: Tally[str]) -> None:
        self._messages = messages

    def collect(self) -> Iterator[Metric]:
        sent = CounterMetricFamily("letitride_messages_sent", "Messages sent over WebSockets.", labels=["kind"])
        for kind in ("view", "other"):
            sent.add_metric([kind], self._messages[kind])
        yield sent
        received = self._messages["received"]
        yield CounterMetricFamily("letitride_messages_received", "Messages received over WebSockets.", value=received)
