"""Why: each step of a recorded round explained: what was ruled, by which clause, what else could have been."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from letitride.engine import disputes, events
from letitride.engine.refusal import Refusal
from letitride.engine.script import clauses_in, clauses_of
from letitride.engine.state import Ruling
from letitride.records.narrate import narrate
from letitride.records.played import Played
from letitride.records.replay import Replayed
from letitride.rules import catalog
from letitride.rules.chapters import ClauseText, clause_texts
from letitride.rules.explain import facts, in_words
from letitride.rules.keyspec import KEYS
from letitride.rules.rulebook import RuleBook
from letitride.rules.rulings import Situation, rule
from letitride.rules.table_rules import TableRules
from letitride.rules.words import quantity


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another legal value of the key that decided: what it means, and which published books have it."""

    value: str
    meaning: str
    books: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeyReason:
    """The key of the rule book that decided, its value here, and what else it could have been."""

    key: str
    value: str
    words: str
    origin: str
    note: str | None
    alternatives: tuple[Alternative, ...]
    under: str | None = None
    """The value in the other book that was asked about, in words."""


@dataclass(frozen=True, slots=True)
class Because:
    """One thing that was ruled, ordered or done, and why."""

    what: str | None
    clauses: tuple[ClauseText, ...]
    """The clauses, with what they demand."""
    house_default: bool
    circumstances: str | None
    keys: tuple[KeyReason, ...]
    under: str | None = None
    """What the other book that was asked about says."""


@dataclass(frozen=True, slots=True)
class Explained:
    """One step of a replay, as it is told, and the reasons for it."""

    number: int = field(metadata={"alias": "step"})
    line: int | None
    """The line of the record, where it has one."""
    told: tuple[str, ...]
    is_ruling: bool = field(metadata={"alias": "ruling"})
    reasons: tuple[Because, ...] = field(metadata={"alias": "because"})


def why(replayed: Replayed, under: TableRules | None = None) -> tuple[Explained, ...]:
    """Explain every step of a replay; `under` asks what another book would have done."""
    pairs = zip_longest(replayed.steps, replayed.steps[1:])
    return tuple(_explain(number, played, then, under) for number, (played, then) in enumerate(pairs))


def _explain(number: int, played: Played, then: Played | None, under: TableRules | None) -> Explained:
    outcome = played.outcome if not isinstance(played.outcome, Refusal) else ()
    reasons = tuple(_reasons(played, outcome, under))
    ruled = any(isinstance(event, events.Ruled | events.DisputeDecided) for event in outcome)
    return Explained(number, played.line or None, tuple(narrate(played, then=then)), ruled, reasons)


def _reasons(played: Played, outcome: Sequence[events.AnyEvent], under: TableRules | None) -> Iterator[Because]:
    table = played.after
    for event in outcome:
        match event:
            case events.Ruled():
                yield _ruling(event.ruling, table.rules.book, under)
            case events.DisputeDecided():
                direct = bool(disputes.passed_over(played.before, event))
                there = disputes.cite(under, final=event.final, direct=direct) if under else ()
                yield _plain(event.why, event.clauses, table.rules.book, under, keys=("dispute",), there=there)
            case events.StepDone():
                clauses = clauses_of(played.before, event.step)
                keys = tuple(dict.fromkeys(key for name in clauses for key in catalog.clause(name).keys))
                there = clauses_in(under, event.step) if under else ()
                yield _plain("", clauses, table.rules.book, under, keys=keys, there=there)


def _plain(
    what: str,
    clauses: tuple[str, ...],
    book: RuleBook,
    under: TableRules | None,
    *,
    keys: tuple[str, ...],
    there: tuple[str, ...] = (),
) -> Because:
    said = ""
    if under is not None:
        said = f"the same, by {', '.join(there[:4])}" if there else "it does not mention this step"
    reasons = tuple(_key(name, book, under) for name in keys)
    return Because(what or None, clause_texts(clauses), not clauses, None, reasons, said or None)


def _ruling(ruling: Ruling, book: RuleBook, under: TableRules | None) -> Because:
    keys = (_key(ruling.key, book, under),) if ruling.key else ()
    said = ""
    if under is not None and ruling.case is not None:
        verdict = rule(under.rules, ruling.case)
        clauses = under.ruling_clauses.get(verdict.name, ())
        said = f"{verdict.sentence} ({', '.join(clauses) or 'house default'})"
    elif under is not None:
        clauses = under.ruling_clauses.get(ruling.name, ())
        words = in_words(KEYS[ruling.key], KEYS[ruling.key].read(under.rules))
        said = (
            f"provided for by {', '.join(clauses)}" if clauses else f"no clause provides for it; {ruling.key}: {words}"
        )
    circumstances = _circumstances(ruling.case) if ruling.case else ruling.why
    return Because(
        ruling.sentence, clause_texts(ruling.clauses), ruling.house, circumstances or None, keys, said or None
    )


def _circumstances(case: Situation) -> str:
    """What the ruling turned on, in words."""
    match case.kind:
        case "absent" | "uneven_bets":
            unequal = ", and the bets were not equal" if case.uneven is True else ""
            return f"the player had {'' if case.own_look else 'not '}handled the cards{unequal}"
        case "exposed_card" | "exposed_burn":
            when = "" if case.in_deal else f", {_handled(case)}"
            return f"{quantity(case.exposed, 'card')} had been exposed in this deal{when}"
        case "drawn_card":
            return f"its face had {'' if case.seen else 'not '}been seen"
        case "wrong_burn":
            return f"a community card had {'' if case.seen else 'not '}been turned since"
        case "device_miscount" | "device_jam" | "device_failure":
            return "cards of the round were out" if case.cards_out else "no card of the round was out"
        case "exposed_community":
            return _handled(case, "exposed")
        case "hand_count" | "stray_hand":
            return _handled(case)
        case _:
            return ""


def _handled(case: Situation, what: str = "noticed") -> str:
    when = "while cards were dealt" if case.in_deal else "after the deal"
    return f"it was {what} {when}, when {case.looked} of {case.hands} players had handled their cards"


def _key(name: str, book: RuleBook, under: TableRules | None) -> KeyReason:
    spec = KEYS[name]
    (fact,) = facts(book, [spec])
    others = tuple(
        Alternative(value, meaning, _books_with(name, value))
        for value, meaning in spec.meanings.items()
        if value != str(fact.value) and not isinstance(fact.value, tuple)
    )
    there = in_words(spec, spec.read(under.rules)) if under is not None else None
    return KeyReason(name, str(fact.value), fact.words, fact.origin, fact.note or None, others, there)


def _books_with(name: str, value: str) -> tuple[str, ...]:
    return tuple(
        book_id for book_id in catalog.rulebook_ids() if str(KEYS[name].read(catalog.rulebook(book_id).rules)) == value
    )
