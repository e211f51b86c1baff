"""The manufacturer's irregularities, which the Washington packet takes over."""

from __future__ import annotations

import pytest

from letitride.engine import commands
from letitride.engine.script import script
from letitride.engine.view import view
from letitride.records.narrate import narrate
from letitride.records.player import Played
from letitride.records.replay import Replayed
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    WHOLE_ROUND,
    announced,
    dealer_does,
    faces,
    fates,
    hands,
    kinds,
    order,
    played,
    refusal,
    ruled,
    rulings,
    stacks,
    step,
    step_event,
    steps,
)


def cited(one: Played) -> tuple[str, ...]:
    """Return what a step is told to rest on, which is what its line of the script said."""
    (line, *_) = narrate(one)
    clauses = tuple(line.rpartition("  (")[2].rstrip(")").split(", "))
    assert clauses == script(one.before)[0].clauses[:4]
    return clauses


BONUS = THREE_SEATS.replace("seat 1 bets 10", "seat 1 bets 10 bonus 1")
UNTOUCHED = [50_000, 50_000, 50_000]


@pytest.mark.clause("sm:bonus.irreg.1.s1", "wa:bonus.irreg")
@pytest.mark.parametrize(
    ("body", "report"),
    [
        (f"{BONUS}mishap exposed seat 3\n", "exposed_card seat 3"),
        (BONUS.replace("9h 9d 3c", "9h 9d^ 3c"), "exposed_card seat 3"),
    ],
)
def test_one_card_face_up_in_the_deal_is_not_used_and_another_takes_its_place(
    book: RuleBook, body: str, report: str
) -> None:
    done = played(book, f"{body}dealer reports {report}\n{CHOICES}")
    assert ruled(done) == ["exposed_card:replaced"]
    gone = step(done, "discard_exposed 3")
    (shown,) = [card for card in gone.before.at("hand:3") if card.up]
    assert shown.face in [card.face for card in gone.after.at("rack")]
    top = step(done, "replace_card 3").before.at("ready")[0]
    assert top.face in [card.face for card in step(done, "replace_card 3").after.at("hand:3")]
    assert len(step(done, "open_hand 3").before.at("hand:3")) == 3
    assert shown.face not in [card.face for card in step(done, "open_hand 3").before.at("hand:3")]
    assert done.outcomes[0].status == "settled"
    assert {fate for seat in (1, 3, 7) for fate in fates(done, seat)} <= {"won", "lost", "withdrawn"}  # all play on


@pytest.mark.clause("sm:bonus.irreg.1.s1", "wa:bonus.irreg")
def test_a_community_card_face_up_in_the_deal_is_replaced_like_a_players(book: RuleBook) -> None:
    done = played(book, f"{BONUS}mishap exposed community\ndealer reports exposed_community card 1\n{CHOICES}")
    assert ruled(done) == ["exposed_community:replaced"]
    assert "Ks" in faces(step(done, "discard_community 1").after, "rack")
    replaced = step(done, "replace_community 1")
    assert faces(replaced.after, "community:1") == faces(replaced.before, "ready")[:1] != ["Ks"]
    assert not replaced.after.at("community:1")[0].up
    assert done.outcomes[0].status == "settled"


@pytest.mark.clause("sm:bonus.irreg.1.s2", "wa:bonus.irreg")
def test_more_than_one_voids_every_hand_and_the_deck_is_shuffled_again(book: RuleBook) -> None:
    two = "mishap exposed seat 1\nmishap exposed seat 3\ndealer reports exposed_card seat 3\n"
    done = played(book, f"{BONUS}{two}{WHOLE_ROUND}{WHOLE_ROUND}")
    assert ruled(done) == ["exposed_cards:hands_void"]
    assert "all hands are void" in announced(done)
    assert done.outcomes[0].status == "void"
    assert cited(step(done, "resume_by_guide")) == ("sm:bonus.irreg.1.s2",)  # no count, no new deck
    after = steps(done)[steps(done).index("declare_hands_void") :]
    mixed = [words for words in after if words.startswith(("mix_deck", "swap_decks"))]
    assert mixed[:3] == ["swap_decks", "mix_deck 1", "swap_decks"]  # mixed before it is dealt from again
    again = [one for one in done.steps if isinstance(one.command, commands.Do) and one.command.kind == "mix_deck"][1]
    assert faces(again.after, "nest") == list(again.command.order)
    void = played(book, f"{BONUS}{two}")
    assert [fates(void, seat) for seat in (1, 3, 7)] == [["void"] * 4, ["void"] * 3, ["void"] * 3]
    all_stakes_are_back(void)


