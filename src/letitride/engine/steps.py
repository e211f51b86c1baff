"""Steps: every physical act of a dealer's script, by name; which one comes next is the agenda's business."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final, Literal

import msgspec

from letitride.rules.wager_table import PUBLISHED_BY_SPOT, bet_name
from letitride.rules.wagers import Wager

Actor = Literal["dealer", "floor", "player"]
Needs = Literal["", "order", "cut", "throw", "meters"]


class Step(msgspec.Struct, frozen=True, gc=False):
    """One act at the table: what is done, for which seat, wager or card."""

    kind: str
    seat: int = 0
    wager: str = ""
    """Which wager, which program of the shuffler, or which card, as the kind of step needs it."""
    number: int = 0
    """Which bet (1, 2), which community card, or which deck, as the kind of step needs it."""


class StepKind(msgspec.Struct, frozen=True):
    """What a kind of step is: who does it, and how the script says it."""

    actor: Actor
    text: str
    needs: Needs = ""
    """What a command must bring along: a deck order, the depth of the cut, the throw of the dice, what meters hold."""
    mends: bool = False
    """Whether it carries out a ruling, so that nothing else is ruled before it is done."""


_mending = partial(StepKind, mends=True)

KINDS: Final[dict[str, StepKind]] = {
    # opening
    "power_on": StepKind("dealer", "switch the shuffler on"),
    "set_mode": StepKind("dealer", "set the shuffler to its {wager} program"),
    "insert_key": StepKind("dealer", "put the table key into slot 1 of the controller"),
    "review_decks": StepKind("dealer", "review {number} decks and choose one"),
    "check_deck": StepKind("dealer", "check that deck {number} has its 52 cards"),
    "inspect_deck": StepKind("dealer", "inspect the chosen deck"),
    "verify_inspection": StepKind("floor", "verify the dealer's inspection"),
    "spread_deck": StepKind("dealer", "spread the deck face up, by suit and in sequence"),
    "await_inspection": StepKind("player", "seat {seat}, the first player, checks the cards"),
    "turn_up_spread": StepKind("dealer", "turn the spread cards face up"),
    "wash_deck": StepKind("dealer", "turn deck {number} face down, wash it and stack it"),
    "load_deck": StepKind("dealer", "load deck {number} into the shuffler"),
    "rack_deck": StepKind("dealer", "put deck {number} into the discard rack"),
    "dead_game": StepKind("dealer", "set the table to dead-game mode"),
    "spread_idle": StepKind("dealer", "spread the cards on the empty table"),
    # shuffle and cut
    "gather_deck": StepKind("dealer", "gather the cards of the deck"),
    "hand_shuffle_first": StepKind("dealer", "shuffle deck {number} by hand before loading it"),
    "start_shuffle": StepKind("dealer", "press green START: the machine mixes deck {number}", "order"),
    "mix_deck": StepKind("dealer", "leave deck {number} in the shuffler to be mixed", "order"),
    "shuffle_deck": StepKind("dealer", "shuffle the deck by hand", "order"),
    "square_deck": StepKind("dealer", "square the deck in one stack"),
    "cut_deck": StepKind("dealer", "cut the deck", "cut"),
    "rack_cover_card": StepKind("dealer", "put the cover card into the discard rack"),
    "hold_deck": StepKind("dealer", "take the deck into one hand, to draw from its top with the other"),
    "load_shoe": StepKind("dealer", "load the whole pack into the shoe"),
    "count_deck": StepKind("dealer", "watch the shuffler's count of the deck: 52"),
    "free_deck": StepKind("dealer", "check that the shuffler has the mixed deck ready"),
    "swap_decks": StepKind(
        "dealer", "move the deck from the rack to the shuffler's nest, which releases the mixed deck in one stack"
    ),
    # the bank
    "offer_bank": StepKind("dealer", "offer the bank to seat {seat}"),
    "await_bank": StepKind("player", "seat {seat} takes the bank or passes"),
    "collect_fee": StepKind("dealer", "take the collection fee from seat {seat}"),
    "throw_dice": StepKind("dealer", "shake the dice cup to find the action seat", "throw"),
    "return_wager": StepKind("dealer", "return seat {seat}'s {wager}"),
    "return_stake": StepKind("dealer", "give seat {seat} what is left of the bank"),
    # betting
    "invite_bonus": StepKind("dealer", "invite bonus bets"),
    "confirm_lamps": StepKind("dealer", "check that every bonus bet has its red lamp lit"),
    "call_no_more_bets": StepKind("dealer", "call 'no more bets'"),
    "lock_out": StepKind("dealer", "press lock out on the controller"),
    "place_lammer": StepKind("dealer", "exchange seat {seat}'s {wager} for a lammer"),
    "collect_bonus": StepKind("dealer", "take seat {seat}'s {wager} into the tray"),
    # the deal
    "deal_packet": StepKind("dealer", "deliver a packet of three to seat {seat}, behind its bets"),
    "fan_packet": StepKind("dealer", "fan the packet of seat {seat} to prove its count"),
    "deal_dealer_packet": StepKind("dealer", "take the dealer's packet and lay it right of the community area"),
    "slide_left": StepKind("dealer", "slide the top card of the packet face down to the left box"),
    "slide_right": StepKind("dealer", "slide the second card face down to the right box"),
    "burn_bottom": StepKind("dealer", "burn the bottom card of the packet, unseen, to the rack"),
    "burn_last": StepKind("dealer", "burn the last community card, unseen, to the rack"),
    "burn_top": StepKind(
        "dealer", "burn the top card of the deck, unseen, to the rack, before community card {number}"
    ),
    "deal_card": StepKind("dealer", "deal a card to seat {seat}"),
    "deal_community": StepKind("dealer", "deal a card face down to place {number} of the community area"),
    "count_stub": StepKind("dealer", "count the stub"),
    "unload_stub": StepKind(
        "dealer", "press the green button: the rest of the deck comes out and goes to the rack, unseen"
    ),
    "rack_stub": StepKind("dealer", "put the stub into the rack, unseen"),
    "show_awards": StepKind("dealer", "count the hands and show the awards for the best hand"),
    # decisions
    "ask": StepKind("dealer", "ask seat {seat} about bet {number}"),
    "await_choice": StepKind("player", "seat {seat} lets bet {number} ride or takes it back"),
    "push_back": StepKind("dealer", "push bet {number} back to seat {seat}, who takes it off the spot"),
    "push_back_side": StepKind("dealer", "push {wager} back to seat {seat}, who takes it off the spot"),
    "tuck_cards": StepKind("dealer", "check that seat {seat}'s cards are tucked under bet $"),
    "lay_cards": StepKind("dealer", "check that seat {seat}'s cards lie face down and aren't touched again"),
    "burn_first": StepKind("dealer", "burn the leftmost community card, face down, to the rack"),
    "turn_community": StepKind("dealer", "turn community card {number}"),
    "move_community": StepKind("dealer", "move community card 1 to the right of the face-down card"),
    # showdown and settlement
    "read_meters": StepKind("dealer", "read the meters that the house's tables share", "meters"),
    "open_hand": StepKind("dealer", "turn up seat {seat}'s hand and read it"),
    "take": StepKind("dealer", "take seat {seat}'s lost {wager}"),
    "pay": StepKind("dealer", "pay seat {seat}'s {wager}"),
    "pick_up": StepKind("dealer", "pick up seat {seat}'s cards, in order"),
    "leave_exposed": StepKind("dealer", "leave seat {seat}'s hand face up: the best hand yet"),
    "collect_hand": StepKind("dealer", "put seat {seat}'s cards into the rack, in order"),
    "collect_community": StepKind("dealer", "put the community cards into the rack"),
    "collect_picked": StepKind("dealer", "put the picked-up hands into the rack, in order"),
    "collect_stub": StepKind("dealer", "put the rest of the deck into the rack, unseen"),
    "collect_lammers": StepKind("dealer", "gather the lammers into the tray"),
    "game_over": StepKind("dealer", "press GAME OVER on the controller"),
    # when something is wrong: the cards
    "turn_down": _mending("dealer", "turn seat {seat}'s exposed card face down"),
    "discard_exposed": _mending("dealer", "put seat {seat}'s exposed card into the rack: it isn't used"),
    "replace_card": _mending("dealer", "give seat {seat} the next card of the deck in its place"),
    "turn_down_community": _mending("dealer", "turn the exposed card of the community area face down"),
    "discard_community": _mending("dealer", "put the exposed community card into the rack: it isn't used"),
    "replace_community": _mending("dealer", "lay the next card of the deck in its place"),
    "turn_down_burn": _mending("dealer", "turn the exposed burn card face down in the packet"),
    "use_drawn": _mending("dealer", "put the card drawn in error back on top: it is the next card"),
    "discard_drawn": _mending("dealer", "put the card drawn in error into the rack"),
    "take_back_burned": _mending("dealer", "take the card burned in error back to its place, unseen"),
    "count_hand": _mending("dealer", "count the cards in the area of seat {seat}"),
    "discard_hand": _mending("dealer", "put seat {seat}'s cards into the rack"),
    # when something is wrong: the round
    "declare_misdeal": _mending("dealer", "declare a misdeal"),
    "floor_declares_misdeal": _mending("floor", "declare a misdeal"),
    "declare_hands_void": _mending("dealer", "declare all hands void"),
    "declare_round_void": _mending("dealer", "declare the round void"),
    "collect_round": _mending("dealer", "collect all cards of the round"),
    "floor_collects": _mending("floor", "collect all cards in play"),
    "floor_unloads": _mending("floor", "press green START to unload the rest of the deck"),
    "floor_counts": _mending("floor", "verify the number of cards in deck {number}"),
    "check_hands": _mending("floor", "check that all hands and the dealer have the right number of cards"),
    "count_down": _mending("floor", "count down the rest of deck {number}"),
    "check_through": _mending("dealer", "check deck {number} card by card for missing and foreign cards"),
    "return_bets": _mending("dealer", "return everything seat {seat} bet this round"),
    "forfeit_bets": _mending("floor", "take seat {seat}'s forfeited bets"),
    "return_excess": _mending("dealer", "return to seat {seat} what it bet over the maximum"),
    "await_correction": StepKind("player", "seat {seat} makes its three bets equal"),
    # when something is wrong: decks and devices
    "count_cards": _mending("dealer", "count deck {number} and verify it, as ordered"),
    "remove_deck": _mending("floor", "take deck {number} from the table"),
    "introduce_deck": _mending("floor", "bring a new deck {number} to the table"),
    "change_card": _mending("floor", "replace the {wager} of deck {number} with a new card of the same back"),
    "clear_jam": _mending("dealer", "clear the shuffler"),
    "mix_rest": _mending("dealer", "have the rest of deck {number} mixed again: the cards already dealt stay", "order"),
    "replace_device": _mending("floor", "bring another shuffler, or a shoe, to the table"),
    "resume_by_guide": _mending("floor", "restart the shuffler as its guide says"),
    "take_back_deck": _mending("dealer", "take the deck back in one stack to cut it again"),
    "restore_bonus": _mending("floor", "put seat {seat}'s {wager} back on its spot"),
    "insert_maintenance_key": _mending("floor", "put the maintenance key into slot {number} of the keypad"),
    "press_reset_key": _mending("floor", "press the key 'Four of a Kind'"),
    "confirm_reset": _mending("floor", "at the prompt, confirm the reset with Enter: 'keypad reset'"),
    "remove_maintenance_key": _mending("floor", "take the maintenance key out"),
    "tell_inspector": StepKind("floor", "tell seat {seat} that the dispute can go to an inspector"),
}


def say(step: Step, wagers: Mapping[str, Wager] = PUBLISHED_BY_SPOT) -> str:
    """Return a step as the script says it, with bets by their names; `wagers` are those of the table, by spot."""
    return KINDS[step.kind].text.format(seat=step.seat, wager=bet_name(step.wager, wagers), number=step.number)
