"""Key values: other values that a key of a rule book may have: all that are named, some of amounts, lists and texts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from msgspec import inspect

from letitride.errors import MissingData
from letitride.rules import catalog
from letitride.rules.keys import FeeTier
from letitride.rules.keyspec import KeySpec
from letitride.rules.paytables import pays_of
from letitride.rules.values import RuleValue

TEXTS: dict[str, tuple[Any, ...]] = {
    "shuffler.vendor": ("", "Acme", "Shuffle Master", "Light and Wonder"),
    "shuffler.model": ("", "iDeal", "i-Deal Plus", "Acme 1"),
    "shuffler.models": ((), ("iDeal",), ("i-Deal", "i-Deal Plus"), ("Acme 1",)),
    "shuffler.mode": ("let_it_ride", "cover_all", "bonus", "acme"),
    "shuffler.software": ("", "NXP v1.0.114", "NXP v2.0", "Acme"),
    "three_card.vendors": ((), ("Acme",), ("Light and Wonder",)),
    "cover_all.models": ((), ("i-Deal",), ("Acme 1",)),
    "cover_all.software": ("", "NXP v1.0.114", "Acme v1"),
    "settle.bets_order": (
        (),
        *(order for many in (1, 2) for order in permutations(("base", "bonus", "three_card"), many)),
        ("three_card", "base", "bonus", "cover_all"),
        ("base", "bonus", "three_card", "cover_all"),
        ("cover_all", "base", "bonus", "three_card"),
        ("acme",),
    ),
    "payout.sides": ((), ("bonus",), ("three_card",), ("bonus", "three_card"), ("acme",)),
    "fee.tiers": (
        (FeeTier(limit_cents_max=10_000, wager_cents=50, bank_cents=200),),
        (
            FeeTier(limit_cents_max=100, wager_cents=1, bank_cents=1),
            FeeTier(limit_cents_max=10**6, wager_cents=0, bank_cents=0),
        ),
        (),
    ),
}
"""What is tried of keys that take texts and lists of texts; paytables are all tried that pay the wager."""


def other_values(spec: KeySpec, current: RuleValue) -> list[Any]:
    """Return some values that a key may have beside its present one."""
    if spec.name in TEXTS:
        every: Iterator[Any] = iter(TEXTS[spec.name])
    elif spec.last in {"paytable", "paytables"}:
        every = _paytables(spec)
    else:
        every = _values(inspect.type_info(spec.annotation), current)
    found = [value for value in every if value != current]
    return [value for place, value in enumerate(found) if value not in found[:place]]


def _paytables(spec: KeySpec) -> Iterator[Any]:
    fit = []
    for name in catalog.paytable_ids():
        try:
            pays_of(catalog.paytable(name), spec.wager)
        except MissingData:
            continue
        fit.append(name)
    if spec.last == "paytable":
        yield from fit
        return
    yield from ((name,) for name in fit)
    yield tuple(fit)
    yield ()


def _values(info: Any, current: Any) -> Iterator[Any]:
    match info:
        case inspect.Metadata(type=inner):
            yield from _values(inner, current)
        case inspect.LiteralType(values=values):
            yield from values
        case inspect.BoolType():
            yield from (True, False)
        case inspect.IntType(ge=low, le=high):
            near = current if isinstance(current, int) else 5
            least, most = low or 0, high or near * 2 + 2
            yield from (min(max(number, least), most) for number in (least, near - 1, near + 1, near * 2, most))
        case inspect.VarTupleType(item_type=inspect.LiteralType(values=values)):
            listed = tuple(current or ())
            yield from ((), tuple(values), tuple(reversed(values)), listed[::-1])
            yield from ((value,) for value in values)
            yield from (listed[:place] + listed[place + 1 :] for place in range(len(listed)))
        case inspect.UnionType(types=types):
            for one in types:
                yield from _values(one, current)