def all_stakes_are_back(done: Replayed) -> None:
    """Assert that a round left every chip where it was before, and no card on the table."""
    assert stacks(done, 1, 3, 7) == UNTOUCHED  # the bonus dollar too
    assert not any(cents for account, cents in done.table.accounts.items() if account.startswith(("felt", "tray")))
    assert not hands(done.table)
    assert not done.table.community()


@pytest.mark.clause("sm:bonus.irreg.1.s1", "sm:bonus.irreg.1.s2")
def test_dealt_face_up_no_card_is_exposed(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND, "deal.face = up")
    table = step(done, "deal_dealer_packet").before
    assert refusal(table, commands.Report(kind="exposed_card", seat=3)) == "nothing_wrong"
    # A community card that lies face up is no case of the face-down option: what is done then is the house's.
    shown = f"{BONUS}mishap exposed community\ndealer reports exposed_community card 1\n"
    for face, clauses in (("up", ()), ("down", ("sm:bonus.irreg.1.s1",))):
        (ruling,) = rulings(played(book, shown + CHOICES, f"deal.face = {face}"))
        assert ruling.clauses == clauses


WRONG_COUNTS = [
    ("long seat 3", "hand_count seat 3"),
    ("short seat 3", "hand_count seat 3"),
    ("long dealer", "dealer_count"),
    ("short dealer", "dealer_count"),
]
LATE = {False: "", True: "seat 1 looks\n"}


@pytest.mark.clause(
    "sm:bonus.irreg.2.s1", "sm:bonus.irreg.2.s2", "sm:bonus.irreg.2.s3", "sm:bonus.irreg.2a", "wa:bonus.irreg"
)
@pytest.mark.parametrize(
    ("mishap", "report", "late"),
    [
        *((*one, False) for one in WRONG_COUNTS),
        *((*one, True) for one in WRONG_COUNTS[:3]),  # a packet of two comes to light when there is no card to burn
    ],
)
def test_a_wrong_number_of_cards_is_a_misdeal_and_the_floor_counts_the_deck(
    book: RuleBook, mishap: str, report: str, late: bool
) -> None:
    looks = LATE[late]
    done = played(book, f"{BONUS}mishap {mishap}\n{looks}dealer reports {report}\n{WHOLE_ROUND}")
    assert [name.partition(":")[2] for name in ruled(done)] == ["misdeal"]
    assert "misdeal: all hands are void" in announced(done)
    assert [fates(done, seat) for seat in (1, 3, 7)] == [["void"] * 4, ["void"] * 3, ["void"] * 3]
    assert (done.outcomes[0].status, done.outcomes[1].status) == ("void", "settled")
    order(done, "declare_misdeal", "floor_collects", "floor_unloads", "floor_counts 1", "resume_by_guide")
    assert {step(done, words).command.by for words in ("floor_collects", "floor_unloads", "floor_counts 1")} == {
        "floor"
    }
    assert step_event(done, "floor_counts 1").found == 52
    assert "introduce_deck" not in kinds(done)  # 52: the same deck stays
    assert cited(step(done, "resume_by_guide")) == ("sm:bonus.irreg.2a",)
    collected = step(done, "floor_collects")
    assert hands(collected.before)
    assert (hands(collected.after), collected.after.community(), collected.after.at("packet")) == ({}, (), ())
    unloaded = step(done, "floor_unloads")
    assert bool(unloaded.before.at("ready")) != late  # in the deal the rest is still in the shuffler
    assert not unloaded.after.at("ready")
    assert len(unloaded.after.at("rack")) == 52
    assert step(done, "resume_by_guide").command.by == "floor"
    all_stakes_are_back(played(book, f"{BONUS}mishap {mishap}\n{looks}dealer reports {report}\n"))


