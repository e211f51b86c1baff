"""Refusal: an expected no, with its code, its sentence and its values; it decides nothing."""

from __future__ import annotations

from typing import Final

import msgspec

CODES: Final = (
    *("about_what", "above_highest", "above_maximum", "already_chosen", "already_ruled", "bad_amount"),
    *("bad_cards", "bad_choice", "bad_cut", "bad_limits", "bad_mishap", "bad_name", "bad_order"),
    *("bad_reading", "bad_throw", "bad_words", "bank_does_not_bet", "bank_not_offered", "barred", "below_minimum"),
    *("below_staying", "bet_taken_in", "bets_incomplete", "betting_closed", "bonus_amount"),
    *("cards_not_yours", "closed", "correct_first", "correct_or_fold", "coupon_alone", "coupon_over_bet"),
    *("dispute_open", "hands_off"),
    *("house_does_not_pay", "may_stay", "medium_refused", "must_correct", "must_leave", "never_withdrawn"),
    *("no_advice", "no_bets", "no_betting_area", "no_count", "no_deck_shown", "no_early_claim"),
    *("no_early_tuck", "no_forfeiture", "no_ground", "no_paying_hand", "no_recut", "no_refusal"),
    *("no_such_card", "no_such_deck", "no_such_round", "no_such_seat", "no_winning_hand", "not_adjacent", "not_away"),
    *("not_enough", "not_in_round", "not_looked", "not_needed", "not_now", "not_offered", "not_provided"),
    *(
        "not_your_role",
        "not_your_seat",
        "not_your_turn",
        "nothing_to_appeal",
        "nothing_to_claim",
        "nothing_to_take_back",
    ),
    *("nothing_to_correct", "nothing_to_decide", "nothing_to_do", "nothing_to_tuck", "nothing_wrong"),
    *("notice_too_short", "off_step", "one_hand_per_player", "out_of_order", "round_running"),
    *("ruling_first", "say_why", "seat_empty", "seat_taken", "seats_free", "separated", "sitting_out"),
    *("something_wrong", "spoken_cash_refused", "suspects_first", "too_late", "unknown_order"),
    *("unknown_trouble", "wagers_down", "waiting_for_player", "which_seats", "winning_hand"),
)
"""Every code with which the engine refuses."""
LINE_MAX: Final = 16_384
"""No line of a record and no message of a client is longer."""
WORDS_MAX: Final = 500
"""No dispute, reason or advice that comes over a network is longer; a record of the past may have longer ones."""
NAME_MAX: Final = 24
"""No player's name is longer."""


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """An expected no: a code for programs, a sentence for people, and what a client needs to word it itself."""

    code: str
    sentence: str
    case: str = ""
    """Which of the sentences of a code it is, where the code has several."""
    values: dict[str, int | str] = {}
    """What stands in the sentence, by name; amounts are in cents, and their names say so."""

    def __str__(self) -> str:
        return self.sentence


def refuse_words(words: str) -> Refusal | None:
    """Return why a reason or a dispute cannot be put on record, or None."""
    if is_plain(words):
        return None
    if not words.isprintable():
        return Refusal("bad_words", "Write one plain line without control characters.")
    return Refusal("bad_words", "Write one plain line, with single spaces and without '#' and '=>'.")


def is_plain(words: str) -> bool:
    """Whether words can stand in a line of a record: printable, single spaces, no '#' and no '=>'."""
    return words == " ".join(words.split()) and words.isprintable() and "#" not in words and "=>" not in words
