"""Names: what an account may be called, and which names look alike; it knows no account.

What misleads is decided by Unicode's security mechanisms (UTS #39) as ICU implements them: invisible and unusual
letters, letters of several scripts, digits of several systems. Two names look alike if they share a skeleton.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

import icu

from letitride.engine.refusal import NAME_MAX
from letitride.errors import InvalidData
from letitride.rules.roles import SPECTATOR, STAFF, STAFF_ACCOUNTS, TABLE, spoken

PEOPLE: Final = ("admin", "manager", "moderator", "pit boss", "pitboss", "security", "staff", "supervisor", "support")
"""Whom a player would believe, though no role is called so."""
RESERVED: Final = frozenset(
    {"house", TABLE, "out", "automatic", "cage", "cashier", SPECTATOR}
    | {*STAFF, *map(spoken, STAFF), *STAFF_ACCOUNTS, *PEOPLE}
)
RESERVED_STARTS: Final = ("bot ", "bot-", "guest-", "guest ")
_NAME: Final = re.compile(r"\w[\w.'-]*( \w[\w.'-]*)*")
"""As the table wants the names of its players."""
_BETWEEN: Final = re.compile(r"[ .'_-]")


def key_of(name: str) -> str:
    """Return what is the same for all names that look the same but for their letters' size or width."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def skeletons_of(name: str) -> frozenset[str]:
    """Return the skeletons of a name, as it is written and in small letters; names that share one look alike."""
    written = unicodedata.normalize("NFKC", name)
    return frozenset(key_of(_checker().getSkeleton(0, text)) for text in (written, key_of(name)))


def check_name(name: str, *, staff: bool = False) -> None:
    """Refuse a name that no account can have; those of the house are for its own people."""
    if not 1 <= len(name) <= NAME_MAX or not _NAME.fullmatch(name):
        raise InvalidData(
            f"expected a name of 1 to {NAME_MAX} characters, like Ann or Mary-Lou O'Neil, got {name!r}",
            code="name_unreadable",
            most=NAME_MAX,
        )
    if _checker().check(_BETWEEN.sub("", name)):
        raise InvalidData(
            f"expected a name in the everyday letters and digits of one script, got {name!r}", code="name_letters"
        )
    key, looks = key_of(name), skeletons_of(name)
    starts = any(look.startswith(start) for look in {key, *looks} for start in _reserved_starts())
    if (not staff and (key in RESERVED or looks & _reserved_looks())) or starts or key == "out":
        raise InvalidData(
            f"expected a name that is not one of the house's own, nor looks like one, got {name!r}",
            code="name_reserved",
        )


@cache
def _checker() -> icu.SpoofChecker:
    """Return ICU's checks of single names; it takes a moment to make."""
    checker, checks = icu.SpoofChecker(), icu.USpoofChecks
    checker.setAllowedUnicodeSet(checker.getRecommendedUnicodeSet())
    checker.setChecks(checks.RESTRICTION_LEVEL | checks.INVISIBLE | checks.MIXED_NUMBERS | checks.CHAR_LIMIT)
    return checker


@cache
def _reserved_looks() -> frozenset[str]:
    return frozenset(look for name in RESERVED for look in skeletons_of(name))


@cache
def _reserved_starts() -> tuple[str, ...]:
    return (*RESERVED_STARTS, *(look for start in RESERVED_STARTS for look in skeletons_of(start)))
