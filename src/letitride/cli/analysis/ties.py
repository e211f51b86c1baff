"""Ties: how a decision worth exactly zero is played, as an option and in words; it decides none."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from letitride.analysis.base import Ties

TiesOption = Annotated[
    Ties,
    typer.Option(
        "--ties", help="How to play a decision worth exactly zero: take the bet back, as published pars do, or ride."
    ),
]

TIE_RULE: Final[dict[Ties, str]] = {
    "withdraw": "bets worth exactly zero are taken back",
    "ride": "bets worth exactly zero ride",
}
