"""Narrate: tells what happened at a table in words, to one viewer, and no more than that viewer may see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from letitride.engine import events, places
from letitride.engine.agenda import NO_BANK, bank_stands_open
from letitride.engine.decide import Events
from letitride.engine.disputes import passed_over
from letitride.engine.places import CardObject
from letitride.engine.refusal import Refusal
from letitride.engine.script import clauses_of
from letitride.engine.state import Ruling, Table
from letitride.engine.steps import KINDS, say
from letitride.engine.view import is_told, may_see
from letitride.ledger.accounts import Kind, parse
from letitride.ledger.transfers import Transfer
from letitride.records.account_names import PUBLISHED_BY_SPOT, account_name, bet_name
from letitride.records.floor_lines import clock
from letitride.records.played import Played
from letitride.records.replay import Outcome
from letitride.records.writer import write_command
from letitride.rules.money import dollars
from letitride.rules.roles import STAFF_VIEWERS, spoken
from letitride.rules.settlement import WagerResult
from letitride.rules.wager_table import BASE
from letitride.rules.wagers import Wager
from letitride.rules.words import plural

MISHAPS: Final[Mapping[str, str]] = {
    "exposed": "a card is turned face up",
    "exposed_burn": "the burn card is turned face up",
    "long": "one card too many is dealt",
    "short": "one card too few is dealt",
    "stray": "a hand is dealt to a seat without a bet",
    "drawn": "a card is drawn in error",
    "unloaded": "the rest of the deck comes out too early",
    "bets": "the wrong chips are on the spots",
    "burn": "the wrong community card is burned",
}
"""What really goes wrong, in words."""
ALL = ""
"""The viewer who sees everything: an auditor with the record in hand."""


def narrate(played: Played, viewer: str = ALL, then: Played | None = None) -> Iterator[str]:
    """Yield what one step of a replay looks like to a viewer, a line each.

    `then` is the step after it, which may tell that a card stayed behind.
    """
    if isinstance(played.outcome, Refusal):
        if played.command is not None and viewer in {ALL, played.command.by}:
            yield f"refused: {write_command(played.command)} ({played.outcome.code}: {played.outcome.sentence})"
        return
    for event in played.outcome:
        if isinstance(event, events.StepDone):
            # The table as it was: a step that ends a round still carries out that round's ruling.
            yield _step(event, played.before, viewer, _left_behind(then))
        elif not (isinstance(event, events.CardsTucked) and _is_for_absent(played.outcome)):
            yield from _event(event, played, viewer)


def _is_for_absent(outcome: Events) -> bool:
    """Whether decisions were made for a player who is away, who tucks no cards."""
    return any(isinstance(one, events.ChoiceMade) and one.signal == events.RULED_FOR_ABSENT for one in outcome)


def _left_behind(then: Played | None) -> frozenset[CardObject]:
    """The cards that were not dealt after all, as the step after the deal tells."""
    happened = () if then is None or isinstance(then.outcome, Refusal) else then.outcome
    short = (one for one in happened if isinstance(one, events.MishapHappened) and one.kind == "short")
    return frozenset(move.card for event in short for move in event.moves)


def _event(event: events.AnyEvent, played: Played, viewer: str) -> Iterator[str]:
    table = played.after
    wagers = table.rules.by_spot
    match event:
        case events.TableOpened():
            yield f"table set up: {event.rules.book.title}"
        case events.PhaseBegan(phase="betting"):
            yield f"round {event.round}: place your bets"
        case events.PlayerSat():
            yield f"seat {event.seat}: {event.player} sits down with {dollars(sum(one.cents for one in event.chips))}"
        case events.ChipsBought():
            yield f"seat {event.seat}: buys chips for {dollars(event.chips[0].cents)}"
        case events.VoucherExchanged():
            into = {Kind.TOKENS: "tokens", Kind.COUPONS: "match-play coupons"}.get(
                parse(event.chips[0].target).kind, "chips"
            )
            yield f"seat {event.seat}: exchanges a voucher for {dollars(event.chips[0].cents)} in {into}"
        case events.PlayerLeft():
            yield f"seat {event.seat}: leaves with {dollars(sum(chips.cents for chips in event.chips))}"
        case events.SatOut():
            yield f"seat {event.seat}: {'sits out' if event.out else 'is back in'}"
        case events.WagersPlaced():
            placed = (
                ", ".join(f"{bet_name(spot, wagers)} {dollars(cents)}" for spot, cents in event.wagers.items())
                or "nothing"
            )
            with_what = f" in {event.medium}" if event.wagers and event.medium != "chips" else ""
            words = f"places {placed}{with_what}" if event.wagers else "bets nothing"
            if event.returned:
                words = f"gets the bets back: {'refused' if _is_refused(played) else 'not three equal bets'}"
            yield f"seat {event.seat}: {words}"
        case events.CouponLaid():
            yield f"seat {event.seat}: lays a match-play coupon of {dollars(event.cents)} beside the third bet"
        case events.DeckLooked():
            yield f"seat {event.seat}: looks the cards over"
        case events.CardsLooked():
            yield f"seat {event.seat}: looks at the cards{_cards(table, event.seat, viewer)}"
        case events.ChoiceMade():
            words = f"lets bet {event.bet} ride" if event.choice == "ride" else f"takes bet {event.bet} back"
            yield f"seat {event.seat}: {words} ({event.signal})"
        case events.SideBetTakenBack():
            signal = f" ({event.signal})" if event.signal else ""
            yield f"seat {event.seat}: takes {bet_name(event.wager, wagers)} back{signal}"
        case events.CardsTucked():
            yield f"seat {event.seat}: tucks the cards"
        case events.SideBetClaimed():
            shown = (
                f"shows the dealer the cards{_cards(table, event.seat, viewer)}"
                if event.shown
                else "waves the cards away"
            )
            yield f"seat {event.seat}: {shown}"
        case events.BankTaken():
            yield f"seat {event.seat}: banks with {dollars(event.stake_cents)}"
        case events.BankDeclined():
            yield f"seat {event.seat}: declines the bank"
            if bank_stands_open(table):
                yield NO_BANK
        case events.RoundEnded():
            yield f"round {event.round} is over"
        case events.RoundVoided():
            yield f"round {event.round} is void"
        case _:
            yield from _trouble(event, played, viewer)


def _is_refused(played: Played) -> bool:
    happened = () if isinstance(played.outcome, Refusal) else played.outcome
    return any(isinstance(one, events.Ruled) and one.ruling.name == "order:refuse_bet" for one in happened)


def _trouble(event: events.AnyEvent, played: Played, viewer: str) -> Iterator[str]:
    match event:
        case events.MishapHappened() if viewer in {ALL, "inspector"}:
            at = f" at seat {event.seat}" if event.seat else ""
            yield f"(unnoticed: {MISHAPS[event.kind]}{at})"
        case events.PlayerWentAway():
            yield f"seat {event.seat}: goes away during the round"
        case events.PlayerCameBack():
            yield f"seat {event.seat}: is back at the table"
        case events.Ruled():
            if viewer == ALL or is_told(played.after, event.ruling, viewer):
                yield ruling_line(event.ruling)
        case events.BetsCorrected():
            moved = _moved(event.chips, played.after)
            at = "" if event.refused else f" at {dollars(event.wagers[BASE.spot])}{moved}"
            yield f"seat {event.seat}: {'refuses to make' if event.refused else 'makes'} the three bets equal{at}"
        case events.HandFolded():
            yield f"seat {event.seat}: folds and takes the bets back"
        case events.SignPosted():
            what = (
                f"the minimum will be {dollars(event.sign.cents)}"
                if event.kind == "minimum"
                else "the table will close"
            )
            yield f"sign posted at {clock(event.sign.minute)}: {what} at {clock(event.sign.when)}"
        case events.DisputeRaised() | events.DisputeDecided() | events.DisputeAppealed():
            yield from _dispute(event, played.before, viewer)
        case events.AdviceAsked():
            yield f"seat {event.seat}: {'asks for advice' if event.wanted else 'wants no advice'}"
        case events.AdviceGiven():
            yield f"{_speaker(event.by)} advises seat {event.seat}: {event.words}"
        case events.TableClosed():
            yield "the table is closed"


def _dispute(
    event: events.DisputeRaised | events.DisputeDecided | events.DisputeAppealed, table: Table, viewer: str
) -> Iterator[str]:
    """Yield what becomes of a dispute, for those who run the table and for the player who raised it."""
    seat = event.dispute.seat if isinstance(event, events.DisputeRaised) else event.seat
    if viewer not in {ALL, *STAFF_VIEWERS, *table.viewers_of(seat)}:
        return
    match event:
        case events.DisputeRaised():
            first, *more = event.dispute.heard_by
            heard = f"{spoken(first)}{' if on duty' if more else ''}"
            yield f"seat {seat}: dispute {event.dispute.number}, to be ruled on by the {heard}: {event.dispute.about}"
        case events.DisputeDecided():
            fate = "upholds" if event.upheld else "rejects"
            paid = f" and pays {dollars(event.chips[0].cents)}" if event.chips else ""
            final = "; this is final" if event.final else ""
            by = spoken(event.by) + "".join(f", with no {spoken(role)} on duty" for role in passed_over(table, event))
            source = ", ".join(event.clauses) or "house default"
            yield f"{by}: {fate} dispute {event.number} of seat {seat}{paid}, because {event.why}{final}  ({source})"
        case events.DisputeAppealed():
            yield f"seat {seat}: appeals dispute {event.number} to the {spoken(event.to)}"


def ruling_line(ruling: Ruling) -> str:
    """Return a ruling as the floor would log it: who, what, by which clause or as a house default, and why."""
    who = f"{_speaker(ruling.by)}: " if ruling.by else ""
    concerned = ruling.seats or ((ruling.seat,) if ruling.seat else ())
    at = f" ({plural('seat', len(concerned))} {', '.join(map(str, concerned))})" if concerned else ""
    why = f", because {ruling.why}" if ruling.why else ""
    source = ", ".join(ruling.clauses) or "house default"
    return f"RULING — {who}{ruling.sentence}{at}{why}  ({source})"


def _speaker(by: str) -> str:
    return by.replace("_", " ").replace("seat:", "seat ")


def _moved(chips: Iterable[Transfer], table: Table) -> str:
    wagers = table.rules.by_spot
    names = ((one.cents, account_name(one.source, wagers), account_name(one.target, wagers)) for one in chips)
    return "".join(f" [{dollars(cents)}: {source} → {target}]" for cents, source, target in names)


def _cards(table: Table, seat: int, viewer: str) -> str:
    cards = table.at(places.hand(seat))
    seen = [str(card.face) for card in cards if viewer == ALL or may_see(table, viewer, seat, card)]
    return f": {' '.join(seen)}" if seen else ""


def _step(event: events.StepDone, table: Table, viewer: str, behind: frozenset[CardObject]) -> str:
    text = f"{KINDS[event.step.kind].actor}: {say(event.step)}"
    short = viewer in {ALL, "inspector"} and any(move.card in behind for move in event.moves)
    text = text.replace("a packet of three", "a packet of two") if short else text
    shown = [str(move.card.face) for move in event.moves if _face_is_seen(event, viewer) and move.up]
    if viewer == ALL and event.step.kind in {
        "deal_packet",
        "deal_card",
        "deal_community",
        "burn_top",
        "slide_left",
        "slide_right",
    }:
        shown = [str(move.card.face) for move in event.moves if move.card not in behind]
        text += "" if shown else ", which stays behind"
    text += f": {' '.join(shown)}" if shown and len(shown) <= 5 else ""
    text += f" — {event.says}" if event.says else ""
    text += _moved(event.chips, table)
    clauses = clauses_of(table, event.step)
    source = ", ".join(clauses[:4]) or ("house default" if KINDS[event.step.kind].mends else "")
    return text + (f"  ({source})" if source and viewer in {ALL, *STAFF_VIEWERS} else "")


def _face_is_seen(event: events.StepDone, viewer: str) -> bool:
    return viewer == ALL or event.step.kind in {"open_hand", "turn_community", "deal_packet", "deal_card"}


def summary(outcome: Outcome, wagers: Mapping[str, Wager] = PUBLISHED_BY_SPOT) -> Iterator[str]:
    """Yield the result of a round, a line for each seat; `wagers` are those of the table, by spot."""
    for seat, results in outcome.results.items():
        parts = [_result(result, wagers) for result in results]
        net = sum(result.net_cents for result in results)
        yield f"seat {seat}: {'; '.join(parts)}; net {dollars(net)}"
    if outcome.bank:
        seat, stake = outcome.bank
        won = -sum(result.net_cents for results in outcome.results.values() for result in results)
        yield f"seat {seat}: banked with {dollars(stake)}; net {dollars(won)} before fees"


def _result(result: WagerResult, wagers: Mapping[str, Wager]) -> str:
    paid = f", {'envy' if result.envy_cents else 'paid'} {dollars(result.paid_cents)}" if result.paid_cents else ""
    partly = result.fate in {"lost", "withdrawn"} and 0 < result.back_cents < result.stake_cents
    back = f", {dollars(result.back_cents)} of it returned" if partly else ""
    fate = "taken back" if result.fate == "withdrawn" else result.fate
    return f"{bet_name(result.wager, wagers)} {dollars(result.stake_cents)} {fate}{paid}{back}"
