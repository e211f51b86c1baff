"""Directing: what those who run a table may order, decide and report now, and what each asks for; never what follows.

Everything here is found by asking `legal`, so that a page can offer it without knowing a rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal, get_args

import msgspec

from letitride.engine import commands, places
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.reporting import Fact, reportable
from letitride.engine.state import Table
from letitride.engine.supervision import DAY, deck_numbers

Asked = Literal["seats", "number", "cards", "cents_min", "cents_max", "when", "ground", "why"]
"""The fields of an order that have to be filled in."""

_NEVER: Final = frozenset({"not_your_role", "not_provided", "no_recut", "no_refusal", "no_ground"})
"""Refusals that say that the book, or the role, does not know such an order; all others are about this moment."""
_ASKED: Final[dict[str, tuple[Asked, ...]]] = {
    "count": ("why",),
    "change_deck": ("number", "cards", "why"),
    "recut": ("why",),
    "refuse_bet": ("seats", "why"),
    "limits": ("cents_min", "cents_max", "why"),
    "announce_minimum": ("cents_min", "when", "why"),
    "announce_closing": ("when", "why"),
    "close": ("why",),
    "act_first": ("seats", "why"),
    "separate": ("seats", "why"),
    "english_only": ("why",),
    "bar": ("seats", "ground", "why"),
    "void_bets": ("seats", "ground", "why"),
    "annul": ("ground", "seats", "why"),
    "give_up_seat": ("seats", "why"),
}
_ONE_SEAT: Final = frozenset({"void_bets", "give_up_seat"})
_WITHOUT_SEATS: Final = frozenset({"annul"})
"""Orders for which seats may be named and need not be."""
_GROUNDS: Final[dict[str, tuple[str, ...]]] = {
    "bar": ("collusion", "device", "refused_correction"),
    "void_bets": ("device",),
    "annul": ("disturbance", "fraud"),
}
_WORDS: Final = "on record"
"""A reason, for the sake of asking."""


class OrderOffer(msgspec.Struct, frozen=True, kw_only=True):
    """An order that the book knows for a role: what has to be said with it, and why it is refused now, if it is."""

    kind: str
    asks: tuple[Asked, ...]
    seats: tuple[int, ...]
    """The seats that may be named."""
    seats_min: int
    seats_max: int
    decks: tuple[int, ...]
    """The decks that may be named; 0 is the one in play."""
    grounds: tuple[str, ...]
    notice_minutes: int
    """How long a sign has to be up before the time it announces."""
    refusal: Refusal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionOffer:
    """A dispute that a role may rule on now, and which lower instances must be off duty for that."""

    number: int
    absent: tuple[str, ...]
    pays: bool
    """Whether the house can pay for it."""


class ReportOffer(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is so now and may be reported, in words."""

    command: commands.Report | commands.WentAway | commands.CameBack
    what: str


def orders(table: Table, role: str, minute: int) -> tuple[OrderOffer, ...]:
    """Return the orders that the book knows for a role at a table, with what each asks for now."""
    kinds = get_args(commands.OrderKind)
    return tuple(found for kind in kinds if (found := _offer(table, role, kind, minute)) is not None)


def _offer(table: Table, role: str, kind: commands.OrderKind, minute: int) -> OrderOffer | None:
    tried = [(order, legal(table, order)) for order in _probes(table, role, kind, minute)]
    taken = [order for order, refusal in tried if refusal is None]
    refusals = [refusal for _, refusal in tried if refusal is not None and refusal.code not in _NEVER]
    if not taken and not refusals:
        return None
    rules = table.rules.rules
    notice = {
        "limits": rules.limit.notice_minutes,
        "announce_minimum": rules.limit.notice_minutes,
        "announce_closing": rules.close.notice_minutes,
        "close": rules.close.notice_minutes,
    }
    seats = tuple(dict.fromkeys(number for order in taken for number in order.seats))
    asks = _ASKED[kind]
    if not seats and kind in _WITHOUT_SEATS:
        asks = tuple(one for one in asks if one != "seats")
    least = 2 if kind == "separate" else 0 if kind in _WITHOUT_SEATS else 1
    return OrderOffer(
        kind=kind,
        asks=asks,
        seats=seats,
        seats_min=least if "seats" in asks else 0,
        seats_max=1 if kind in _ONE_SEAT else len(seats),
        decks=tuple(order.number for order in taken) if kind == "change_deck" else (),
        grounds=tuple(dict.fromkeys(order.ground for order in taken if order.ground)),
        notice_minutes=notice.get(kind, 0),
        refusal=None if taken else refusals[0],
    )


