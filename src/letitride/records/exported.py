"""Exported: rounds that were played as round records, each replayed before it is given out; never one that differs.

Nor does a record tell the order of a deck that was mixed in its rounds for a later one.

A round is told in one of three forms, the first that replays to the same results:

- `short`: seats and stacks, the deck as it was dealt, and what the players did;
- `steps`: as short, and every step of the dealer and the floor from the first bet on, for rounds with irregularities;
- `whole`: everything at the table from its opening to the end of the round, every step by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final, Literal, TypeVar

import msgspec

from letitride.engine import agenda, commands, events
from letitride.engine.decide import Events, open_table, play
from letitride.engine.state import Table
from letitride.engine.steps import KINDS
from letitride.errors import InvalidData, LetItRideError
from letitride.ledger import accounts
from letitride.ledger.transfers import changes
from letitride.records.dealt import decks_dealt, first_open, mixing_of
from letitride.records.reader import read_record
from letitride.records.record import Action, Dealt, Record, Round, Setting
from letitride.records.replay import Outcome, replay
from letitride.records.retold import command_of
from letitride.records.rounds import Moment, PlayedRound
from letitride.records.writer import write_command, write_record, write_rulebook
from letitride.rules import catalog
from letitride.rules.cards import FACES
from letitride.rules.limits import buy_in_min
from letitride.rules.refs import split_variants
from letitride.rules.rulebook import RuleBook, Source
from letitride.rules.table_rules import TableRules
from letitride.rules.words import show_value

T = TypeVar("T", bound="commands.AnyCommand | None")
Form = Literal["short", "steps", "whole"]
_TROUBLE: Final = events.MishapHappened | events.Ruled | events.BetsCorrected | events.HandFolded


class NoShortRecord(InvalidData):
    """A round that depends on more of what was before it than a record of it alone can say."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A round as a record, and the form it is told in."""

    text: str
    form: Form


def record_of(one: PlayedRound, before: Callable[[], Iterable[Moment]] | None = None, rulebook: str = "") -> Exported:
    """Return the record of a round that is over; `before` gives the table's moments from its opening, if needed.

    `rulebook` is the path of the book's file, where it is not found by its id.
    """
    if one.status == "running":
        raise InvalidData(f"expected a round that is over, got round {one.number}, which is not")
    moments = [moment for moment in one.moments if moment.before is not None]
    told = list(zip(moments, _all_told(moments), strict=True))
    tries: tuple[tuple[Form, bool], ...] = (("short", False), ("steps", False), ("steps", True))
    for form, swapped in tries:
        text = _alone(one, told, form, swapped=swapped, rulebook=rulebook)
        if text is not None:
            return Exported(text, form)
    if before is None:
        raise NoShortRecord(
            f"expected a round that can be told by itself, got round {one.number}: the record of the whole table has it"
        )
    opening = next(iter(before())).after.rules
    text = "\n".join(whole(before(), one.number, rulebook)) + "\n"
    if not same_results(one, replay(read_record(text), rules=opening).outcomes[-1]):
        raise NoShortRecord(f"expected a round that plays as it was written down, got round {one.number}")
    return Exported(text, "whole")


_BEGINS: Final = {"banking", "betting"}
"""The phases in which a round begins: its bank is offered, or its bets can be placed."""


def whole(moments: Iterable[Moment], last: int = 0, rulebook: str = "") -> Iterator[str]:
    """Yield the lines of a record of a whole table from its opening on, to the end of a round or of the last one."""
    waiting: list[commands.AnyCommand | None] = []  # None is the beginning of a round
    over = 0
    begun = False
    for moment in moments:
        if moment.before is None:
            yield from _head(moment.after.rules.book, rulebook)
            yield "dealer by hand"
            continue
        if not begun and moment.after.phase in _BEGINS:
            waiting.append(None)
            begun = True
        command, mixing = _told(moment, waiting)
        if mixing is not None:
            waiting[mixing[0]] = mixing[1]
        waiting.append(command)
        if (end := moment.end) is not None:
            spent = min(_spent(waiting), first_open(waiting))
            yield from map(_line, waiting[:spent])
            waiting, begun = waiting[spent:], False
            over = len(waiting)
            if end.round == last:
                break
    yield from map(_line, _hidden(waiting[:over]))  # what comes after the last end belongs to no round


