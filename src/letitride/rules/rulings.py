"""Rulings: what a rule book says must happen when something goes wrong, as a pure function; never the doing of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

import msgspec

from letitride.rules.irregularities import WHAT, Irregularity
from letitride.rules.keys import Rules
from letitride.rules.keys.play import TOP_BURNS

__all__ = ["REPORTED", "THEN", "VOIDS", "WHAT", "Decision", "Irregularity", "Situation", "Verdict", "rule"]

Decision = Literal[
    "go_on",
    "turned_over",
    "replaced",
    "burned",
    "used_next",
    "discarded",
    "put_right",
    "hand_void",
    "misdeal",
    "hands_void",
    "round_void",
    "redealt",
    "counted",
    "reshuffled",
    "new_deck_next",
    "stands",
    "to_maximum",
    "correct_or_fold",
    "must_correct",
    "ride",
    "withdraw",
]

THEN: Final[Mapping[str, str]] = {
    "go_on": "play goes on",
    "turned_over": "the card is turned face down where it lies, and play goes on",
    "replaced": "the card is not used and goes to the rack; the next card of the deck takes its place",
    "burned": "it is turned face down and goes to the rack as the burn card; the deal goes on",
    "used_next": "it is used as the next card",
    "discarded": "it is counted and discarded, and the round goes on",
    "put_right": "the card is put back in its place, the right one is burned, and play goes on",
    "hand_void": "that hand alone is void and its bets are returned; the others play on",
    "misdeal": "misdeal; every hand is void and all bets are returned",
    "hands_void": "every hand is void and all bets are returned",
    "round_void": "the round is void and all bets are returned; earlier rounds stand",
    "redealt": "misdeal; the same round is dealt again, the bets stay, and no bonus bet is added",
    "counted": "the floor checks the hands and counts the deck; the count decides",
    "reshuffled": "the cards are reshuffled",
    "new_deck_next": "the round stands; the deck is replaced before the next round",
    "stands": "the bet is valid and plays",
    "to_maximum": "the bet is settled up to the maximum; the excess is returned",
    "correct_or_fold": "the player makes the three bets equal, or folds and takes the bets back",
    "must_correct": "the player must make the three bets equal and may not fold",
    "ride": "every remaining bet rides",
    "withdraw": "every bet that may be taken back is taken back for the player",
}
"""What is ruled, in words."""

REPORTED: Final[tuple[Irregularity, ...]] = tuple(
    kind
    for kind in get_args(Irregularity)
    if kind not in {"exposed_cards", "exposed_late", "stub_count", "absent_uneven"}
)
"""What is reported; that more cards were exposed, that a count is wrong or bets are uneven shows of itself."""
VOIDS: Final = frozenset({"misdeal", "hands_void", "round_void"})
"""The decisions that end a round without a result."""


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """What a ruling depends on, as any person at the table could state it; the same under every book."""

    kind: Irregularity
    in_deal: bool = False
    """Whether cards are still being dealt."""
    hands: int = 0
    looked: int = 0
    """How many of the players dealt in have handled their cards: looked at them, or made a decision on them."""
    own_look: bool = False
    """Whether the player concerned has."""
    exposed: int = 1
    """How many cards were exposed in this deal, this one among them."""
    seen: bool = False
    """Whether the face of a card drawn in error was seen, or after a wrong burn that of a community card."""
    cards_out: bool = False
    """Whether a card of the round has left the device."""
    uneven: Literal[True] | msgspec.UnsetType = msgspec.UNSET
    """Whether a player who is away has other bets than three equal ones; else it is not written, as of old."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What a book says about a situation, and the key that says so."""

    kind: Irregularity
    decision: Decision
    key: str
    count_deck: bool = False
    """Whether the floor gathers and counts the deck before play goes on."""
    check_deck: bool = False
    """Whether the deck is gone through for more missing or foreign cards."""
    new_deck: bool = False
    new_device: bool = False

    @property
    def name(self) -> str:
        """The ruling's name in the register of clauses: 'hand_count:hand_void'."""
        return f"{self.kind}:{self.decision}"

    @property
    def sentence(self) -> str:
        """The ruling as a supervisor says it."""
        more = "; the floor counts the deck" if self.count_deck else ""
        more += "; the deck is checked" if self.check_deck else ""
        if self.new_device:
            more += "; another device is brought" if self.decision == "go_on" else "; play goes on with another device"
        if self.new_deck:
            more += " and a new deck" if self.new_device else "; a new deck is brought"
        return f"{WHAT[self.kind]}: {THEN[self.decision]}{more}"


