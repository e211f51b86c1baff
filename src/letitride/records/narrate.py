"""Narrate: what happened at a table, in lines and their words, for one viewer; never more than that viewer may see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from letitride.engine import events, places
from letitride.engine.agenda import bank_stands_open
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
from letitride.records.account_names import account_name
from letitride.records.floor_lines import clock
from letitride.records.lines import LINES, SIGNALS, Line, MovedChips, account_part, announcement
from letitride.records.played import Played
from letitride.records.replay import Outcome
from letitride.records.writer import write_command
from letitride.rules.money import dollars
from letitride.rules.roles import STAFF_VIEWERS, spoken
from letitride.rules.settlement import WagerResult
from letitride.rules.wager_table import BASE, PUBLISHED_BY_SPOT, bet_name
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
    """Yield what one step of a replay looks like to a viewer, a sentence each; see `lines`."""
    return (line.sentence for line in lines(played, viewer, then))


def lines(played: Played, viewer: str = ALL, then: Played | None = None) -> Iterator[Line]:
    """Yield what one step of a replay looks like to a viewer, a line each.

    `then` is the step after it, which may tell that a card stayed behind.
    """
    if isinstance(played.outcome, Refusal):
        if played.command is not None and viewer in {ALL, played.command.by}:
            why = f"{played.outcome.code}: {played.outcome.sentence}"
            yield Line(code="other", sentence=f"refused: {write_command(played.command)} ({why})")
        return
    for event in played.outcome:
        if isinstance(event, events.StepDone):
            # The table as it was: a step that ends a round still carries out that round's ruling.
            yield _step(event, played, viewer, _left_behind(then))
        elif not (isinstance(event, events.CardsTucked) and _is_for_absent(played.outcome)):
            yield from _event(event, played, viewer)


def _line(
    code: str,
    *,
    bets: tuple[tuple[str, int], ...] = (),
    wagers: Mapping[str, Wager] = PUBLISHED_BY_SPOT,
    cards: tuple[str, ...] = (),
    signal: str = "",
    chips: Iterable[Transfer] = (),
    **values: int | str,
) -> Line:
    """Return a line of a code: amounts end in `_cents`; bets are named by their spots."""
    moved = tuple(chips)
    words: dict[str, int | str] = {
        name.removesuffix("_cents"): dollars(int(value)) if name.endswith("_cents") else value
        for name, value in values.items()
    }
    words["bets"] = ", ".join(f"{bet_name(spot, wagers)} {dollars(cents)}" for spot, cents in bets)
    if code == "withdraws_side":
        words["bet"] = bet_name(str(values["bet"]), wagers)
    if "by" in values:
        words["by"] = _speaker(str(values["by"]))
    text = LINES[code].format(**words)
    text += f": {' '.join(cards)}" if cards else ""
    text += f" ({signal})" if signal else ""
    signaled = next((name for name, said in SIGNALS.items() if said == signal), "")
    return Line(
        code=code,
        values={**values, "signal": signaled} if signaled else values,
        bets=bets,
        cards=cards,
        moved=_parts(moved),
        sentence=text + _moved(moved, wagers),
    )


def _is_for_absent(outcome: Events) -> bool:
    """Whether decisions were made for a player who is away, who tucks no cards."""
    return any(isinstance(one, events.ChoiceMade) and one.signal == events.RULED_FOR_ABSENT for one in outcome)


def _left_behind(then: Played | None) -> frozenset[CardObject]:
    """The cards that were not dealt after all, as the step after the deal tells."""
    happened = () if then is None or isinstance(then.outcome, Refusal) else then.outcome
    short = (one for one in happened if isinstance(one, events.MishapHappened) and one.kind == "short")
    return frozenset(move.card for event in short for move in event.moves)


def _event(event: events.AnyEvent, played: Played, viewer: str) -> Iterator[Line]:
    table = played.after
    wagers = table.rules.by_spot
    match event:
        case events.TableOpened():
            yield _line("opened", title=event.rules.book.title)
        case events.PhaseBegan(phase="betting"):
            yield _line("betting", round=event.round)
        case events.PlayerSat():
            bought = sum(one.cents for one in event.chips)
            yield _line("sat", seat=event.seat, player=event.player, amount_cents=bought)
        case events.ChipsBought():
            yield _line("bought", seat=event.seat, amount_cents=event.chips[0].cents)
        case events.VoucherExchanged():
            into = {Kind.TOKENS: "tokens", Kind.COUPONS: "coupons"}.get(parse(event.chips[0].target).kind, "chips")
            yield _line(f"exchanged.{into}", seat=event.seat, amount_cents=event.chips[0].cents)
        case events.PlayerLeft():
            yield _line("left", seat=event.seat, amount_cents=sum(chips.cents for chips in event.chips))
        case events.SatOut():
            yield _line("out" if event.out else "in", seat=event.seat)
        case events.WagersPlaced() if event.returned:
            yield _line("returned.refused" if _is_refused(played) else "returned.uneven", seat=event.seat)
        case events.WagersPlaced() if event.wagers:
            yield _line(f"placed.{event.medium}", seat=event.seat, bets=tuple(event.wagers.items()), wagers=wagers)
        case events.WagersPlaced():
            yield _line("placed.none", seat=event.seat)
        case events.CouponLaid():
            yield _line("coupon", seat=event.seat, amount_cents=event.cents)
        case events.DeckLooked():
            yield _line("looked_over", seat=event.seat)
        case events.CardsLooked():
            yield _line("looked", seat=event.seat, cards=_cards(table, event.seat, viewer))
        case events.ChoiceMade():
            code = "rides" if event.choice == "ride" else "withdraws"
            yield _line(code, seat=event.seat, bet=event.bet, signal=event.signal)
        case events.SideBetTakenBack():
            yield _line("withdraws_side", seat=event.seat, bet=event.wager, wagers=wagers, signal=event.signal)
        case events.CardsTucked():
            yield _line("tucked", seat=event.seat)
        case events.SideBetClaimed() if event.shown:
            yield _line("shown", seat=event.seat, cards=_cards(table, event.seat, viewer))
        case events.SideBetClaimed():
            yield _line("waved", seat=event.seat)
        case events.BankTaken():
            yield _line("banks", seat=event.seat, amount_cents=event.stake_cents)
        case events.BankDeclined():
            yield _line("declines", seat=event.seat)
            if bank_stands_open(table):
                yield _line("no_bank")
        case events.RoundEnded():
            yield _line("over", round=event.round)
        case events.RoundVoided():
            yield _line("void", round=event.round)
        case _:
            yield from _trouble(event, played, viewer)


def _is_refused(played: Played) -> bool:
    happened = () if isinstance(played.outcome, Refusal) else played.outcome
    return any(isinstance(one, events.Ruled) and one.ruling.name == "order:refuse_bet" for one in happened)


def _trouble(event: events.AnyEvent, played: Played, viewer: str) -> Iterator[Line]:
    match event:
        case events.MishapHappened() if viewer in {ALL, "inspector"}:
            at = f" at seat {event.seat}" if event.seat else ""
            yield Line(code="other", sentence=f"(unnoticed: {MISHAPS[event.kind]}{at})")
        case events.PlayerWentAway():
            yield _line("went", seat=event.seat)
        case events.PlayerCameBack():
            yield _line("came", seat=event.seat)
        case events.Ruled():
            if viewer == ALL or is_told(played.after, event.ruling, viewer):
                yield _ruling(event.ruling)
        case events.BetsCorrected() if event.refused:
            yield _line("not_corrected", seat=event.seat)
        case events.BetsCorrected():
            wagers, cents = played.after.rules.by_spot, event.wagers[BASE.spot]
            yield _line("corrected", seat=event.seat, amount_cents=cents, chips=event.chips, wagers=wagers)
        case events.HandFolded():
            yield _line("folded", seat=event.seat)
        case events.SignPosted():
            posted, when = clock(event.sign.minute), clock(event.sign.when)
            if event.kind == "minimum":
                yield _line("sign.minimum", amount_cents=event.sign.cents, posted=posted, when=when)
            else:
                yield _line("sign.closing", posted=posted, when=when)
        case events.DisputeRaised() | events.DisputeDecided() | events.DisputeAppealed():
            yield from _dispute(event, played.before, viewer)
        case events.AdviceAsked():
            yield _line("advice.on" if event.wanted else "advice.off", seat=event.seat)
        case events.AdviceGiven():
            yield _line("advised", by=event.by, seat=event.seat, words=event.words)
        case events.TableClosed():
            yield _line("closed")


def _dispute(
    event: events.DisputeRaised | events.DisputeDecided | events.DisputeAppealed, table: Table, viewer: str
) -> Iterator[Line]:
    """Yield what happens to a dispute, for those who run the table and for the player who raised it."""
    seat = event.dispute.seat if isinstance(event, events.DisputeRaised) else event.seat
    if viewer not in {ALL, *STAFF_VIEWERS, *table.viewers_of(seat)}:
        return
    match event:
        case events.DisputeRaised():
            first, *more = event.dispute.heard_by
            heard = f"{spoken(first)}{' if on duty' if more else ''}"
            number, about = event.dispute.number, event.dispute.about
            yield Line(
                code="dispute:raised",
                values={"seat": seat, "number": number, "by": first, "about": about},
                sentence=f"seat {seat}: dispute {number}, to be ruled on by the {heard}: {about}",
            )
        case events.DisputeDecided():
            fate = "upholds" if event.upheld else "rejects"
            paid = f" and pays {dollars(event.chips[0].cents)}" if event.chips else ""
            final = "; this is final" if event.final else ""
            by = spoken(event.by) + "".join(f", with no {spoken(role)} on duty" for role in passed_over(table, event))
            source = ", ".join(event.clauses) or "house default"
            why = f"because {event.why}{final}  ({source})"
            yield Line(
                code="dispute:upheld" if event.upheld else "dispute:rejected",
                values={
                    "seat": seat,
                    "number": event.number,
                    "by": event.by,
                    "why": event.why,
                    "paid_cents": event.chips[0].cents if event.chips else 0,
                },
                clauses=event.clauses,
                sentence=f"{by}: {fate} dispute {event.number} of seat {seat}{paid}, {why}",
            )
        case events.DisputeAppealed():
            yield Line(
                code="dispute:appealed",
                values={"seat": seat, "number": event.number, "by": event.to},
                sentence=f"seat {seat}: appeals dispute {event.number} to the {spoken(event.to)}",
            )


def _ruling(ruling: Ruling) -> Line:
    return Line(
        code="ruling",
        values={"name": ruling.name, "by": ruling.by, "why": ruling.why},
        seats=ruling.seats or ((ruling.seat,) if ruling.seat else ()),
        clauses=ruling.clauses,
        sentence=ruling_line(ruling),
    )


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


def _moved(chips: Iterable[Transfer], wagers: Mapping[str, Wager]) -> str:
    names = ((one.cents, account_name(one.source, wagers), account_name(one.target, wagers)) for one in chips)
    return "".join(f" [{dollars(cents)}: {source} → {target}]" for cents, source, target in names)


def _parts(chips: Iterable[Transfer]) -> tuple[MovedChips, ...]:
    return tuple(
        MovedChips(cents=one.cents, source=account_part(one.source), target=account_part(one.target)) for one in chips
    )


def _cards(table: Table, seat: int, viewer: str) -> tuple[str, ...]:
    cards = table.at(places.hand(seat))
    return tuple(str(card.face) for card in cards if viewer == ALL or may_see(table, viewer, seat, card))


def _step(event: events.StepDone, played: Played, viewer: str, behind: frozenset[CardObject]) -> Line:
    table, step = played.before, event.step
    text = f"{KINDS[step.kind].actor}: {say(step)}"
    short = viewer in {ALL, "inspector"} and any(move.card in behind for move in event.moves)
    text = text.replace("a packet of three", "a packet of two") if short else text
    shown = [str(move.card.face) for move in event.moves if _face_is_seen(event, viewer) and move.up]
    if viewer == ALL and step.kind in {
        "deal_packet",
        "deal_card",
        "deal_community",
        "burn_top",
        "slide_left",
        "slide_right",
    }:
        shown = [str(move.card.face) for move in event.moves if move.card not in behind]
        text += "" if shown else ", which stays behind"
    shown = shown if len(shown) <= 5 else []
    text += f": {' '.join(shown)}" if shown else ""
    text += f" — {event.says}" if event.says else ""
    text += _moved(event.chips, table.rules.by_spot)
    clauses = clauses_of(table, step)[:4] if viewer in {ALL, *STAFF_VIEWERS} else ()
    source = ", ".join(clauses) or ("house default" if KINDS[step.kind].mends else "")
    return Line(
        code=f"step:{step.kind}",
        values={"actor": KINDS[step.kind].actor, "seat": step.seat, "wager": step.wager, "number": step.number},
        cards=tuple(shown),
        announced=announcement(event, table, played.after),
        moved=_parts(event.chips),
        clauses=tuple(clauses),
        sentence=text + (f"  ({source})" if source and viewer in {ALL, *STAFF_VIEWERS} else ""),
    )


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
