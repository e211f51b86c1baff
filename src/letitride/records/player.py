"""Player: feeds the engine a record's actions, and between them the steps of the automatic dealer."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from typing import Any

import msgspec

from letitride.autoplay.steps import command_for, completed, fixed_cut
from letitride.engine import commands, events, places
from letitride.engine.decide import open_table
from letitride.engine.faults import belongs
from letitride.engine.legal import legal
from letitride.engine.promises import play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, Step
from letitride.errors import InvalidData
from letitride.records.decks import before_cut, cuts_to_come, named_cards, order_of, without
from letitride.records.diagnosis import brings_wrong, explain
from letitride.records.played import Played, cards_of_round, not_as_named, shifted_by, went_otherwise
from letitride.records.record import Action, Dealt, Record, Round
from letitride.rules import catalog
from letitride.rules.banking import clockwise
from letitride.rules.keys import Rules
from letitride.rules.keyspec import KEYS, Keys, find_keys
from letitride.rules.limits import bet_alone
from letitride.rules.refs import is_path, split_variants
from letitride.rules.table_rules import TableRules
from letitride.rules.values import RuleValue
from letitride.rules.wager_table import BASE, BASE_SPOTS


def read_settings(record: Record, where: str, keys: Keys = KEYS) -> dict[str, RuleValue]:
    """Return a record's own table values; `keys` are those of its rule book."""
    values: dict[str, RuleValue] = {}
    for setting in record.settings:
        here = f"{where}, line {setting.line}"
        try:
            specs = find_keys(setting.key, keys)
        except InvalidData as error:
            raise InvalidData(f"{here}: {error}") from None
        name = specs[0].name
        if len(specs) > 1 or name in values:
            came = f"the section '{setting.key}'" if len(specs) > 1 else f"'{name}' a second time"
            raise InvalidData(f"{here}: expected one key that is not set yet, got {came}")
        try:
            values[name] = tomllib.loads(f"value = {setting.value}")["value"]
        except (ValueError, RecursionError):  # no TOML, or more than can be read
            values[name] = setting.value
        specs[0].check(values[name], here)
    return values


def rules_of(record: Record, where: str, rulebook: str = "") -> TableRules:
    """Return the rules a record was played by; `rulebook` is where its book is, if not where the record says."""
    ref, here = rulebook or record.rulebook, f"{where}, line {record.line}: "
    try:
        book = catalog.rulebook(ref)
        found, same = book.id, is_path(record.rulebook) or book.id == record.rulebook
        rules = catalog.table_rules(ref, read_settings(record, where, book.keys)) if same else None
    except InvalidData as error:
        unknown = not is_path(ref) and split_variants(ref)[0] not in catalog.rulebook_ids()
        hint = "; where a house's own book is, --rulebook FILE says" if unknown else ""
        own = next((one for one in record.settings if f": {one.key}: " in str(error)), None)
        here = f"{where}, line {own.line}: " if own is not None else here
        raise InvalidData(f"{'' if str(error).startswith(where) else here}{error}{hint}") from None
    if rules is None:
        raise InvalidData(f"{here}expected the book '{record.rulebook}' after --rulebook, got '{found}'")
    if record.digest not in {"", rules.book.digest}:
        expected = f"expected '{rules.book.id}' as it was played by, with the SHA-256 {record.digest[:16]}…"
        came = f"one with {rules.book.digest[:16]}…: the book was changed since"
        raise InvalidData(f"{here}{expected}, got {came}")
    return rules


class CannotPlay(InvalidData):
    """A line that the engine refuses, with its refusal."""

    def __init__(self, sentence: str, refusal: Refusal | None) -> None:
        super().__init__(sentence)
        self.refusal = refusal


