"""Phrases: which situation a person means who says in the words of the trade what happened; it rules on nothing.

Each word that was typed looks for its nearest word among those of a phrase; rare words count more than common ones. The
page does the same with the same words, so that it finds a situation where there is no network.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log
from typing import Final

from letitride.errors import InvalidData
from letitride.rules.toml_text import read_toml

TEXT_MAX: Final = 200
_NEAR: Final = 0.8
"""What a word counts that is right but for a typing mistake."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """How people say what went wrong: phrases by situation, and which words mean the same."""

    said: dict[str, tuple[str, ...]]
    same: dict[str, tuple[str, ...]]
    silent: frozenset[str]
    """Words that tell nothing."""


@dataclass(frozen=True, slots=True)
class Found:
    """A situation that may be meant, and how well it fits: 1 where every word does."""

    situation: str
    fit: float


@cache
def phrases() -> Phrases:
    """Return the phrases that the product knows."""
    text = files("letitride.training.ruling_desk").joinpath("phrases.toml").read_text("utf-8")
    data = read_toml(text, "phrases.toml")
    said, same = ({name: tuple(words) for name, words in data[key].items()} for key in ("phrases", "same"))
    return Phrases(said, same, frozenset(data["silent"]))


def find(text: str, among: Iterable[str]) -> list[Found]:
    """Return the situations that a text may mean, the likeliest first."""
    if len(text) > TEXT_MAX:
        raise InvalidData(f"expected at most {TEXT_MAX} characters that say what happened, got {len(text)}")
    typed = [_meant(word) for word in _words(text)]
    if not typed:
        return []
    found = (Found(name, round(max(_fit(typed, phrase) for phrase in _phrases_of(name)), 4)) for name in among)
    return sorted((one for one in found if one.fit > 0), key=lambda one: (-one.fit, one.situation))


def _fit(typed: list[frozenset[str]], phrase: tuple[frozenset[str], ...]) -> float:
    """Return how well words fit a phrase: the share of the weight of both that meets."""
    met = sum(max(_alike(word, other) for other in phrase) * _weight(word) for word in typed)
    back = sum(max(_alike(word, other) for word in typed) * _weight(other) for other in phrase)
    whole = sum(map(_weight, typed)), sum(map(_weight, phrase))
    return (2 * met / whole[0] + back / whole[1]) / 3


def _alike(word: frozenset[str], other: frozenset[str]) -> float:
    if word & other:
        return 1.0
    return _NEAR if any(is_near(one, two) for one in word for two in other) else 0.0


def _weight(word: frozenset[str]) -> float:
    """Return how much a word tells: one of few situations more than one of many."""
    return min(_weights().get(one, 1.0) for one in word)


@cache
def _weights() -> dict[str, float]:
    every = {name: {one for phrase in _phrases_of(name) for word in phrase for one in word} for name in phrases().said}
    known = set().union(*every.values())
    return {one: log(1 + len(every) / sum(one in words for words in every.values())) for one in known}


@cache
def _phrases_of(name: str) -> tuple[tuple[frozenset[str], ...], ...]:
    return tuple(tuple(map(_meant, _words(phrase))) for phrase in phrases().said[name])


@cache
def _heads() -> dict[str, frozenset[str]]:
    """Return what each word means that means the same as others."""
    heads: dict[str, set[str]] = {}
    for head, words in phrases().same.items():
        for word in (head, *words):
            heads.setdefault(word, set()).add(head)
    return {word: frozenset(found) for word, found in heads.items()}


def _meant(word: str) -> frozenset[str]:
    """Return what a word means; what is known under no head may be a mistyped one."""
    heads = _heads()
    if word in heads:
        return heads[word]
    near = [found for known, found in heads.items() if is_near(word, known)]
    return frozenset({word}).union(*near[:2])


def _words(text: str) -> list[str]:
    every = re.findall(r"[a-z0-9]+", text.casefold().replace("'s", ""))
    return [word for word in every if word not in phrases().silent]


def is_near(one: str, two: str) -> bool:
    """Whether two words differ by a typing mistake: one letter of five or more, two of eight or more."""
    most = 2 if min(len(one), len(two)) >= 8 else 1
    return min(len(one), len(two)) >= 4 and abs(len(one) - len(two)) <= most and _distance(one, two) <= most


def _distance(one: str, two: str) -> int:
    """Return how many letters are to be changed, put in, left out or swapped with the next."""
    above, row = list[int](), list(range(len(two) + 1))
    for i, letter in enumerate(one, 1):
        above, before, row = row, above, [i]
        for j, other in enumerate(two, 1):
            best = min(row[j - 1] + 1, above[j] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == two[j - 2] and one[i - 2] == other:
                best = min(best, before[j - 2] + 1)
            row.append(best)
    return row[-1]