def rule(rules: Rules, case: Situation) -> Verdict:
    """Return what a rule book says must happen."""
    ruled = _RULES[case.kind](rules, case)
    return ruled if isinstance(ruled, Verdict) else Verdict(kind=case.kind, decision=ruled[0], key=ruled[1])


def _handled(rules: Rules, case: Situation) -> bool:
    """Whether the players have handled their cards, as the book counts it."""
    return case.looked > 0 if rules.irreg.handled_by == "any" else 0 < case.hands <= case.looked


_Ruled = tuple[Decision, str] | Verdict


def _exposed_card(rules: Rules, case: Situation) -> _Ruled:
    if case.exposed > 1:
        return _exposed_cards(rules, case)
    replaced = rules.irreg.exposed_one == "replaced" and case.in_deal  # what is found later has its hand already
    return ("replaced" if replaced else "turned_over"), "irreg.exposed_one"


def _exposed_cards(rules: Rules, case: Situation, late: Decision = "turned_over") -> _Ruled:
    """Rule on several exposed cards; `late` is what is done with this one once the cards are handled."""
    many: Decision = "hands_void" if rules.irreg.exposed_many == "hands_void" else "misdeal"
    if case.in_deal:
        return Verdict(kind="exposed_cards", decision=many, key="irreg.exposed_many")
    if many == "hands_void" and _handled(rules, case):
        return late, "irreg.exposed_many"
    return Verdict(kind="exposed_late", decision=many, key="irreg.exposed_many")


def _exposed_burn(rules: Rules, case: Situation) -> _Ruled:
    # Turned over or not used: either way the unused card goes to the rack face down.
    return _exposed_cards(rules, case, "burned") if case.exposed > 1 else ("burned", "irreg.exposed_one")


def _exposed_community(rules: Rules, case: Situation) -> _Ruled:
    key = "irreg.exposed_community"
    if case.in_deal and case.exposed > 1:
        return _exposed_cards(rules, case)
    if case.in_deal and rules.irreg.exposed_community == "as_player_card":
        return ("replaced" if rules.irreg.exposed_one == "replaced" else "turned_over"), key
    return ("go_on" if _handled(rules, case) else "misdeal"), key


def _drawn_card(rules: Rules, case: Situation) -> _Ruled:
    if rules.irreg.unseen_extra == "misdeal":  # seen or not
        return ("discarded" if _handled(rules, case) else "misdeal"), "irreg.unseen_extra"
    if case.seen and case.exposed > 1:
        return _exposed_cards(rules, case, "discarded")
    if case.seen:
        return ("discarded" if rules.irreg.exposed_one == "replaced" else "used_next"), "irreg.exposed_one"
    return "used_next", "irreg.unseen_extra"


def _hand_count(rules: Rules, case: Situation) -> _Ruled:
    match rules.irreg.count_player:
        case "misdeal_count_deck":
            return Verdict(kind="hand_count", decision="misdeal", key="irreg.count_player", count_deck=True)
        case "all_void":
            return "hands_void", "irreg.count_player"
        case "hand_void":
            return ("hand_void" if _handled(rules, case) else "misdeal"), "irreg.count_player"


def _dealer_count(rules: Rules, _: Situation) -> _Ruled:
    if rules.irreg.count_dealer == "all_void":
        return "hands_void", "irreg.count_dealer"
    counted = rules.irreg.count_player == "misdeal_count_deck"  # one procedure for a player's hand and the dealer's
    return Verdict(kind="dealer_count", decision="misdeal", key="irreg.count_dealer", count_deck=counted)