class Player:
    """A record at the table, played line by line."""

    def __init__(self, record: Record, where: str, rules: TableRules | None = None) -> None:
        self.record, self.where = record, where
        self.rounds = dict(enumerate(record.rounds, 1))
        self.table, opened = open_table(rules or rules_of(record, where))
        self.steps = [Played(0, None, opened, self.table, self.table)]
        self.ended = 0
        self.done: set[int] = set()
        """Which actions were carried out, by identity."""

    def run(self) -> None:
        """Play the record to its end."""
        for action in self.record.opening:
            self._act(action, 1)
        for number, one in self.rounds.items():
            for action in one.actions:
                self._act(action, number)
            if self.record.auto:
                self._finish(one, number)

    def _act(self, action: Action, number: int) -> None:
        """Do an action as soon as it is allowed; the automatic dealer goes on until it is, within its round."""
        if isinstance(action.command, commands.Sit) and not any(seat.player for seat in self.table.seats.values()):
            self._until_idle()
        while not self._is_due(action, refusal := legal(self.table, self._filled_in(action))):
            late = self.table.round > number or brings_wrong(action, refusal)
            done = not late and self.record.auto and self._dealer_step(closing=not _is_bet(action))
            if done is not True:
                why = explain(action, refusal, done, self.steps, number)
                raise CannotPlay(f"{self.where}, line {action.line}: {why}", refusal)
        self._play(self._filled_in(action), action.line)
        self.done.add(id(action))
        if action.ruled:
            self._check_ruled(action)

    def _filled_in(self, action: Action) -> commands.AnyCommand:
        """Return what a line does; a step that is due is filled in where its line leaves its seat or deck out."""
        command, step = action.command, self.table.next_step
        if not isinstance(command, commands.Do) or step is None or command.kind != step.kind:
            return command
        brought = command.order or command.cut or command.throw or commands.readings_of(command)
        if action.refused and not brought:
            return command
        given = {name: getattr(command, name) or getattr(step, name) for name in ("seat", "wager", "number")}
        filled = msgspec.structs.replace(command, **given)
        return filled if brought else completed(filled, self.table, self)

    def _check_ruled(self, action: Action) -> None:
        """See that what a line says was ruled was ruled, and on those clauses."""
        outcome = self.steps[-1].outcome
        rulings = [] if isinstance(outcome, Refusal) else [e.ruling for e in outcome if isinstance(e, events.Ruled)]
        came = [(ruling.name.partition(":")[2], *(ruling.clauses or ("house",))) for ruling in rulings]
        decision, *clauses = action.ruled
        if not any(one[0] == decision and all(_rests_on(one[1:], clause) for clause in clauses) for one in came):
            found = "; ".join(" ".join(one) for one in came) or "no ruling"
            wanted = " ".join(action.ruled)
            raise InvalidData(f"{self.where}, line {action.line}: expected the ruling {wanted}, got {found}")

    def _until_idle(self) -> None:
        """Let the automatic dealer open the table, or put an empty one to rest, before the first player comes."""
        while self.record.auto and self._dealer_step() is True:
            pass

    def _is_due(self, action: Action, refusal: Refusal | None) -> bool:
        return (refusal.code if refusal else "") == action.refused

    def _finish(self, one: Round, number: int) -> None:
        """Let the automatic dealer go on to the end of the round."""
        while self.ended < number:
            stuck = self._dealer_step()
            if stuck is not True:
                waiting = self.table.next_step
                what = "three equal bets"
                if waiting and waiting.kind == "await_choice":
                    what = f"seat {waiting.seat} to choose on bet {waiting.number}"
                if self.table.phase == "banking":
                    what = (
                        f"seat {waiting.seat} to take the bank or decline it"
                        if waiting
                        else "a player to take the bank"
                    )
                if stuck and stuck.code == "something_wrong":
                    what = "a report of what is wrong"
                last = one.actions[-1].line if one.actions else one.line
                why = f": {stuck.code}, {stuck.sentence}" if stuck else ""
                raise InvalidData(f"{self.where}, line {last}: expected {what} before the round ends, got none{why}")
        self._check_dealt(one)

    def _check_dealt(self, one: Round) -> None:
        """See that the cards a record names came out where it says."""
        shifts = shifted_by(self.steps, self.ended)
        if not shifts and went_otherwise(self.steps, self.ended):
            return  # who is dealt in, or from which cut, is not what the record's lines are made for
        deals = cards_of_round(self.steps, self.ended)
        for dealt, came in zip((one.dealt, one.redealt or Dealt()), deals, strict=False):
            for expected, found, line in not_as_named(dealt, came, broken_off=bool(shifts)):
                why = f", since {shifts} shifts the deal: name the cards with a 'deck' line" if shifts else ""
                raise InvalidData(f"{self.where}, line {line or one.line}: expected {expected}, got {found}{why}")

    def _dealer_step(self, *, closing: bool = True) -> bool | Refusal:
        """Do the next step of the script and return whether it was done, or why it is refused.

        `closing` says whether betting may be closed by it.
        Not autoplay's dealer: that one reports what is wrong at the table, and here only the record's lines do.
        """
        step = self.table.next_step
        if step is None:
            return False
        if step.kind == "await_inspection":
            self._play(commands.LookOver(by=f"seat:{step.seat}", seat=step.seat), 0)
            return True
        if KINDS[step.kind].actor == "player" or (self.table.phase == "betting" and not closing):
            return False
        command = command_for(self.table, step, self)
        if refusal := legal(self.table, command):
            return refusal
        self._play(command, 0)
        return True

    def order(self, table: Table, step: Step, /) -> tuple[str, ...]:
        """Return the deck of the deal for which this shuffle is: as a rule that of the round after those begun."""
        rules, on = table.rules.rules, self._round(table.round)
        one = on if _is_for_this_round(table, step) else self._round(table.round + 1)
        dealt = one.dealt
        if on.redealt is not None and _is_for_redeal(table, step):
            one, dealt = on, on.redealt
        lost = _lost(table, step)
        if named := [card for card in named_cards(dealt) if card in lost]:
            self._refuse_lost(dealt.line_of(named[0]), named[0])
        order = order_of(without(dealt, lost), rules, bettors(one, rules))
        for depth in reversed(self._cuts(table, one)):
            order = before_cut(order, depth)
        return order

    def _cuts(self, table: Table, one: Round) -> tuple[int, ...]:
        """Return how deep the deck of a round will be cut, once and as often as its lines order it again."""
        rules = table.rules.rules
        if rules.cut.who != "dealer":
            return ()
        actions = (*(self.record.opening if one is self._round(1) else ()), *one.actions)
        to_come = [action for action in actions if id(action) not in self.done]
        cuts = cuts_to_come(to_come, self.cut(table))
        return cuts if rules.cut.recut != "no" else cuts[:1]

    def _refuse_lost(self, line: int, card: str) -> None:
        expected = "cards that the deck still has, or a new deck"
        raise InvalidData(f"{self.where}, line {line}: expected {expected}, got {card}, which an earlier round lost")

    def cut(self, table: Table, /) -> int:
        """Return the depth of every cut: records do not tell it."""
        return fixed_cut(table)

    def throw(self, table: Table, /) -> int:
        """Return the throw the record gives for the round that is on."""
        return self._round(table.round).dealt.dice

    def _round(self, number: int) -> Round:
        """Return a round of the record, or one without lines where the record has none of that number."""
        return self.rounds.get(number, Round(Dealt(), ()))

    def _play(self, command: commands.AnyCommand, line: int) -> None:
        before = self.table
        self.table, outcome = play_checked(before, command)
        self.steps.append(Played(line, command, outcome, before, self.table))
        if not isinstance(outcome, Refusal):
            self.ended += sum(isinstance(event, events.RoundEnded | events.RoundVoided) for event in outcome)


