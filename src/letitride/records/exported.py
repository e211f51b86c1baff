"""Exported: rounds that were played as round records, each replayed before it is given out; never one that differs.

Nor does a record tell the order of a deck that was mixed in its rounds for a later one.

A round is told in one of three forms, the first that replays to the same results:

- `short`: seats and stacks, the deck as it was dealt, and what the players did;
- `steps`: as short, and every step of the dealer and the floor from the first bet on, for rounds with trouble;
- `whole`: everything at the table from its opening to the end of the round, every step by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import msgspec

from letitride.autoplay.steps import Fixed, command_for
from letitride.engine import commands, events, places
from letitride.engine.decide import open_table, play
from letitride.engine.legal import legal
from letitride.engine.state import Table
from letitride.engine.steps import KINDS
from letitride.errors import InvalidData, LetItRideError
from letitride.ledger import accounts
from letitride.records.reader import read_record
from letitride.records.record import Action, Dealt, Record, Round, Setting
from letitride.records.replay import Outcome, replay
from letitride.records.retold import command_of, written
from letitride.records.rounds import Moment, PlayedRound
from letitride.records.writer import write_command, write_record, write_rulebook
from letitride.rules import catalog
from letitride.rules.refs import split_variants
from letitride.rules.rulebook import RuleBook, Source
from letitride.rules.table_rules import TableRules
from letitride.rules.words import show_value

Form = Literal["short", "steps", "whole"]
_DEALS: Final = ("deal_packet", "deal_card", "deal_community", "deal_dealer_packet")
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
    told = [(moment, _told(moment)) for moment in one.moments if moment.before is not None]
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
        if not begun and (_begins(moment) or moment.end is not None):
            waiting.append(None)
            begun = True
        waiting.append(_told(moment))
        if (end := moment.end) is not None:
            spent = _spent(waiting)
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


def _hidden(told: Sequence[commands.AnyCommand | None]) -> list[commands.AnyCommand | None]:
    """Return commands without the order of a deck that is still to be dealt: a later round may be on with it now."""
    spent = _spent(told)
    return [
        msgspec.structs.replace(one, order=tuple(sorted(card.replace("^", "") for card in one.order)))
        if place >= spent and isinstance(one, commands.Do) and one.order
        else one
        for place, one in enumerate(told)
    ]


def _begins(moment: Moment) -> bool:
    return any(isinstance(one, events.PhaseBegan) and one.phase in {"betting", "banking"} for one in moment.events)


def same_results(one: PlayedRound, outcome: Outcome) -> bool:
    """Whether a replay came to what was written down: results, bank, status and rulings."""
    came = [(each.name, each.clauses) for each in outcome.rulings]
    return (
        outcome.status == one.status
        and dict(outcome.results) == dict(one.results)
        and outcome.bank == one.bank
        and came == [(each.name, each.clauses) for each in one.rulings]
    )


def _told(moment: Moment) -> commands.AnyCommand:
    assert moment.before is not None  # noqa: S101 - the opening is no command
    return command_of(moment.before, moment.by, moment.events)


def _head(book: RuleBook, rulebook: str) -> Iterator[str]:
    yield write_rulebook(rulebook or book.id, "" if rulebook else _digest(book))
    yield from (f"set {setting.key} = {setting.value}" for setting in _settings(book))


def _digest(book: RuleBook) -> str:
    """Return the digest of a house's own book: whoever plays the record again must have that very book."""
    return "" if split_variants(book.id)[0] in catalog.rulebook_ids() else book.digest


def _settings(book: RuleBook) -> tuple[Setting, ...]:
    values = book.values()
    own = [name for name, origin in book.origins.items() if origin.source is Source.TABLE and name in values]
    return tuple(Setting(name, show_value(values[name])) for name in own)


Told = list[tuple[Moment, commands.AnyCommand]]


def _alone(one: PlayedRound, told: Told, form: Form, *, swapped: bool, rulebook: str) -> str | None:
    """Return the record of a round by itself, if it replays to the same results.

    `swapped`: of two decks, that which a fresh table deals second was the first one here.
    """
    if swapped and one.last.rules.rules.decks == 1:
        return None
    wrong = any(isinstance(event, _TROUBLE) for moment in one.moments for event in moment.events)
    if form == "short" and wrong:
        return None
    try:
        record = _record(one, [(moment, _swap(act)) for moment, act in told] if swapped else told, form, rulebook)
        text = write_record(record)
        rules = (one.moments[0].before or one.moments[0].after).rules  # a house's own book may be nowhere else
        outcome = replay(read_record(text), rules=rules).outcomes[0]
    except LetItRideError:
        return None
    return text if same_results(one, outcome) else None


def _swap(command: commands.AnyCommand) -> commands.AnyCommand:
    """Return a command about the other of two decks."""
    if not isinstance(command, commands.Do | commands.Order) or command.number not in {1, 2}:
        return command
    about_deck = isinstance(command, commands.Order) or "deck {number}" in KINDS[command.kind].text
    return msgspec.structs.replace(command, number=3 - command.number) if about_deck else command


