"""Read keys: a rule book's values that note which of them are read, and what is known of rounds by those that were.

What is found by dealing depends on nothing but the values that are read meanwhile. So two books come to the same in a
scenario where the second has every value that was read under the first, and it need not be dealt again. Of a list that
is only asked whether something is in it, the answer is noted, not the list.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from letitride.errors import InvariantBroken
from letitride.rules.keys import Rules
from letitride.rules.keyspec import Keys
from letitride.rules.table_rules import TableRules

Found = TypeVar("Found")
Question = str | tuple[str, Any]
"""A key whose value is read, or a key and what is looked for in its list."""
Reads = list[tuple[Question, Any]]
"""What was read and what it was, first read first."""


class Reader:
    """Rules, or a part of them, that note a key when it is read first; from then on it is an attribute like any."""

    def __init__(self, rules: Any, prefix: str, keys: Keys, reads: Reads) -> None:
        self._rules, self._prefix, self._keys, self._reads = rules, prefix, keys, reads

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._rules, name)
        if not self._prefix and name == "wagers":
            value = _Terms({one: Reader(terms, f"{one}.", self._keys, self._reads) for one, terms in value.items()})
        elif not self._prefix and hasattr(value, "__struct_fields__"):
            value = Reader(value, f"{name}.", self._keys, self._reads)
        elif (key := self._prefix + name) in self._keys:  # a term that a wager does not have is no key
            if type(value) is tuple:
                value = _Listed(key, value, self._reads)
            else:
                self._reads.append((key, value))
        self.__dict__[name] = value
        return value


class _Listed(Sequence[Any]):
    """A list of a rule book that notes what is looked for in it, or the whole where it is read otherwise."""

    def __init__(self, key: str, values: tuple[Any, ...], reads: Reads) -> None:
        self._key, self._values, self._reads = key, values, reads
        self._answers: dict[Any, bool] = {}
        self._whole = False

    def _read(self) -> tuple[Any, ...]:
        if not self._whole:
            self._whole = True
            self._reads.append((self._key, self._values))
        return self._values

    def __contains__(self, item: object) -> bool:
        if self._whole:
            return item in self._values
        if item not in self._answers:
            self._answers[item] = item in self._values
            self._reads.append(((self._key, item), self._answers[item]))
        return self._answers[item]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._read())

    def __getitem__(self, place: Any) -> Any:
        return self._read()[place]

    def __len__(self) -> int:
        return len(self._read())

    def __eq__(self, other: object) -> bool:
        return self._read() == (other._read() if isinstance(other, _Listed) else other)

    def __hash__(self) -> int:
        return hash(self._read())

    def __repr__(self) -> str:
        return repr(self._read())


class _Terms(Mapping[str, Reader]):
    """What a book says of each wager, read by read."""

    def __init__(self, terms: dict[str, Reader]) -> None:
        self._terms = terms

    def __getitem__(self, wager: str) -> Reader:
        return self._terms[wager]

    def __iter__(self) -> Iterator[str]:
        return iter(self._terms)

    def __len__(self) -> int:
        return len(self._terms)


def with_reader(rules: TableRules, values: Rules) -> tuple[TableRules, Reads]:
    """Return a table's rules with values that are noted as they are read, and the list they are noted in."""
    reads: Reads = []
    reader: Any = Reader(values, "", rules.book.keys, reads)
    return dataclasses.replace(rules, book=dataclasses.replace(rules.book, rules=reader)), reads


@dataclass(slots=True)
class _Branch:
    """What was read, and what came after each of its values."""

    question: Question
    following: dict[Any, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Known(Generic[Found]):
    """What was found under the values that were read."""

    root: Any = None

    def find(self, read: Callable[[str], Any]) -> Found | None:
        """Return what was found under values that read alike, or None where nothing was yet."""
        at = self.root
        while type(at) is _Branch:
            at = at.following.get(_answer(at.question, read))
        return at  # type: ignore[no-any-return]  # a leaf is what was found

    def add(self, reads: Reads, found: Found) -> None:
        """Keep what was found under the values that were read."""
        if self.root is None:
            self.root = _Branch(reads[0][0])
        at = self.root
        for place, (question, value) in enumerate(reads):
            if type(at) is not _Branch or at.question != question:
                raise InvariantBroken(f"the same values were read in another order: {question} after {reads[:place]}")
            last = place == len(reads) - 1
            if value not in at.following:
                at.following[value] = found if last else _Branch(reads[place + 1][0])
            at = at.following[value]
        if at != found:
            raise InvariantBroken(f"the same values gave {at} and {found}")


def keys_read(reads: Reads) -> tuple[str, ...]:
    """Return the keys that were read, first read first."""
    return tuple(dict.fromkeys(question if isinstance(question, str) else question[0] for question, _ in reads))


def _answer(question: Question, read: Callable[[str], Any]) -> Any:
    if isinstance(question, str):
        return read(question)
    key, item = question
    return item in read(key)