def _probes(table: Table, role: str, kind: commands.OrderKind, minute: int) -> Iterator[commands.Order]:
    """Yield the order in the forms it may have; with the limits as they are, and one seat or two."""
    rules = table.rules.rules
    plain = commands.Order(by=role, kind=kind, minute=minute, why=_WORDS)
    seated = [number for number, seat in table.seats.items() if seat.player]
    if kind == "change_deck":
        yield from (msgspec.structs.replace(plain, number=deck) for deck in deck_numbers(table.rules))
    elif kind == "announce_minimum":
        more = table.rules.cents_min + rules.limit.cents_step
        yield msgspec.structs.replace(plain, cents_min=more, when=_later(minute, rules.limit.notice_minutes))
    elif kind == "announce_closing":
        yield msgspec.structs.replace(plain, when=_later(minute, rules.close.notice_minutes))
    elif kind == "separate":
        pairs = tuple(combinations(seated, 2)) or ((),)
        yield from (msgspec.structs.replace(plain, seats=pair) for pair in pairs)
    elif "seats" in _ASKED[kind]:
        named: list[tuple[int, ...]] = [(number,) for number in seated]
        for ground in _GROUNDS.get(kind, ("",)):
            choice = msgspec.structs.replace(plain, ground=ground)
            if not named or kind in _WITHOUT_SEATS:
                yield choice
            yield from (msgspec.structs.replace(choice, seats=seats) for seats in named)
    else:
        yield plain


def _later(minute: int, minutes: int) -> int:
    return (minute + minutes) % DAY


def decisions(table: Table, role: str) -> tuple[DecisionOffer, ...]:
    """Return the disputes that a role may rule on now."""
    pays = table.rules.rules.bank.mode != "player"
    found = []
    for dispute in table.disputes:
        lower = dispute.heard_by[: dispute.heard_by.index(role)] if role in dispute.heard_by else ()
        decide = commands.DecideDispute(by=role, number=dispute.number, upheld=False, why=_WORDS, absent=lower)
        if legal(table, decide) is None:
            found.append(DecisionOffer(number=dispute.number, absent=lower, pays=pays))
    return tuple(found)


def reports(table: Table, role: str) -> tuple[ReportOffer, ...]:
    """Return what a role may report now, because it is so."""
    places_of: dict[tuple[Fact, ...], list[tuple[int, int]]] = {
        (): [(0, 0)],
        ("seat",): [(seat, 0) for seat in table.seats],
        ("community_card",): [(0, number) for number, _ in enumerate(places.COMMUNITY, 1)],
    }
    candidates: list[ReportOffer] = [
        ReportOffer(
            command=commands.Report(by=role, kind=one.kind, seat=seat, number=number),  # type: ignore[arg-type]  # kinds to report are irregularities
            what=one.what,
        )
        for one in reportable(table.rules)
        for seat, number in places_of[one.asks]
    ]
    away = [commands.WentAway(by=role, seat=seat) for seat in table.seats]
    candidates += [ReportOffer(command=one, what="the player has left the table") for one in away]
    back = [commands.CameBack(by=role, seat=seat) for seat in table.seats]
    candidates += [ReportOffer(command=one, what="the player is at the table after all") for one in back]
    return tuple(one for one in candidates if legal(table, one.command) is None)
