"""Values: what the keys of a rule book may hold, as a file writes them and as a book reads them; it checks none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from letitride.rules.keys import FeeTier

RuleValue = bool | int | str | Sequence[str] | Sequence[FeeTier] | Sequence[Mapping[str, int]] | None
"""The value of one key; a key's own type, of which this is the union, is `KeySpec.annotation`."""

Values = Mapping[str, RuleValue]
"""Values by the names of their keys: 'limit.cents_min'."""

PlainValue = bool | int | str | Sequence[str] | Sequence[Mapping[str, int]] | None
"""The value of one key as JSON has it."""
