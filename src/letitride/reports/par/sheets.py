"""Sheets: the exact figures of a paytable as plain data for programs; it rounds nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from letitride.analysis.caps import Capped
from letitride.analysis.par import CONVENTIONS, WagerSheet
from letitride.rules.paytables import Paytable


def exact(value: Fraction | None) -> dict[str, Any] | None:
    """Return a figure as data: the reduced fraction, and its value."""
    return None if value is None else {"exact": str(value), "value": float(value)}


def sheet_data(table: Paytable, wagers: tuple[WagerSheet, ...], ties: str, capped: Capped | None) -> dict[str, Any]:
    """Return the figures of a paytable as data."""
    data: dict[str, Any] = {
        "paytable": table.id,
        "title": table.title,
        "sha256": table.digest,
        "conventions": {"ties": ties, **CONVENTIONS},
        "wagers": [_wager_data(sheet) for sheet in wagers],
    }
    if capped is not None:
        data["capped"] = {
            "stake_cents": capped.stake_cents,
            "payout_cents_max": capped.payout_cents_max,
            "scope": capped.scope,
            "house_edge": exact(capped.house_edge),
            "standard_deviation": capped.results.standard_deviation,
            "bet1_classes_changed": capped.changed_bet1,
            "bet2_classes_changed": capped.changed_bet2,
        }
    return data


def _wager_data(sheet: WagerSheet) -> dict[str, Any]:
    data: dict[str, Any] = {"wager": str(sheet.wager)}
    data |= {"hands": sheet.hands} if sheet.hands else {}
    data |= {"award": str(sheet.pays.award), "house_edge": exact(sheet.house_edge)}
    if sheet.element_of_risk is not None:
        data |= {
            "element_of_risk": exact(sheet.element_of_risk),
            "average_wager": exact(sheet.average_wager),
            "bet1_ride_rate": exact(sheet.bet1_ride_rate),
            "bet2_ride_rate": exact(sheet.bet2_ride_rate),
        }
    return data | {
        "hit_frequency": exact(sheet.hit_frequency),
        "standard_deviation": sheet.results.standard_deviation,
        "variance": exact(sheet.results.variance),
        "skewness": sheet.results.skewness,
        "combinations": sheet.combinations,
        "lines": [
            {
                "category": line.category,
                "combinations": line.combinations,
                "probability": exact(line.probability),
                "pay": None if line.pay is None else str(line.pay),
                "units_riding": exact(line.riding),
                "result": exact(line.result),
            }
            for line in sheet.lines
        ],
        "distribution": [
            {"net": str(result), "cases": cases} for result, cases in sorted(sheet.results.cases.items(), reverse=True)
        ],
        "printed": {"par": sheet.pays.printed_par, "hit_frequency": sheet.pays.printed_hit_frequency},
    }
