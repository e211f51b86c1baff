"""Request: the options of a simulation as typed, and the task they describe."""

from __future__ import annotations

import re

import msgspec

from letitride.cli.io.strategies import strategy_of
from letitride.cli.io.values import cents_of, parse_values, parse_whole
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.settlement import Spot
from letitride.rules.table_rules import TableRules
from letitride.rules.values import Values
from letitride.rules.wager_table import BASE, BASE_SPOTS
from letitride.rules.words import one_of
from letitride.simulation.banks import opponents_max
from letitride.simulation.plan import plan, stakes_of
from letitride.simulation.run import ROUNDS_MAX
from letitride.simulation.tasks import Task

ROUNDS = 10_000_000
"""Where --rounds is not given."""


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of a simulation that say what is simulated; a saved state keeps them."""

    rulebook: str
    seed: int
    rounds: str | None = None
    paytables: tuple[str, ...] = ()
    seats: int | None = None
    hands: int = 1
    strategy: str = "best"
    stakes: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    sessions: str | None = None
    bankroll: str | None = None
    bank_stake: str | None = None
    share_cards: bool = False


def task_of(asked: Asked) -> Task:
    """Return the task, or refuse options that do not fit."""
    table = _table(asked)
    rules = table.rules
    seats = asked.seats
    if seats is None:
        banked = rules.bank.mode == "player"
        seats = opponents_max(rules.seats, separate=rules.bank.seat == "separate") if banked else rules.seats
        seats -= seats % asked.hands if 1 < asked.hands <= rules.hands_per_player else 0
    many, each = (0, 0) if asked.sessions is None else _sessions(asked.sessions)
    if many and asked.rounds is not None:
        raise InvalidData("expected --rounds or --sessions, got both: --sessions sets the rounds")
    if asked.share_cards and asked.strategy != "best":
        raise InvalidData(f"expected the best strategy with --share-cards, got '{asked.strategy}'")
    strategy = None if asked.strategy == "best" else strategy_of(asked.strategy, "--strategy")
    rounds = ROUNDS if asked.rounds is None else parse_whole(asked.rounds, "rounds", "--rounds", most=ROUNDS_MAX)
    return Task(
        plan=plan(table, seats, _stakes(table, asked.stakes), strategy, asked.hands),
        seed=asked.seed,
        rounds=each or rounds,
        sessions=many,
        bankroll_cents=0 if asked.bankroll is None else cents_of(asked.bankroll, "--bankroll"),
        bank_stake_cents=0 if asked.bank_stake is None else cents_of(asked.bank_stake, "--bank-stake"),
        share_cards=asked.share_cards,
    )


def stated_for(asked: Asked) -> Values:
    """Return the values used where the book leaves them to the table and the command does not set them."""
    return catalog.stated_values(asked.rulebook, parse_values(list(asked.values), asked.rulebook))


def _table(asked: Asked) -> TableRules:
    own = dict(parse_values(list(asked.values), asked.rulebook))
    for name in asked.paytables:
        for wager, pays in catalog.paytable(name).pays.items():
            key = f"{pays.wager.priced_with or wager}.paytable"
            if own.get(key, name) != name:
                raise InvalidData(f"expected one paytable for the {wager} wager, got {own[key]} and {name}")
            own[key] = name
    return catalog.ready_rules(asked.rulebook, own)


def _stakes(table: TableRules, texts: tuple[str, ...]) -> dict[Spot, int]:
    given: dict[str, int] = {}
    for text in texts:
        name, equals, amount = text.rpartition("=")
        name = name if equals else BASE.id
        if name in given:
            raise InvalidData(f"expected one stake for each wager after --stake, got {name} twice")
        given[name] = cents_of(amount, "--stake")
    stakes = stakes_of(table, given.pop(BASE.id, None))
    side = [name for name in stakes if name not in BASE_SPOTS]
    for name, cents in given.items():
        if name not in side:
            raise InvalidData(f"expected {one_of([BASE.id, *side])} before '=' in --stake, got '{name}'")
        stakes[name] = cents
    return stakes


def _sessions(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9.e]+)[x×*]([0-9.e]+)", text.replace(" ", ""), re.IGNORECASE)
    if match is None:
        raise InvalidData(f"expected sessions and rounds such as 10000x500 after --sessions, got '{text}'")
    return parse_whole(match[1], "sessions", "--sessions"), parse_whole(match[2], "rounds", "--sessions")