def _wrong_burn(rules: Rules, case: Situation) -> _Ruled:
    if rules.irreg.wrong_burn == "all_void":
        return "hands_void", "irreg.wrong_burn"
    # Without it a community card is missing: where the deck's top card was to be burned it cannot stand.
    stands = case.seen and rules.burn.card not in TOP_BURNS
    return ("go_on" if stands else "put_right"), "irreg.wrong_burn"


def _stray_hand(rules: Rules, case: Situation) -> _Ruled:
    goes_on = rules.irreg.empty_area_hand == "discarded" or _handled(rules, case)
    return ("discarded" if goes_on else "misdeal"), "irreg.empty_area_hand"


def _deck(rules: Rules, case: Situation) -> Verdict:
    if rules.irreg.deck_count == "misdeal_new_deck":
        return Verdict(kind=case.kind, decision="misdeal", key="irreg.deck_count", new_deck=True)
    return Verdict(kind=case.kind, decision="round_void", key="irreg.deck_count", check_deck=True)


def _stub_count(rules: Rules, case: Situation) -> _Ruled:
    if rules.irreg.stub_miscount == "next_round":
        return "new_deck_next", "irreg.stub_miscount"
    return msgspec.structs.replace(_deck(rules, case), key="irreg.stub_miscount")


def _unloaded(rules: Rules, _: Situation) -> _Ruled:
    same = rules.irreg.unload_before_community == "same_round"
    return ("redealt" if same else "misdeal"), "irreg.unload_before_community"


def _device(rules: Rules, case: Situation) -> _Ruled:
    key = "irreg.device_failure"
    if case.kind == "device_miscount" and (case.cards_out or rules.irreg.device_failure == "count_cards"):
        return "counted", key
    if case.kind == "device_jam" and case.cards_out:
        stays = rules.irreg.jam_in_deal == "rest_mixed"
        return ("reshuffled" if stays else "round_void"), "irreg.jam_in_deal"
    if not case.cards_out:
        return Verdict(kind=case.kind, decision="reshuffled", key=key, new_device=case.kind == "device_failure")
    if not case.in_deal:
        key = "irreg.failure_dealt"
        if rules.irreg.failure_dealt == "played_out":
            return Verdict(kind=case.kind, decision="go_on", key=key, new_device=True)
    return Verdict(kind=case.kind, decision="round_void", key=key, new_device=True, new_deck=True)


def _uneven_bets(rules: Rules, case: Situation) -> _Ruled:
    if rules.bet.unequal == "no_cards":
        return "hand_void", "bet.unequal"
    if rules.bet.unequal == "dealer_waits":
        return "must_correct", "bet.unequal"
    return ("must_correct" if case.own_look else "correct_or_fold"), "bet.unequal"


def _under_minimum(rules: Rules, _: Situation) -> _Ruled:
    return ("stands" if rules.limit.under_min == "stands" else "hand_void"), "limit.under_min"


def _over_maximum(rules: Rules, _: Situation) -> _Ruled:
    return ("to_maximum" if rules.limit.over_max == "settled_to_max" else "hand_void"), "limit.over_max"


def _absent(rules: Rules, case: Situation) -> _Ruled:
    if rules.irreg.absent == "withdraw":
        return "withdraw", "irreg.absent"
    if case.uneven is True and not case.own_look and rules.bet.unequal == "correct_or_fold":
        return Verdict(kind="absent_uneven", decision="hand_void", key="bet.unequal")  # which is to fold: nsw:12.10.2
    return ("ride" if case.own_look else "hand_void"), "irreg.absent"


_RULES = {
    "exposed_card": _exposed_card,
    "exposed_cards": _exposed_cards,
    "exposed_late": _exposed_cards,
    "exposed_burn": _exposed_burn,
    "exposed_community": _exposed_community,
    "drawn_card": _drawn_card,
    "hand_count": _hand_count,
    "dealer_count": _dealer_count,
    "wrong_burn": _wrong_burn,
    "stray_hand": _stray_hand,
    "deck": _deck,
    "stub_count": _stub_count,
    "unloaded": _unloaded,
    "device_miscount": _device,
    "device_jam": _device,
    "device_failure": _device,
    "uneven_bets": _uneven_bets,
    "under_minimum": _under_minimum,
    "over_maximum": _over_maximum,
    "absent": _absent,
    "absent_uneven": _absent,
}