@pytest.mark.clause("sm:bonus.irreg.2b", "wa:bonus.irreg")
def test_a_deck_that_is_not_the_52_leaves_the_table(book: RuleBook) -> None:
    foreign = BONUS.replace("9h 9d 3c", "9h Ks* 3c").replace("seat 1 bets", "missing 7c\nseat 1 bets", 1)
    done = played(book, f"{foreign}mishap long seat 7\nseat 1 looks\ndealer reports hand_count seat 7\n{WHOLE_ROUND}")
    after = steps(done)[steps(done).index("floor_counts 1") :]
    assert after[1:3] == ["remove_deck 1", "introduce_deck 1"]
    assert [words for words in after if words in {"resume_by_guide", "check_deck 1", "wash_deck 1", "rack_deck 1"}] == [
        "resume_by_guide",
        "check_deck 1",
        "wash_deck 1",
        "rack_deck 1",
    ]
    assert [step(done, words).command.by for words in after[:3]] == ["floor"] * 3
    assert cited(step(done, "resume_by_guide")) == ("sm:bonus.irreg.2b",)
    removed, brought = step(done, "remove_deck 1"), step(done, "introduce_deck 1")
    old = {card.serial for held in removed.before.cards.values() for card in held if card.deck == 1}
    assert not [
        card for place, held in removed.after.cards.items() if place != "outside" for card in held if card.deck == 1
    ]
    new = brought.after.at("chest")
    assert (len(new), len({card.face for card in new}), any(card.foreign for card in new)) == (52, 52, False)
    assert not {card.serial for card in new} & old
    assert done.outcomes[1].status == "settled"


@pytest.mark.clause("sm:bonus.irreg.3.s1", "sm:bonus.irreg.3.s2", "sm:bonus.irreg.3a", "wa:bonus.irreg")
def test_flashing_sensors_have_the_floor_check_hands_and_deck_and_52_goes_on(book: RuleBook) -> None:
    done = played(book, f"{BONUS}seat 1 looks\nmachine reports device_miscount\n{CHOICES}")
    assert ruled(done) == ["device_miscount:counted"]
    order(done, "check_hands", "count_down 1", "resume_by_guide", "ask 1 1")
    assert {step(done, words).command.by for words in ("check_hands", "count_down 1")} == {"floor"}
    assert step_event(done, "count_down 1").found == 52
    plain = played(book, BONUS + CHOICES)
    assert done.outcomes[0].results == plain.outcomes[0].results  # the round stands
    assert stacks(done, 1, 3, 7) == stacks(plain, 1, 3, 7)
    assert step(done, "resume_by_guide").command.by == "floor"
    assert cited(step(done, "resume_by_guide")) == ("sm:bonus.irreg.3a",)


@pytest.mark.clause("sm:bonus.irreg.3.s1", "wa:bonus.irreg")
def test_a_hand_that_the_floor_then_finds_wrong_is_a_misdeal(book: RuleBook) -> None:
    done = played(book, f"{BONUS}mishap long seat 3\nseat 1 looks\nmachine reports device_miscount\n")
    assert ruled(done) == ["device_miscount:counted", "hand_count:misdeal"]
    all_stakes_are_back(done)


@pytest.mark.clause("sm:bonus.irreg.3b.s1", "sm:bonus.irreg.3b.s2", "sm:bonus.irreg.3b.s3", "wa:bonus.irreg")
def test_not_52_is_a_misdeal_and_a_new_deck(book: RuleBook) -> None:
    missing = BONUS.replace("seat 1 bets", "missing 7c\nseat 1 bets", 1)
    done = played(book, missing + WHOLE_ROUND + WHOLE_ROUND)
    assert ruled(done) == ["device_miscount:counted", "deck:misdeal"]  # the shuffler's own count before the deal
    assert rulings(done)[0].by == "machine"
    assert step(done, "declare_misdeal").command.by == "dealer"
    assert "misdeal: all hands are void" in announced(done)
    order(done, "count_down 1", "declare_misdeal", "remove_deck 1", "introduce_deck 1")
    assert cited(step(done, "resume_by_guide")) == ("sm:bonus.irreg.3b.s2",)
    assert {step(done, words).command.by for words in ("remove_deck 1", "introduce_deck 1")} == {"floor"}
    assert [outcome.status for outcome in done.outcomes] == ["void", "settled", "settled"]
    new = [words for words in steps(done)[steps(done).index("introduce_deck 1") :] if words.startswith("load_deck")]
    assert new == ["load_deck 1"]  # into the nest, and play goes on
    removed, loaded = step(done, "remove_deck 1"), _last(done, "load_deck 1")
    assert loaded.command.by == "dealer"
    assert (len(removed.before.at("outside")), len(removed.after.at("outside"))) == (
        1,
        52,
    )  # the lost card and the rest
    nest = loaded.after.at("nest")
    assert (len(nest), {card.deck for card in nest}, min(card.serial for card in nest)) == (52, {1}, 52)
    all_stakes_are_back(played(book, missing))