def _record(one: PlayedRound, told: Told, form: Form, rulebook: str) -> Record:
    start = one.moments[0].before or one.moments[0].after
    opening = _arrivals(start)
    dealt = [_deck(table) for table in _deals(one)]
    if not dealt:
        dealt = [Dealt()]
    thrown = next((c.throw for _, c in told if isinstance(c, commands.Do) and c.throw), 0)
    betting = next((place for place, (moment, _) in enumerate(told) if _opens_bets(moment, one.number)), -1)
    acts: list[commands.AnyCommand] = []
    for place, (_, command) in enumerate(told):
        if isinstance(command, commands.Do):
            acts += [command] if form == "steps" and place > betting else []
        elif not isinstance(command, commands.LookOver | commands.DeclineBank):
            acts.append(command)
    record = Record(
        rulebook=rulebook or start.rules.book.id,
        digest="" if rulebook else _digest(start.rules.book),
        settings=_settings(start.rules.book),
        opening=tuple(Action(command, 0) for command in opening),
        rounds=(
            Round(
                replace(dealt[0], dice=thrown),
                tuple(Action(command, 0) for command in _hidden(acts) if command is not None),
                redealt=dealt[1] if len(dealt) > 1 else None,
            ),
        ),
    )
    return _with_offers(record, start.rules)


def _opens_bets(moment: Moment, number: int) -> bool:
    begun = (one for one in moment.events if isinstance(one, events.PhaseBegan))
    return any(one.phase == "betting" and one.round == number for one in begun)


def _arrivals(table: Table) -> Iterator[commands.AnyCommand]:
    """Yield how everybody who sat there at the beginning comes to sit at a fresh table, with the same chips."""
    for number, seat in table.seats.items():
        if not seat.player:
            continue
        by, player = f"seat:{number}", " ".join(seat.player.replace("#", "no.").split())
        stack, tokens = table.cents(accounts.stack(number)), table.cents(accounts.tokens(number))
        yield commands.Sit(by=by, seat=number, player=player, cents=max(stack, 1))
        if tokens:
            yield commands.ExchangeVoucher(by=by, seat=number, cents=tokens, into="tokens")
        if seat.sitting_out:
            yield commands.SitOut(by=by, seat=number)


def _deals(one: PlayedRound) -> Iterator[Table]:
    """Yield the table just before the first card of each deal leaves the deck."""
    waiting = True
    for moment in one.moments:
        for event in moment.events:
            if isinstance(event, events.Ruled) and event.ruling.name == "unloaded:redealt":
                waiting = True
            out = isinstance(event, events.StepDone) and event.step.kind in _DEALS
            wrong = isinstance(event, events.MishapHappened) and bool(event.moves)
            if waiting and (out or wrong) and moment.before is not None:
                waiting = False
                yield moment.before


def _deck(table: Table) -> Dealt:
    ready = table.at(places.READY)
    order = tuple(written(str(card.face), up=card.up, foreign=card.foreign) for card in ready)
    known = {card.face for card in ready if not card.foreign}
    deck = ready[0].deck if ready else 1
    owned = {card.face for held in table.cards.values() for card in held if card.deck == deck and not card.foreign}
    return Dealt(order=order, missing=tuple(sorted(str(face) for face in owned - known)))


def _with_offers(record: Record, rules: TableRules) -> Record:
    """Return a record in which the bank is let go by at a fresh table until it comes to the seat that took it."""
    takes = [place for place, one in enumerate(record.rounds[0].actions) if isinstance(one.command, commands.TakeBank)]
    if not takes:
        return record
    played, actions = record.rounds[0], list(record.rounds[0].actions)
    table = _until_offered(record, rules, actions[: takes[0]])
    seat = actions[takes[0]].command.seat  # type: ignore[union-attr]  # takes holds the places of TakeBank
    skipped: list[Action] = []
    while (step := table.next_step) is not None and table.phase == "banking" and step.seat != seat:
        if step.kind == "await_bank":
            decline = commands.DeclineBank(by=f"seat:{step.seat}", seat=step.seat)
            skipped.append(Action(decline, 0))
            table, _ = play(table, decline)
        else:
            table = _stepped(table, record)
    actions[takes[0] : takes[0]] = skipped
    return replace(record, rounds=(replace(played, actions=tuple(actions)),))


def _until_offered(record: Record, rules: TableRules, before: list[Action]) -> Table:
    """Return a fresh table with a record's players, when the bank is first offered."""
    table, _ = open_table(rules)
    pending = [action.command for action in (*record.opening, *before)]
    for _ in range(_PATIENCE):
        if pending and legal(table, pending[0]) is None:
            table, _ = play(table, pending.pop(0))
        elif not pending and table.phase == "banking" and table.next_step is not None:
            return table
        else:
            table = _stepped(table, record)
    raise InvalidData("expected a bank that is offered, got none")


_PATIENCE: Final = 2_000


def _stepped(table: Table, record: Record) -> Table:
    """Return a table after the next step of the script, done by whoever does it."""
    step = table.next_step
    if step is None:
        raise InvalidData("expected a step of the script, got none")
    if step.kind == "await_inspection":
        return play(table, commands.LookOver(by=f"seat:{step.seat}", seat=step.seat))[0]
    order = tuple(str(card.face) for held in table.cards.values() for card in held if card.deck == (step.number or 1))
    command = command_for(table, step, Fixed(order, record.rounds[0].dealt.dice))
    if legal(table, command) is not None:
        raise InvalidData(f"expected a step that can be done, got {step.kind}")
    return play(table, command)[0]