def _line(command: commands.AnyCommand | None) -> str:
    return "\nround" if command is None else write_command(command)


_FILLS: Final = frozenset({"swap_decks", "free_deck", "load_shoe", "hold_deck", "mix_rest"})
"""The steps that bring a mixed deck to where it is dealt from, or mix it there."""


def _spent(told: Sequence[commands.AnyCommand | None]) -> int:
    """Return up to where decks that were mixed have come to be dealt."""
    fills = (place for place, one in enumerate(told, 1) if isinstance(one, commands.Do) and one.kind in _FILLS)
    return max(fills, default=0)


def _hidden(told: Sequence[T]) -> list[T]:
    """Return commands without the order of a deck that is still to be dealt: a later round may be on with it now."""
    spent = _spent(told)
    return [
        msgspec.structs.replace(one, order=_sorted(one), unbound=False)
        if isinstance(one, commands.Do) and (one.unbound or place >= spent)
        else one
        for place, one in enumerate(told)
    ]


def _sorted(mixing: commands.Do) -> tuple[str, ...]:
    order = FACES if mixing.unbound else mixing.order
    return tuple(sorted(card.replace("^", "") for card in order))


def same_results(one: PlayedRound, outcome: Outcome) -> bool:
    """Whether a replay gives what was written down: results, bank, status and rulings."""
    came = [(each.name, each.clauses) for each in outcome.rulings]
    return (
        outcome.status == one.status
        and dict(outcome.results) == dict(one.results)
        and outcome.bank == one.bank
        and came == [(each.name, each.clauses) for each in one.rulings]
    )


def same_purses(one: PlayedRound, outcome: Outcome) -> bool:
    """Whether a replay of a round by itself left every seat the chips and tokens that it had at the end of it."""
    start = one.moments[0].start
    moved = changes(transfer for moment in one.moments for event in _to_end(moment) for transfer in event.chips)
    came = changes(outcome.transfers)
    for purse in (name for name in {*start.accounts, *moved, *came} if accounts.parse(name).kind in _PURSES):
        had = start.cents(purse)
        more = came.get(purse, 0) - moved.get(purse, 0) - had
        if more not in {0, 0 if had else buy_in_min(start.rules.rules)}:
            return False
    return True


_PURSES: Final = {accounts.Kind.STACK, accounts.Kind.TOKENS, accounts.Kind.COUPONS}


def _to_end(moment: Moment) -> Events:
    """Return what happened in a moment up to the end of the round, where it is one."""
    return moment.events if moment.end is None else moment.events[: moment.events.index(moment.end) + 1]


def _all_told(moments: Iterable[Moment]) -> list[commands.AnyCommand]:
    told: list[commands.AnyCommand] = []
    for moment in moments:
        command, mixing = _told(moment, told)
        if mixing is not None:
            told[mixing[0]] = mixing[1]
        told.append(command)
    return told


def _told(
    moment: Moment, before: Sequence[commands.AnyCommand | None]
) -> tuple[commands.AnyCommand, tuple[int, commands.Do] | None]:
    """Return the command of a moment; and where it bound a deck, which command before it mixed that in this order."""
    assert moment.before is not None  # noqa: S101 - the opening is no command
    command = command_of(moment.before, moment.by, moment.events)
    bound = next((event for event in moment.events if isinstance(event, events.FacesBound)), None)
    if bound is None or not isinstance(command, commands.Do):
        return command, None
    return msgspec.structs.replace(command, order=()), mixing_of(before, bound)


def _head(book: RuleBook, rulebook: str) -> Iterator[str]:
    yield write_rulebook(*_book(book, rulebook))
    yield from (f"set {setting.key} = {setting.value}" for setting in settings_of(book))


def _book(book: RuleBook, rulebook: str) -> tuple[str, str]:
    """Return how a record names its book, and the digest of a house's own one: a replay must be by that very book."""
    known = split_variants(book.id)[0] in catalog.rulebook_ids()
    return (rulebook, "") if rulebook else (book.id, "" if known else book.digest)