def _rests_on(cited: Iterable[str], clause: str) -> bool:
    """Whether clauses that were cited are a clause or sentences of it, as nsw:12.6.s2 is of nsw:12.6."""
    return any(one == clause or one.startswith(f"{clause}.") for one in cited)


def _is_for_this_round(table: Table, step: Step) -> bool:
    """Whether a deck is mixed, again, for the round that is on already."""
    before_swap = any(one.kind == "swap_decks" for one in table.agenda)
    if table.phase == "betting" or step.kind == "mix_rest":
        return True
    return table.phase == "dealing" and (table.rules.rules.decks == 1 or before_swap)


def _is_for_redeal(table: Table, step: Step) -> bool:
    """Whether a deck is mixed for a second deal: of two decks before it is known to come, of one after."""
    known = any(ruling.name == "unloaded:redealt" for ruling in table.rulings)
    before = table.rules.rules.decks == 2 and step.kind != "mix_rest"
    return table.phase == "dealing" and before != known


def _lost(table: Table, step: Step) -> frozenset[str]:
    """Return the cards that the deck which a step mixes has lost since it came to the table."""
    away = (card for card in table.at(places.OUTSIDE) if belongs(table, card, step.number))
    return frozenset(str(card.face) for card in away)


def _is_bet(action: Action) -> bool:
    return isinstance(
        action.command, commands.PlaceWagers | commands.Sit | commands.Leave | commands.SitOut | commands.TakeBank
    )


def _is_complete(wagers: dict[Any, int], rules: Rules) -> bool:
    """Whether wagers bring cards: three equal base ones, or the side bet alone where the house allows it."""
    if wagers and set(wagers) <= set(bet_alone(rules)):
        return True
    return wagers.get(BASE.spot, 0) > 0 and len({wagers.get(spot) for spot in BASE_SPOTS}) == 1


def bettors(one: Round, rules: Rules) -> tuple[int, ...]:
    """The seats that a round's lines have dealt in, in the order of the deal: those whose bets are not taken back."""
    last: dict[int, dict[Any, int]] = {}
    bank = 0
    for action in one.actions:
        if isinstance(action.command, commands.TakeBank) and not action.refused:
            bank = action.command.seat
        if isinstance(action.command, commands.PlaceWagers) and not action.refused:
            last[action.command.seat] = dict(action.command.wagers)
    dealt_in = [seat for seat, wagers in last.items() if _is_complete(wagers, rules)]
    return clockwise(dealt_in, bank + 1 if rules.deal.first == "bank_left" else 1)