@pytest.mark.clause("sm:bonus.irreg.3b.s1", "sm:bonus.irreg.3b.s2", "sm:bonus.irreg.3b.s3", "wa:bonus.irreg")
def test_not_52_with_the_hands_dealt_voids_them_and_the_new_deck_goes_to_the_nest(book: RuleBook) -> None:
    foreign = BONUS.replace("9h 9d 3c", "9h Ks* 3c").replace("seat 1 bets", "missing 7c\nseat 1 bets", 1)
    flashing = f"{foreign}seat 1 looks\nmachine reports device_miscount\n"
    void = played(book, flashing)
    assert ruled(void) == ["device_miscount:counted", "deck:misdeal"]
    assert len(hands(step(void, "count_down 1").before)) == 3  # the players had their cards
    assert step(void, "declare_misdeal").command.by == "dealer"
    assert [fates(void, seat) for seat in (1, 3, 7)] == [["void"] * 4, ["void"] * 3, ["void"] * 3]
    all_stakes_are_back(void)
    on = played(book, flashing + WHOLE_ROUND + WHOLE_ROUND)
    swaps = [one for one in on.steps if isinstance(one.command, commands.Do) and one.command.kind == "swap_decks"]
    assert {(card.deck, card.serial // 52) for card in swaps[1].after.at("nest")} == {
        (1, 1)
    }  # new, under the old number
    assert {(card.deck, card.serial // 52) for card in swaps[2].after.at("ready")} == {(1, 1)}
    assert [outcome.status for outcome in on.outcomes] == ["void", "settled", "settled"]


def _last(done: Replayed, words: str) -> Played:
    kind, number = words.split()
    did = [one for one in done.steps if isinstance(one.command, commands.Do) and one.command.kind == kind]
    return [one for one in did if one.command.number == int(number)][-1]


CARDS = "hand 1 Th Td 4c\nhand 3 9h 9d 3c\nhand 7 2c 7d Kh\ncommunity Ks 2d\n"
UNLOADED = f"{BONUS}mishap unloaded\ndealer reports unloaded\n"


@pytest.mark.clause("sm:bonus.irreg.4.s1", "sm:bonus.irreg.4.s5", "wa:bonus.irreg")
def test_unloading_before_the_dealers_packet_is_a_misdeal_dealt_again_as_the_same_round(book: RuleBook) -> None:
    done = played(book, UNLOADED + CHOICES)
    assert ruled(done) == ["unloaded:redealt"]
    assert cited(step(done, "floor_collects")) == ("sm:bonus.irreg.4.s3",)
    assert [(outcome.number, outcome.status) for outcome in done.outcomes] == [(1, "settled")]
    assert kinds(done).count("deal_dealer_packet") == 1
    assert kinds(done).count("deal_packet") == 6
    again = step(done, "lock_out").after
    later = step(done, "confirm_reset").after
    for table, code in ((again, "betting_closed"), (later, "ruling_first")):
        more = commands.PlaceWagers(
            by="seat:3", seat=3, wagers={"base-1": 1_000, "base-2": 1_000, "base-$": 1_000, "bonus": 100}
        )
        assert refusal(table, more) == code  # nobody adds a bonus bet
    assert {result.stake_cents for result in done.outcomes[0].results[1]} == {1_000, 100}  # the stakes stay
    first, second = (one.after.at("hand:1") for one in done.steps if _is(one, "deal_packet", 1))
    assert ({card.deck for card in first}, {card.deck for card in second}) == ({1}, {2})
    same = played(book, f"{UNLOADED}redeal\n{CARDS}{CHOICES}")
    assert stacks(same, 1, 3, 7) == stacks(played(book, BONUS + CHOICES), 1, 3, 7)  # one round, paid once


def _is(one: Played, kind: str, seat: int = 0) -> bool:
    command = one.command
    return isinstance(command, commands.Do) and (command.kind, command.seat) == (kind, seat)


@pytest.mark.clause("sm:bonus.irreg.4.s2", "wa:bonus.irreg")
def test_no_device_reports_it_a_person_does(book: RuleBook) -> None:
    done = played(book, UNLOADED + CHOICES)
    table = next(one.before for one in done.steps if isinstance(one.command, commands.Report))
    assert refusal(table, commands.Report(by="machine", kind="unloaded")) == "not_your_role"
    fanned, _ = dealer_does(table)
    assert dealer_does(fanned)[1] == "something_wrong"  # there is no packet to take: the script waits for the report


@pytest.mark.clause("sm:bonus.irreg.4.s3", "sm:bonus.irreg.4.s4", "wa:bonus.irreg")
def test_the_floor_collects_puts_the_bonus_bets_back_and_resets_the_keypad(book: RuleBook) -> None:
    done = played(book, UNLOADED + CHOICES)
    after = steps(done)[steps(done).index("floor_collects") :]
    assert after[:6] == [
        "floor_collects",
        "restore_bonus 1 bonus",
        "insert_maintenance_key 3",
        "press_reset_key",
        "confirm_reset",
        "remove_maintenance_key",
    ]
    assert {step(done, words).command.by for words in after[:6]} == {"floor"}
    said = [view(step(done, words).before, "floor").script.text for words in after[2:6]]
    for text, what in zip(said, ("slot 3", "'Four of a Kind'", "Enter: 'keypad reset'", "key out"), strict=True):
        assert what in text
    for words in after[:5]:  # none of it is left out
        assert dealer_does(step(done, words).before, "remove_maintenance_key")[1] == "out_of_order"
    collected = step(done, "floor_collects")
    assert hands(collected.before)
    assert not hands(collected.after)
    assert len(collected.after.at("rack")) == 52
    back = step_event(done, "restore_bonus 1 bonus")
    assert [(c.source, c.target, c.cents) for c in back.chips] == [("tray", "felt:1:bonus", 100)]


@pytest.mark.clause("sm:bonus.irreg.4.s6", "sm:bonus.irreg.4.s7", "wa:bonus.irreg")
def test_the_dealer_locks_out_again_recollects_and_reloads_the_misdealt_deck(book: RuleBook) -> None:
    done = played(book, UNLOADED + CHOICES)
    after = steps(done)[steps(done).index("remove_maintenance_key") :]
    wanted = ["lock_out", "collect_bonus 1 bonus", "count_deck", "swap_decks", "mix_deck 1", "deal_packet 1"]
    assert after[1 : 1 + len(wanted)] == wanted
    again = [one for one in done.steps if isinstance(one.command, commands.Do) and one.command.kind == "collect_bonus"]
    assert [(one.before.cents("felt:1:bonus"), one.after.cents("felt:1:bonus")) for one in again] == [(100, 0)] * 2
    assert [one.after.cents("tray") for one in again] == [100, 100]
    assert {step(done, words).command.by for words in after[1 : 1 + len(wanted)]} == {"dealer"}
    reloaded = [one for one in done.steps if isinstance(one.command, commands.Do) and one.command.kind == "swap_decks"][
        1
    ]
    assert [card.deck for card in reloaded.before.at("rack")] == [1] * 52
    assert [card.deck for card in reloaded.after.at("nest")] == [1] * 52
    assert [card.deck for card in reloaded.after.at("ready")] == [2] * 52  # it frees the other deck


@pytest.mark.clause("sm:bonus.deal.2.s1")
def test_the_dealer_waits_for_equal_bets_even_when_he_finds_out_late(book: RuleBook) -> None:
    uneven = f"{BONUS}mishap bets seat 3 1=5 2=10 $=10\ndealer reports uneven_bets seat 3\nseat 3 corrects 10\n"
    done = played(book, uneven + CHOICES)
    assert ruled(done) == ["uneven_bets:must_correct"]
    waiting = next(one.before for one in done.steps if isinstance(one.command, commands.Correct))
    assert refusal(waiting, commands.Do(kind="deal_packet", seat=3)) == "waiting_for_player"
    assert refusal(waiting, commands.Fold(by="seat:3", seat=3)) == "must_correct"
    even = next(one.after for one in done.steps if isinstance(one.command, commands.Correct))
    assert [even.cents(f"felt:3:base-{spot}") for spot in ("1", "2", "$")] == [1_000] * 3


@pytest.mark.clause("sm:bonus.irreg.2.s3", "sm:bonus.irreg.3.s2", "wa:bonus.irreg")
def test_cards_are_counted_after_an_irregularity_and_not_as_a_routine(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND * 6)
    assert "count_stub" not in kinds(done)
    table = step(done, "turn_community 1").before
    assert refusal(table, commands.Order(by="casino_supervisor", kind="count")) == "no_count"
