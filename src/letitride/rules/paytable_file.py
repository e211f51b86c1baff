"""Paytable file: reads a paytable from TOML data and refuses, in one sentence, what cannot be one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from letitride.errors import InvalidData
from letitride.rules.file_values import read_text, refuse_unknown
from letitride.rules.frozen import Frozen
from letitride.rules.paytables import Pays, Paytable
from letitride.rules.rankings import AnyCategory
from letitride.rules.wager_file import PAYS, is_wager, read_wager
from letitride.rules.wager_table import PUBLISHED
from letitride.rules.wagers import HANDS_MAX, Award, Wager
from letitride.rules.words import one_of, show_value

PAY_MAX: Final = 10**9
"""No bet pays a thousand million to one."""


def read_paytable(data: Mapping[str, Any], where: str, wagers: Mapping[str, Wager] = PUBLISHED) -> Paytable:
    """Read a paytable from the data of a TOML file, a wager's own among them; `where` names the file in refusals."""
    if is_wager(data):
        return own_paytable(data, read_wager(data, where), where)
    refuse_unknown(data, ("id", "title", *wagers), where)
    texts = {name: read_text(data.get(name), f"{where}: {name}") for name in ("id", "title")}
    pays = {name: _read_pays(wager, data[name], where) for name, wager in wagers.items() if name in data}
    if not pays:
        raise InvalidData(f"{where}: expected a table for one of the wagers {', '.join(wagers)}, got none")
    return Paytable(texts["id"], texts["title"], Frozen(pays))


def own_paytable(data: Mapping[str, Any], wager: Wager, where: str) -> Paytable:
    """Return the paytable that a wager's own file states, under the wager's id."""
    stated = {name: data[name] for name in PAYS if name in data}
    pays = _read_pays(wager, {"award": str(wager.awards[0]), **stated}, where, prefix="")
    assumed = f", {wager.assumed}" if wager.assumed else ""
    return Paytable(wager.id, wager.title + assumed, Frozen({wager.id: pays}))


def _read_pays(wager: Wager, data: object, where: str, prefix: str | None = None) -> Pays:
    prefix = f"{wager}." if prefix is None else prefix
    if not isinstance(data, Mapping):
        raise InvalidData(f"{where}: {wager}: expected a table, got {show_value(data)}")
    refuse_unknown(data, ("award", *PAYS), where, prefix)
    stated = data.get("award")
    if stated not in wager.awards:
        came = show_value(stated) if "award" in data else "nothing"
        raise InvalidData(f"{where}: {prefix}award: expected {one_of(map(str, wager.awards))}, got {came}")
    award = Award(stated)
    listed = data.get("pays")
    if not isinstance(listed, Mapping) or not listed:
        raise InvalidData(f"{where}: {prefix}pays: expected a table of hands and pays, got {show_value(listed)}")
    refuse_unknown(listed, [c.name.lower() for c in wager.paying], where, f"{prefix}pays.")
    rows = {
        category: _row(wager, award, listed[name], f"{where}: {prefix}pays.{name}", name)
        for category in wager.paying
        if (name := category.name.lower()) in listed
    }
    # What a rank takes of a meter counts as it is at the seed; a table pays by what the meter holds.
    rows |= {rank: (wager.seed_pay(rank) + rows.get(rank, (Fraction(0),))[0],) for rank in wager.awarded}
    listed_categories = tuple(category for category in wager.paying if category in rows)
    for unlisted, like in wager.unlisted.items():
        if like in rows:
            rows.setdefault(unlisted, rows[like])
    _refuse_disorder(wager, rows, where, prefix)
    width = HANDS_MAX if wager.by_hands else 1
    columns = tuple(
        Frozen({category: rows[category][i] for category in wager.paying if category in rows}) for i in range(width)
    )
    clauses = data.get("clauses", [])
    if not isinstance(clauses, list) or not all(isinstance(clause, str) for clause in clauses):
        raise InvalidData(f"{where}: {prefix}clauses: expected a list of clause ids, got {show_value(clauses)}")
    return Pays(
        wager=wager,
        award=award,
        listed=listed_categories,
        columns=columns,
        clauses=tuple(clauses),
        printed_in=read_text(data["printed_in"], f"{where}: {prefix}printed_in") if "printed_in" in data else None,
        printed_par=_percentage(data.get("printed_par"), f"{where}: {prefix}printed_par"),
        printed_hit_frequency=_percentage(data.get("printed_hit_frequency"), f"{where}: {prefix}printed_hit_frequency"),
    )


def _row(wager: Wager, award: Award, value: object, where: str, hand: str) -> tuple[Fraction, ...]:
    if not wager.by_hands:
        return (_pay(wager, award, value, where, hand),)
    if not isinstance(value, list) or len(value) != HANDS_MAX:
        raise InvalidData(f"{where}: expected a list of {HANDS_MAX} pays, for 1 to 7 hands, got {show_value(value)}")
    return tuple(_pay(wager, award, item, where, hand) for item in value)


def _pay(wager: Wager, award: Award, value: object, where: str, hand: str) -> Fraction:
    """Read one pay. 0 to 1 is a push; an award of 0 would be a loss, and a loss is not listed."""
    pay = None
    if (isinstance(value, int) and not isinstance(value, bool)) or (
        isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}(/[1-9][0-9]{0,8})?", value)
    ):
        pay = Fraction(value)
    kept = award is not Award.TO_ONE  # the stake is
    if pay is None or not 0 <= pay <= PAY_MAX or (kept and (pay == 0 or (100 * pay).denominator != 1)):
        least = "0 or more" if not kept else "above 0 and in whole cents" + " for a dollar" * (award is Award.TOTAL)
        raise InvalidData(
            f"{where}: expected a pay, {least}, as a whole number or a fraction like '3/2', got {show_value(value)}",
            code=f"paytable_pay.{award}",
            wager=wager.id,
            hand=hand,
            got=str(value),
        )
    return pay


def _refuse_disorder(wager: Wager, rows: Mapping[AnyCategory, tuple[Fraction, ...]], where: str, prefix: str) -> None:
    """Refuse a table in which a better hand is left out or pays less than a worse one."""
    lowest = min(rows)
    wanted = [category for category in wager.paying if category >= lowest]  # type: ignore[operator]  # of one kind
    for category in wanted:
        if category not in rows:
            raise InvalidData(
                f"{where}: {prefix}pays.{category.name.lower()}: expected a pay, because the lesser "
                f"{lowest.label} has one, got none",
                code="paytable_missing",
                wager=wager.id,
                hand=category.name.lower(),
                lesser=lowest.name.lower(),
            )
    for better, worse in pairwise(category for category in wanted if category not in wager.awarded):
        for high, low in zip(rows[better], rows[worse], strict=True):
            if high < low:
                raise InvalidData(
                    f"{where}: {prefix}pays.{better.name.lower()}: expected at least the {low} of the lesser "
                    f"{worse.label}, got {high}",
                    code="paytable_order",
                    wager=wager.id,
                    hand=better.name.lower(),
                    lesser=worse.name.lower(),
                    least=str(low),
                    got=str(high),
                )


def _percentage(value: object, where: str) -> str | None:
    if value is None:
        return None
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,9})?%", value):
        return value
    raise InvalidData(f"{where}: expected a percentage as printed, like '2.86%', got {show_value(value)}")