def settings_of(book: RuleBook) -> tuple[Setting, ...]:
    """Return a table's own values as the lines of a record."""
    values = book.values()
    own = [name for name, origin in book.origins.items() if origin.source is Source.TABLE and name in values]
    return tuple(Setting(name, show_value(values[name])) for name in own)


Told = list[tuple[Moment, commands.AnyCommand]]


def _alone(one: PlayedRound, told: Told, form: Form, *, swapped: bool, rulebook: str) -> str | None:
    """Return the record of a round by itself, if it replays to the same results.

    `swapped`: of two decks, that which a fresh table deals second was the first one here.
    """
    wrong = any(isinstance(event, _TROUBLE) for moment in one.moments for event in moment.events)
    if form == "short" and wrong:
        return None
    start = one.moments[0].start
    try:
        acts = [(moment, _swap(act)) for moment, act in told] if swapped else told
        record = _record(one.number, start, acts, form, rulebook)
        text = write_record(record)
        outcome = replay(read_record(text), rules=start.rules).outcomes[0]  # a house's own book may be nowhere else
    except LetItRideError:
        return None
    return text if same_results(one, outcome) and same_purses(one, outcome) else None


def _swap(command: commands.AnyCommand) -> commands.AnyCommand:
    """Return a command about the other of two decks; one that names none stays as it is."""
    match command:
        case commands.Do() if "deck {number}" not in KINDS[command.kind].text:
            return command
        case commands.Order() | commands.Do() if command.number:
            return msgspec.structs.replace(command, number=3 - command.number)
        case _:
            return command


def _record(number: int, start: Table, told: Told, form: Form, rulebook: str) -> Record:
    opening = tuple(_arrivals(start))
    dealt, _ = decks_dealt((moment.start, moment.events) for moment, _ in told)  # the steps bring a second one
    thrown = next((c.throw for _, c in told if isinstance(c, commands.Do) and c.throw), 0)
    acts: list[commands.AnyCommand] = []
    for moment, command in told:
        if isinstance(command, commands.Do):
            acts += [command] if form == "steps" and moment.start.round == number else []
        elif not isinstance(command, commands.LookOver | commands.DeclineBank):
            acts.append(command)
    ref, digest = _book(start.rules.book, rulebook)
    return Record(
        rulebook=ref,
        digest=digest,
        settings=settings_of(start.rules.book),
        opening=tuple(map(Action, opening)),
        rounds=(
            Round(
                replace(dealt or Dealt(), dice=thrown),
                tuple(map(Action, _with_offers(start.rules, opening, _hidden(acts)))),
            ),
        ),
    )


def _arrivals(table: Table) -> Iterator[commands.AnyCommand]:
    """Yield how every player seated at the beginning sits down at a fresh table, with the same chips."""
    for number, seat in table.seats.items():
        if not seat.player:
            continue
        by, player = f"seat:{number}", " ".join(seat.player.replace("#", "no.").split())
        stack, tokens = table.cents(accounts.stack(number)), table.cents(accounts.tokens(number))
        yield commands.Sit(by=by, seat=number, player=player, cents=max(stack, buy_in_min(table.rules.rules)))
        if tokens:
            yield commands.ExchangeVoucher(by=by, seat=number, cents=tokens)  # for tokens
        if coupons := table.cents(accounts.coupons(number)):
            yield commands.ExchangeVoucher(by=by, seat=number, cents=coupons, into="match_play")
        if seat.sitting_out:
            yield commands.SitOut(by=by, seat=number)


def _with_offers(
    rules: TableRules, opening: Sequence[commands.AnyCommand], acts: list[commands.AnyCommand]
) -> list[commands.AnyCommand]:
    """Return acts in which seats of a fresh table decline the bank until it comes to the one that took it."""
    taken = next((one for one in acts if isinstance(one, commands.TakeBank)), None)
    if taken is None:
        return acts
    place = acts.index(taken)
    table, _ = open_table(rules)
    for command in (*opening, *acts[:place]):
        table, _ = play(table, command)
    earlier = takewhile(taken.seat.__ne__, agenda.bank_candidates(table))
    acts[place:place] = [commands.DeclineBank(by=f"seat:{seat}", seat=seat) for seat in earlier]
    return acts
