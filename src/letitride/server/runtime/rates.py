"""Rates: how often a person or an address may ask for something; knows neither who it is nor what is asked."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Mapping
from ipaddress import IPv6Address, ip_address
from typing import Final

import msgspec

from letitride.errors import InvalidData
from letitride.rules.words import one_of

BUCKETS_MAX: Final = 20_000
"""Who has not asked for longest is forgotten first: memory is bounded, whatever the number of addresses."""
IPV6_NETWORK_BITS: Final = 64


class Rate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many at once, and so many a minute after that."""

    burst: int
    a_minute: float


class Rates(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All rates of a house; 'from' is an address, 'of' a person or a session."""

    calls_from: Rate = Rate(3_000, 12_000)
    calls_of: Rate = Rate(1_500, 6_000)
    messages_of: Rate = Rate(40, 1_200)
    """Of one connection to a table."""
    messages_by: Rate = Rate(400, 2_400)
    """Of one person to all tables, by however many connections."""
    messages_from: Rate = Rate(3_000, 30_000)
    sockets_of: Rate = Rate(120, 60)
    """Connections to tables that one person opens."""
    guests_from: Rate = Rate(300, 120)
    accounts_from: Rate = Rate(20, 10)
    logins_from: Rate = Rate(30, 30)
    logins_as: Rate = Rate(10, 6)
    sessions_of: Rate = Rate(20, 10)
    """Looking through your own sessions."""
    pars_from: Rate = Rate(120, 240)
    """Pricing a paytable of your own."""
    papers_from: Rate = Rate(10, 20)
    """Par sheets of such a paytable as files."""
    digests_from: Rate = Rate(30, 30)
    """Taking the digests of what runs: every file is read for it."""
    chips_of: Rate = Rate(3, 1)
    private_tables_from: Rate = Rate(5, 0.2)
    invitations_of: Rate = Rate(30, 10)
    reviews_of: Rate = Rate(60, 120)
    """Reviewing your rounds with the coach: each reads through a journal, and two are made at a time."""
    links_of: Rate = Rate(30, 30)
    """Making links to your own rounds, and withdrawing them."""
    shared_rounds_from: Rate = Rate(120, 120)
    """Looking at rounds by such links."""
    answers_of: Rate = Rate(300, 300)
    """Answers in drills and exams."""


def changed(rates: Rates, a_minute: Mapping[str, float]) -> Rates:
    """Return rates of which some are other numbers a minute; what is allowed at once goes with them."""
    for name, number in a_minute.items():
        if name not in Rates.__struct_fields__ or number <= 0:
            raise InvalidData(f"expected a rate above 0 of {one_of(Rates.__struct_fields__)}, got {name} = {number}")
        was: Rate = getattr(rates, name)
        burst = max(math.ceil(was.burst * number / was.a_minute), 1)
        rates = msgspec.structs.replace(rates, **{name: Rate(burst, number)})
    return rates


class Buckets:
    """Who has asked how often of late: one bucket of tokens for each thing and asker."""

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        self._clock_ms = clock_ms
        self._buckets: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def take(self, what: str, whose: str, rate: Rate) -> int:
        """Return 0 where the request is in time, else after how many seconds it would be."""
        now, key = self._clock_ms(), (what, whose)
        tokens, filled = self._buckets.pop(key, (float(rate.burst), now))
        tokens = min(tokens + max(now - filled, 0) * rate.a_minute / 60_000, float(rate.burst))
        may = tokens >= 1
        self._buckets[key] = (tokens - 1 if may else tokens, now)
        while len(self._buckets) > BUCKETS_MAX:
            self._buckets.popitem(last=False)
        return 0 if may else max(math.ceil((1 - tokens) * 60 / rate.a_minute), 1)

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._buckets)


def network_of(address: str) -> str:
    """Return an address as it is counted: of version 6 a whole network, since everybody has so many of them."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return f"{found.exploded[: IPV6_NETWORK_BITS // 16 * 5 - 1]}::/{IPV6_NETWORK_BITS}"
    return address
