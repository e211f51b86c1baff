"""Summed metrics: what several workers count, as one server's; a scraper comes to any of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from prometheus_client.parser import text_string_to_metric_families

GREATEST: Final = frozenset(
    {"letitride_loop_lag_seconds", "letitride_loop_lag_seconds_max", "letitride_generator_alarm"}
)
"""What is no number of things: here the worst worker counts."""


def summed(texts: Iterable[str]) -> str:
    """Return metrics of several workers in Prometheus's text format, added up."""
    about: dict[str, tuple[str, str]] = {}
    values: dict[str, dict[tuple[str, tuple[tuple[str, str], ...]], float]] = {}
    for text in texts:
        for family in text_string_to_metric_families(text):
            about.setdefault(family.name, (family.documentation, family.type))
            found = values.setdefault(family.name, {})
            for sample in family.samples:
                key = sample.name, tuple(sample.labels.items())
                before = found.get(key)
                if before is None:
                    found[key] = sample.value
                elif family.name in GREATEST or sample.name.endswith("_created"):
                    found[key] = max(before, sample.value)
                else:
                    found[key] = before + sample.value
    return "".join(_lines(name, *about[name], found) for name, found in values.items())


def _lines(
    name: str, documentation: str, kind: str, found: dict[tuple[str, tuple[tuple[str, str], ...]], float]
) -> str:
    named = f"{name}_total" if kind == "counter" else name
    told = [f"# HELP {named} {documentation}", f"# TYPE {named} {kind}"]
    for (sample, labels), value in found.items():
        inside = ",".join(f'{label}="{text}"' for label, text in labels)
        told.append(f"{sample}{{{inside}}} {value!r}" if inside else f"{sample} {value!r}")
    return "\n".join(told) + "\n"
