"""Paytable file: reads a paytable from TOML data and refuses, in one sentence, what cannot be one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from letitride.errors import InvalidData
from letitride.rules.frozen import Frozen
from letitride.rules.paytables import HANDS_MAX, PAYING, AnyCategory, Award, Pays, Paytable, Wager
from letitride.rules.three_card import ThreeCardCategory
from letitride.rules.words import did_you_mean, one_of, show_value


def read_paytable(data: Mapping[str, Any], where: str) -> Paytable:
    """Read a paytable from the data of a TOML file; `where` names the file in refusals."""
    allowed = ("id", "title", *Wager)
    _refuse_unknown(data, allowed, where, "")
    texts = {name: _text(data.get(name), f"{where}: {name}") for name in ("id", "title")}
    pays = {wager: _read_pays(wager, data[wager], where) for wager in Wager if wager in data}
    if not pays:
        raise InvalidData(f"{where}: expected a table for one of the wagers {', '.join(Wager)}, got none")
    return Paytable(texts["id"], texts["title"], Frozen(pays))


def _read_pays(wager: Wager, data: object, where: str) -> Pays:
    if not isinstance(data, Mapping):
        raise InvalidData(f"{where}: {wager}: expected a table, got {show_value(data)}")
    allowed = ("award", "pays", "clauses", "printed_par", "printed_hit_frequency", "printed_in")
    _refuse_unknown(data, allowed, where, f"{wager}.")
    # The bonus dollar is taken before the deal, so its awards are totals; every other stake stays on the felt.
    award = Award.TOTAL if wager is Wager.BONUS else Award.TO_ONE
    if data.get("award") != award:
        came = show_value(data["award"]) if "award" in data else "nothing"
        raise InvalidData(f"{where}: {wager}.award: expected '{award}', got {came}")
    listed = data.get("pays")
    if not isinstance(listed, Mapping) or not listed:
        raise InvalidData(f"{where}: {wager}.pays: expected a table of hands and pays, got {show_value(listed)}")
    _refuse_unknown(listed, [c.name.lower() for c in PAYING[wager]], where, f"{wager}.pays.")
    rows = {
        category: _row(wager, award, listed[category.name.lower()], f"{where}: {wager}.pays.{category.name.lower()}")
        for category in PAYING[wager]
        if category.name.lower() in listed
    }
    listed_categories = tuple(rows)
    if wager is Wager.THREE_CARD and ThreeCardCategory.STRAIGHT_FLUSH in rows:
        rows.setdefault(ThreeCardCategory.MINI_ROYAL, rows[ThreeCardCategory.STRAIGHT_FLUSH])
    _refuse_disorder(wager, rows, where)
    width = HANDS_MAX if wager is Wager.COVER_ALL else 1
    columns = tuple(
        Frozen({category: rows[category][i] for category in PAYING[wager] if category in rows}) for i in range(width)
    )
    clauses = data.get("clauses", [])
    if not isinstance(clauses, list) or not all(isinstance(clause, str) for clause in clauses):
        raise InvalidData(f"{where}: {wager}.clauses: expected a list of clause ids, got {show_value(clauses)}")
    return Pays(
        wager=wager,
        award=award,
        listed=listed_categories,
        columns=columns,
        clauses=tuple(clauses),
        printed_in=_text(data["printed_in"], f"{where}: {wager}.printed_in") if "printed_in" in data else None,
        printed_par=_percentage(data.get("printed_par"), f"{where}: {wager}.printed_par"),
        printed_hit_frequency=_percentage(data.get("printed_hit_frequency"), f"{where}: {wager}.printed_hit_frequency"),
    )


def _row(wager: Wager, award: Award, value: object, where: str) -> tuple[Fraction, ...]:
    if wager is not Wager.COVER_ALL:
        return (_pay(award, value, where),)
    if not isinstance(value, list) or len(value) != HANDS_MAX:
        raise InvalidData(f"{where}: expected a list of {HANDS_MAX} pays, for 1 to 7 hands, got {show_value(value)}")
    return tuple(_pay(award, item, where) for item in value)


def _pay(award: Award, value: object, where: str) -> Fraction:
    """Read one pay. 0 to 1 is a push; a total award of 0 would be a loss, and a loss is not listed."""
    pay = None
    if (isinstance(value, int) and not isinstance(value, bool)) or (
        isinstance(value, str) and re.fullmatch(r"\d{1,9}(/[1-9]\d{0,8})?", value)
    ):
        pay = Fraction(value)
    total = award is Award.TOTAL
    if pay is None or pay < 0 or (total and (pay == 0 or (100 * pay).denominator != 1)):
        least = "above 0 and in whole cents for a dollar" if total else "0 or more"
        raise InvalidData(
            f"{where}: expected a pay, {least}, as a whole number or a fraction like '3/2', got {show_value(value)}"
        )
    return pay


def _refuse_disorder(wager: Wager, rows: Mapping[AnyCategory, tuple[Fraction, ...]], where: str) -> None:
    """Refuse a table in which a better hand is left out or pays less than a worse one."""
    lowest = min(rows)
    wanted = [category for category in PAYING[wager] if category >= lowest]
    for category in wanted:
        if category not in rows:
            raise InvalidData(
                f"{where}: {wager}.pays.{category.name.lower()}: expected a pay, because the lesser "
                f"{lowest.label} has one, got none"
            )
    for better, worse in pairwise(wanted):
        for high, low in zip(rows[better], rows[worse], strict=True):
            if high < low:
                raise InvalidData(
                    f"{where}: {wager}.pays.{better.name.lower()}: expected at least the {low} of the lesser "
                    f"{worse.label}, got {high}"
                )


def _refuse_unknown(data: Mapping[str, Any], allowed: Iterable[str], where: str, prefix: str) -> None:
    for name in data:
        if name not in (names := tuple(map(str, allowed))):
            hint = did_you_mean(name, names)
            raise InvalidData(
                f"{where}: expected {one_of(names)}, got the unknown key {show_value(prefix + name)}{hint}"
            )


def _text(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        came = "nothing" if value is None else show_value(value)
        raise InvalidData(f"{where}: expected a text, got {came}")
    return value


def _percentage(value: object, where: str) -> str | None:
    if value is None:
        return None
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,9})?%", value):
        return value
    raise InvalidData(f"{where}: expected a percentage as printed, like '2.86%', got {show_value(value)}")
