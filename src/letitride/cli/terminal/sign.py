"""Sign: what a player reads before playing: the game, this table's rules and pays, and the best play; no keys."""

from __future__ import annotations

from collections.abc import Iterator

from letitride.analysis.caps import taken_alone
from letitride.analysis.strategy import rule_list
from letitride.cli.terminal.story import seat_words
from letitride.cli.terminal.wanted import Wanted
from letitride.rules.limits import payout_words, side_limits, spot_limits
from letitride.rules.money import dollars
from letitride.rules.paytables import Pays
from letitride.rules.words import quantity


def greeting(wanted: Wanted) -> Iterator[str]:
    """Yield who plays what, and where the cards come from."""
    book = wanted.rules.book
    others = wanted.seats - wanted.hands
    company = "alone" if not others else f"with {quantity(others, 'bot')} of the house"
    where = f"at {seat_words(wanted.own_seats)}, {company}"
    yield f"Let It Ride by {book.id}: {book.title}. You play {where}, for play chips."
    if wanted.seed is None:
        yield "Decks come from the operating system's generator."
    else:
        yield f"Practice: seed {wanted.seed} deals the same cards to the same choices again."
    if wanted.stated:
        yield f"The book leaves {', '.join(wanted.stated)} to the table; this table states its own."
    if not wanted.rules.rules.coach:
        state = "is off unless you turn it on" if wanted.coach == "off" else "may speak here"
        yield f"{book.id} bars advice at a live table. This one is private, for practice: the coach {state}."


def rules_lines(wanted: Wanted) -> Iterator[str]:
    """Yield the game and the particulars of this table."""
    rules, ready = wanted.rules.rules, wanted.rules
    yield "You make three equal bets and get three cards. Two community cards lie face down."
    yield "With three cards you let bet 1 ride or take it back; with the first community card the same for bet 2."
    yield "Bet $ stays. Your three cards and both community cards are your hand; a pair of tens or better pays."
    spot = spot_limits(ready.rules.limit)
    yield f"Each bet is from {dollars(spot.cents_min)} to {dollars(spot.cents_max)}."
    if rules.hands_per_player > 1:
        yield f"A player may play {rules.hands_per_player} hands side by side: start with --hands."
    if rules.bank.mode == "player":
        yield f"A player banks: the bank goes round, {rules.bank.max_consecutive} hands in a row at most, any stake."
        yield "Bets are paid and collected only as far as the stake of the bank covers them."
    if rules.fee.kind == "flat":
        yield "The house takes a flat fee for the use of the table."
    if rules.decide.early_tuck != "no":
        held = "a hand that pays already" if rules.decide.early_tuck == "paying_hand" else "any hand"
        yield f"With {held} you may tuck your cards early: all your bets ride."
    if most := payout_words(rules):
        whom = taken_alone(rules.payout, rules.hands_per_player)
        yield f"{most.capitalize()}; the coach's values allow for that{f', for {whom}' if whom else ''}."


def pays_lines(wanted: Wanted) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each wager with what it pays, hand by hand."""
    for wager, pays in wanted.rules.pays.items():
        name = "the base bets" if pays.wager.is_base else pays.wager.title
        paytable = f" ({wanted.rules.paytables[wager]})" if pays.wager.published else ""
        yield f"{name}{paytable}", pays_rows(pays, wanted)


def pays_rows(pays: Pays, wanted: Wanted) -> list[tuple[str, str]]:
    """Return what each hand pays; where that depends on the number of hands, for as many as play."""
    hands = min(wanted.seats, len(pays.columns)) if len(pays.columns) > 1 else 0
    unit = side_limits(pays.wager, wanted.rules.terms(pays.wager.id)).cents_min
    return [(label, odds or "") for label, odds in pays.on_the_felt(hands, unit).items()]


def best_play_lines(wanted: Wanted) -> Iterator[str]:
    """Yield the best play as a person learns it."""
    pays = wanted.rules.base_pays
    for bet, cards in ((1, 3), (2, 4)):
        rides = rule_list(pays, cards)
        what = f"let it ride with {'; '.join(rides)}" if rides else "always pull it back"
        yield f"Best play of bet {bet}: {what}."
