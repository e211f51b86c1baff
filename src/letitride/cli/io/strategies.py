"""Strategies: a strategy named after an option, or read from a file; it judges none of them."""

from __future__ import annotations

from pathlib import Path

from letitride.analysis.strategy import NAMED_STRATEGIES, Strategy, read_strategy
from letitride.cli.io.files import read_text
from letitride.errors import InvalidData
from letitride.rules.toml_text import BYTES_MAX as TOML_BYTES_MAX
from letitride.rules.toml_text import read_toml
from letitride.rules.words import one_of


def strategy_of(name: str, option: str = "--compare") -> Strategy:
    """Return a strategy by its name or from a file."""
    if name in NAMED_STRATEGIES:
        return NAMED_STRATEGIES[name]
    if not name.endswith(".toml"):
        known = [*(["best"] if option == "--strategy" else []), *NAMED_STRATEGIES]
        raise InvalidData(f"expected {one_of(known)} or the path of a TOML file after {option}, got '{name}'")
    return read_strategy(read_toml(read_text(name, "a strategy", TOML_BYTES_MAX), name), Path(name).stem, name)
