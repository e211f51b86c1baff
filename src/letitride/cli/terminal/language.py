"""Language: the texts of the terminal table by key, in the language that is spoken; it knows no rule of the table.

A language is one file, in ICU MessageFormat as on the page. What the engine says has its English sentence already:
those files hold it for the other languages alone, by the codes of refusals, steps and rulings.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Final, Literal, get_args

import icu

from letitride.engine.refusal import Refusal
from letitride.engine.state import Ruling
from letitride.engine.steps import Step, say
from letitride.rules.money import dollars
from letitride.rules.wagers import Wager

Language = Literal["en", "es"]
FIRST: Final[Language] = "en"
_LOCALES: Final[dict[Language, str]] = {"en": "en_US", "es": "es_US"}  # numbers are written as on the felt
_SPOKEN: Final[dict[str, Language]] = {"language": FIRST}


def speak(language: Language) -> None:
    """Speak a language from now on."""
    _SPOKEN["language"] = language


def spoken() -> Language:
    """Return the language that is spoken."""
    return _SPOKEN["language"]


def language_of(chosen: Language | None, environment: Mapping[str, str] | None = None) -> Language:
    """Return the chosen language, else the environment's where there are texts in it, else English."""
    if chosen is not None:
        return chosen
    around = os.environ if environment is None else environment
    named = next((around[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if around.get(name)), "")
    return next((one for one in get_args(Language) if one == named[:2].lower()), FIRST)


@lru_cache
def texts(language: Language) -> dict[str, str]:
    """Return the texts of a language by key."""
    file = resources.files("letitride.cli.terminal") / "texts" / f"{language}.json"
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return found


@cache
def _message(language: Language, key: str) -> icu.MessageFormat:
    return icu.MessageFormat(texts(language)[key], icu.Locale(_LOCALES[language]))


def t(key: str, /, **values: int | str) -> str:
    """Return the words of a key with its values put in."""
    names, given = list(values), [icu.Formattable(value) for value in values.values()]
    return str(_message(spoken(), key).format(names, given))


def has_text(key: str) -> bool:
    """Return whether the language that is spoken has words for a key that was put together."""
    return key in texts(spoken())


def listed(items: Iterable[object]) -> str:
    """Return things one after the other: '1, 2, and 3'."""
    return str(icu.ListFormatter.createInstance(icu.Locale(_LOCALES[spoken()])).format([str(item) for item in items]))


def bet_name(wagers: Mapping[str, Wager], spot: str) -> str:
    """Return what a player calls the bet on a spot: 'bet 1', or a side bet's title."""
    wager = wagers.get(spot)
    if wager is None or not wager.is_base:
        return spot if wager is None else wager.title
    return t("bet.name", mark=wager.label.split()[wager.spots.index(spot)])


def refusal_words(refusal: Refusal) -> str:
    """Return why something is refused: in the language that is spoken, else in the engine's own English."""
    keys = (f"no.{refusal.code}.{refusal.case}", f"no.{refusal.code}")
    key = next((one for one in keys if has_text(one)), None)
    if key is None:
        return refusal.sentence
    amounts = {
        name.removesuffix("_cents"): dollars(int(value)) for name, value in refusal.values.items() if _is_cents(name)
    }
    return t(key, **{name: value for name, value in refusal.values.items() if not _is_cents(name)}, **amounts)


def _is_cents(name: str) -> bool:
    return name.endswith("_cents")


def step_words(step: Step, wagers: Mapping[str, Wager]) -> str:
    """Return a step of the dealer's script: in the language that is spoken, else in the engine's own English."""
    key = f"step.{step.kind}"
    if not has_text(key):
        return say(step, wagers)
    return t(key, seat=step.seat, wager=bet_name(wagers, step.wager), number=step.number)


def ruling_words(ruling: Ruling) -> str:
    """Return what was ruled or ordered: in the language that is spoken, else in the engine's own English."""
    subject, _, then = ruling.name.partition(":")
    if subject == "order" and has_text(key := f"order.{then.partition(':')[0]}"):
        return t("told.ordered", order=t(key))
    if has_text(f"what.{subject}") and has_text(f"then.{then}"):
        return t("told.ruled", what=t(f"what.{subject}"), then=t(f"then.{then}"))
    return f"{ruling.sentence[:1].upper()}{ruling.sentence[1:]}."
