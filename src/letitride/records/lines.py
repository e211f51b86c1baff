"""Lines: what can be told of a table, by code: its English sentence, and the parts that clients word themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from letitride.engine import events
from letitride.engine.agenda import NO_BANK
from letitride.engine.effects import readings
from letitride.engine.faults import deck_is_whole
from letitride.engine.state import Table
from letitride.ledger.accounts import parse
from letitride.rules.hands import Reading

LINES: Final[Mapping[str, str]] = {
    "opened": "table set up: {title}",
    "betting": "round {round}: place your bets",
    "sat": "seat {seat}: {player} sits down with {amount}",
    "bought": "seat {seat}: buys chips for {amount}",
    "exchanged.chips": "seat {seat}: exchanges a voucher for {amount} in chips",
    "exchanged.tokens": "seat {seat}: exchanges a voucher for {amount} in tokens",
    "exchanged.coupons": "seat {seat}: exchanges a voucher for {amount} in match-play coupons",
    "left": "seat {seat}: leaves with {amount}",
    "out": "seat {seat}: sits out",
    "in": "seat {seat}: is back in",
    "placed.chips": "seat {seat}: places {bets}",
    "placed.tokens": "seat {seat}: places {bets} in tokens",
    "placed.plaques": "seat {seat}: places {bets} in plaques",
    "placed.vouchers": "seat {seat}: places {bets} in vouchers",
    "placed.cash": "seat {seat}: places {bets} in cash",
    "placed.none": "seat {seat}: bets nothing",
    "returned.refused": "seat {seat}: gets the bets back: refused",
    "returned.uneven": "seat {seat}: gets the bets back: not three equal bets",
    "coupon": "seat {seat}: lays a match-play coupon of {amount} beside the third bet",
    "looked_over": "seat {seat}: looks the cards over",
    "looked": "seat {seat}: looks at the cards",
    "rides": "seat {seat}: lets bet {bet} ride",
    "withdraws": "seat {seat}: takes bet {bet} back",
    "withdraws_side": "seat {seat}: takes {bet} back",
    "tucked": "seat {seat}: tucks the cards",
    "shown": "seat {seat}: shows the dealer the cards",
    "waved": "seat {seat}: waves the cards away",
    "banks": "seat {seat}: banks with {amount}",
    "declines": "seat {seat}: declines the bank",
    "no_bank": NO_BANK,
    "over": "round {round} is over",
    "void": "round {round} is void",
    "went": "seat {seat}: goes away during the round",
    "came": "seat {seat}: is back at the table",
    "corrected": "seat {seat}: makes the three bets equal at {amount}",
    "not_corrected": "seat {seat}: refuses to make the three bets equal",
    "folded": "seat {seat}: folds and takes the bets back",
    "sign.minimum": "sign posted at {posted}: the minimum will be {amount} at {when}",
    "sign.closing": "sign posted at {posted}: the table will close at {when}",
    "advice.on": "seat {seat}: asks for advice",
    "advice.off": "seat {seat}: wants no advice",
    "advised": "{by} advises seat {seat}: {words}",
    "closed": "the table is closed",
}
"""Every line that has one wording, by its code; steps, rulings and disputes are put together."""
SIGNALS: Final[Mapping[str, str]] = {
    "asked": "in answer to the dealer",
    "scratch": "by scratching the cards on the table",
    "tuck_1": "by tucking the cards beneath bet 2",
    "tuck_2": "by tucking the cards beneath bet $",
    "early": "by an early tuck",
    "absent": events.RULED_FOR_ABSENT,
}
"""How a decision was signaled, by code, as events keep it."""
ANNOUNCED: Final[Mapping[str, str]] = {
    "no_more_bets": "no more bets",
    "dice": "{throw}: the action starts at seat {seat}",
    "cards": "{cards} cards",
    "whole": "{cards} cards, all of them right",
    "not_whole": "{cards} cards, not the 52 of the deck",
    "bets_void": "misdeal: all bets are void",
    "misdeal_hands_void": "misdeal: all hands are void",
    "hands_void": "all hands are void",
    "round_void": "the round is void",
    "hands": "{hands} hands",
}
"""What is announced with a step, by code."""
Values = Mapping[str, int | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """What is announced with a step: a code with its values, or how a hand is read."""

    code: str
    values: Values = field(default_factory=dict)
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountPart:
    """One side of a transfer: the kind of account, and the seat, spot or player it belongs to."""

    kind: str
    seat: int = 0
    spot: str = ""
    player: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedChips:
    """Chips that were moved."""

    cents: int
    source: AccountPart
    target: AccountPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Something that happened, as one viewer learns it: its parts, and the whole as an English sentence."""

    code: str
    """Of `LINES`; 'step:', 'dispute:' and a kind; 'ruling'; 'other' where there is only the sentence."""
    values: Values = field(default_factory=dict)
    bets: tuple[tuple[str, int], ...] = ()
    """Bets by spot, in cents."""
    seats: tuple[int, ...] = ()
    """Those a ruling names."""
    cards: tuple[str, ...] = ()
    announced: Announcement | None = None
    moved: tuple[MovedChips, ...] = ()
    clauses: tuple[str, ...] = ()
    sentence: str


def account_part(account: str) -> AccountPart:
    """Return what an account's name says."""
    kind, seat, spot, player = parse(account)
    return AccountPart(kind=kind.value, seat=seat, spot=spot, player=player)


def announcement(event: events.StepDone, before: Table, after: Table) -> Announcement | None:
    """Return the parts of what was announced with a step at a table, or None where nothing was."""
    step, said = event.step, event.says
    if not said:
        return None
    counted = int(said.partition(" ")[0].rstrip(":") if said[0].isdecimal() else 0)  # what was said is what was counted
    match step.kind:
        case "call_no_more_bets":
            return Announcement(code="no_more_bets")
        case "open_hand":
            return Announcement(code="hand", readings=readings(before, step.seat))
        case "throw_dice":
            return Announcement(code="dice", values={"throw": counted, "seat": after.action_seat or 0})
        case "check_through" | "check_deck":
            code = "whole" if deck_is_whole(before, step.number) else "not_whole"
            return Announcement(code=code, values={"cards": counted})
        case "declare_misdeal" | "floor_declares_misdeal":
            by_hand = before.rules.rules.misdeal.effect == "hands_void"
            return Announcement(code="misdeal_hands_void" if by_hand else "bets_void")
        case "declare_hands_void":
            return Announcement(code="hands_void")
        case "declare_round_void":
            return Announcement(code="round_void")
        case "show_awards":
            return Announcement(code="hands", values={"hands": step.number})
        case _:
            return Announcement(code="cards", values={"cards": counted})
