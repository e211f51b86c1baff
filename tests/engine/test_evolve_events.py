"""Evolve, event by event: what each one leaves of a table, and what it leaves alone."""

from __future__ import annotations

from dataclasses import replace as with_changed
from typing import Any

import pytest
from msgspec.structs import replace

from letitride.engine import events, places
from letitride.engine.decide import open_table
from letitride.engine.evolve import evolve, has_place_apart, new_table
from letitride.engine.places import CardObject, Move
from letitride.engine.state import Dispute, Ruling, Seat, Sign, Table
from letitride.engine.steps import Step
from letitride.errors import InvariantBroken
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.rules import catalog
from letitride.rules.cards import DECK
from letitride.rules.settlement import WagerResult
from letitride.rules.table_rules import TableRules

AGENDA = (Step("ask", 3, number=1), Step("await_choice", 3, number=1), Step("ask", 4, number=1))
DUE = Step("count_stub")
LOST = (WagerResult("base-1", 500, "lost"),)
A, B, C, D = (CardObject(1, number, DECK[number]) for number in range(4))


def rules_by(ref: str = "nsw-1", **changed: dict[str, Any]) -> TableRules:
    """Rules of a book in which some sections are as no document has them."""
    rules = catalog.table_rules(ref)
    sections = {name: replace(getattr(rules.rules, name), **values) for name, values in changed.items()}
    return with_changed(rules, book=with_changed(rules.book, rules=replace(rules.rules, **sections)))


def a_table(ref: str = "nsw-1", seats: dict[int, Seat] | None = None, **changed: Any) -> Table:
    """A table with a full deck in its chest, in the middle of a choice, with some things changed."""
    table, _ = open_table(catalog.table_rules(ref))
    begun = replace(table, phase="choice_1", agenda=AGENDA, round=4)
    return replace(begun, seats={**table.seats, **(seats or {})}, **changed)


def up(card: CardObject) -> CardObject:
    return replace(card, up=True)


def move(card: CardObject, source: str, target: str, *, face_up: bool = False) -> Move:
    return Move(card, source, target, face_up)


# opening


def test_a_new_table_is_to_be_opened_with_nothing_to_do_yet_and_its_decks_in_the_chest() -> None:
    table = new_table(events.TableOpened(rules=catalog.table_rules("washington-1")))
    assert ("opening", (), {}, 0) == (table.phase, table.agenda, table.accounts, table.version)
    assert {number: Seat(number) for number in range(1, 8)} == table.seats
    assert [places.CHEST] == list(table.cards)
    assert [(1, card) for card in DECK] + [(2, card) for card in DECK] == [
        (card.deck, card.face) for card in table.at(places.CHEST)
    ]
    assert list(range(52)) * 2 == [card.serial for card in table.at(places.CHEST)]
    assert not any(card.up or card.foreign for card in table.at(places.CHEST))


@pytest.mark.parametrize(
    ("mode", "seat", "apart"),
    [
        ("player", "separate", True),
        ("player", "among_seats", False),
        ("house", "separate", False),
        ("house", "among_seats", False),
    ],
)
def test_only_a_player_who_banks_from_a_place_apart_has_one(mode: str, seat: str, *, apart: bool) -> None:
    rules = rules_by(bank={"mode": mode, "seat": seat})
    assert apart is has_place_apart(rules.rules)
    assert 7 + apart == len(new_table(events.TableOpened(rules=rules)).seats)


# players


def test_wagers_lie_and_what_became_due_by_them_comes_first() -> None:
    table = a_table()
    placed = events.WagersPlaced(seat=3, wagers={"base-1": 500}, medium="tokens")
    assert (AGENDA, {"base-1": 500}, "tokens") == (
        (after := evolve(table, placed)).agenda,
        after.seats[3].wagers,
        after.seats[3].medium,
    )
    assert (DUE, *AGENDA) == evolve(table, replace(placed, inserted=(DUE,))).agenda


def test_a_player_who_leaves_has_not_declined_the_bank_any_more() -> None:
    table = a_table(declined=(2, 3, 5))
    assert (2, 5) == evolve(table, events.PlayerLeft(seat=3)).declined


def test_a_tuck_drops_all_that_the_seat_was_still_to_be_asked_and_nothing_else() -> None:
    kinds = ("ask", "await_choice", "tuck_cards", "lay_cards", "pay")
    agenda = tuple(Step(kind, seat) for seat in (3, 4) for kind in kinds)
    after = evolve(a_table(agenda=agenda), events.CardsTucked(seat=3))
    assert (Step("pay", 3), *(Step(kind, 4) for kind in kinds)) == after.agenda
    assert (True, False) == (after.seats[3].tucked, after.seats[4].tucked)


def test_a_claim_is_settled_after_the_claims_before_it() -> None:
    agenda = (Step("pay", 1, "three_card"), Step("take", 2, "three_card"), Step("ask", 3))
    claimed = events.SideBetClaimed(
        seat=3, shown=True, moves=(move(A, "hand:3", "hand:3", face_up=True),), inserted=(DUE,), results=LOST
    )
    after = evolve(a_table(agenda=agenda, cards={"hand:3": (A,)}), claimed)
    assert (*agenda[:2], DUE, agenda[2]) == after.agenda
    assert ("claimed", LOST, (up(A),)) == (after.seats[3].claim, after.seats[3].results, after.at("hand:3"))
    waved = evolve(a_table(agenda=agenda), replace(claimed, shown=False, moves=()))
    assert ("waved", a_table().cards) == (waved.seats[3].claim, waved.cards)


def test_a_deck_looked_over_is_one_step_done() -> None:
    assert AGENDA[1:] == evolve(a_table(), events.DeckLooked(seat=3)).agenda


def test_a_choice_takes_the_place_of_the_question_and_counts_as_handling() -> None:
    made = events.ChoiceMade(seat=3, bet=1, choice="ride", inserted=(DUE,))
    after = evolve(a_table(seats={3: Seat(3, "Ann", choices={2: "withdraw"})}), made)
    assert ((DUE, *AGENDA[1:]), {1: "ride", 2: "withdraw"}, True) == (
        after.agenda,
        after.seats[3].choices,
        after.seats[3].decided,
    )
    ruled = evolve(a_table(), replace(made, signal=events.RULED_FOR_ABSENT))
    assert ({1: "ride"}, False) == (ruled.seats[3].choices, ruled.seats[3].decided)


@pytest.mark.parametrize("handled", [events.CardsLooked(seat=3), events.ChoiceMade(seat=3, bet=1, choice="ride")])
def test_community_cards_that_show_when_the_first_player_handles_the_cards_were_exposed_before(
    handled: events.AnyEvent,
) -> None:
    cards = {"community:1": (A,), "community:2": (up(B),), "community:3": (up(C),)}
    seats = {number: Seat(number, "Ann", dealt_in=True) for number in (3, 4)}
    table = a_table(seats=seats, cards=cards)
    after = evolve(table, handled)
    assert (2, 3) == after.exposed_early
    later = evolve(replace(after, cards={**cards, "community:1": (up(A),)}), events.CardsLooked(seat=4))
    assert (2, 3) == later.exposed_early
    assert () == evolve(replace(table, cards={}), handled).exposed_early
    absent = events.ChoiceMade(seat=3, bet=1, choice="ride", signal=events.RULED_FOR_ABSENT)
    assert () == evolve(table, absent).exposed_early


# the bank


@pytest.mark.parametrize(("banked_last", "hands"), [("Ann", 3), ("Bea", 1)])
def test_the_bank_counts_the_hands_that_one_player_banks_in_a_row(banked_last: str, hands: int) -> None:
    table = a_table(seats={3: Seat(3, "Ann")}, bank_player=banked_last, bank_hands=2, declined=(4,))
    after = evolve(table, events.BankTaken(seat=3, stake_cents=9_000))
    assert (3, "Ann", 9_000, hands) == (after.bank_seat, after.bank_player, after.bank_stake, after.bank_hands)
    assert ((), AGENDA[1:]) == (after.declined, after.agenda)


@pytest.mark.parametrize(("stake", "hands"), [(9_000, 1), (0, 2)])
def test_a_bank_that_is_given_back_was_not_banked(stake: int, hands: int) -> None:
    table = a_table(bank_stake=stake, bank_hands=2, declined=(4,))
    after = evolve(table, events.BankDeclined(seat=3, inserted=(DUE,)))
    assert ((4, 3), (DUE, *AGENDA[1:]), 0, hands) == (
        after.declined,
        after.agenda,
        after.bank_stake,
        after.bank_hands,
    )


# the end of a round


def in_a_round(**changed: Any) -> Table:
    seats = {
        1: Seat(1, "Ann", True, {"base-1": 500}, "tokens", looked=True, decided=True, choices={1: "ride"}, tucked=True,
                lammer=True, claim="waved", results=LOST, taken_cents=1, paid_cents=2, back={"base-1": 3}, fee_cents=4,
                away=True, leaves="barred", acts_first=True, wants_advice=True, defied=True, idle_rounds=5),
        2: Seat(2, "Bea", dealt_in=True, idle_rounds=5),
        3: Seat(3, "Cid", void=True, idle_rounds=5),
        4: Seat(4, "Dot", idle_rounds=5),
        5: Seat(5, "", idle_rounds=5),
    }  # fmt: skip
    return a_table(
        seats=seats, bank_seat=4, bank_stake=9_000, bank_hands=2, action_seat=3, awards_hands=5, exposed=2,
        exposed_early=(1,), misburned=move(A, "packet", "rack"), **changed,
    )  # fmt: skip


def left_over(table: Table) -> tuple[object, ...]:
    return table.bank_stake, table.action_seat, table.awards_hands, table.exposed, table.exposed_early, table.misburned


def test_a_round_that_ended_leaves_the_players_and_nothing_of_the_round() -> None:
    after = evolve(in_a_round(), events.RoundEnded(round=4))
    ann = Seat(1, "Ann", True, away=True, leaves="barred", acts_first=True, defied=True, idle_rounds=6)
    assert ann == after.seats[1]
    assert {2: 0, 3: 0, 4: 0, 5: 0} == {number: after.seats[number].idle_rounds for number in (2, 3, 4, 5)}
    assert (0, 0, 0, 0, (), None) == left_over(after)
    assert (4, 2) == (after.bank_seat, after.bank_hands)


def test_who_banked_last_and_does_not_bank_now_is_idle_like_others() -> None:
    after = evolve(replace(in_a_round(), bank_stake=0), events.RoundEnded(round=4))
    assert (6, 6) == (after.seats[1].idle_rounds, after.seats[4].idle_rounds)


def test_a_round_without_a_result_counts_for_no_player_as_sat_out_or_banked() -> None:
    voided = events.RoundVoided(round=4, results={})
    after = evolve(in_a_round(voiding=True), voided)
    assert [5] * 5 == [after.seats[number].idle_rounds for number in range(1, 6)]
    assert Seat(2, "Bea", idle_rounds=5) == after.seats[2]
    assert (0, 0, 0, 0, (), None) == left_over(after)
    assert (1, False) == (after.bank_hands, after.voiding)
    assert 2 == evolve(replace(in_a_round(), bank_stake=0), voided).bank_hands


@pytest.mark.parametrize(("decks", "reshuffle", "unmixed"), [(2, False, True), (2, True, False), (1, False, False)])
def test_a_misdealt_deck_is_used_as_it_is_where_there_are_two_and_none_is_mixed(
    decks: int, *, reshuffle: bool, unmixed: bool
) -> None:
    ref = "washington-1" if decks == 2 else "nsw-1"
    table = replace(in_a_round(), rules=rules_by(ref, misdeal={"reshuffle": reshuffle}))
    assert decks == table.rules.rules.decks
    assert unmixed is evolve(table, events.RoundVoided(round=4, results={})).unmixed


def test_results_are_read_for_the_seats_that_have_them() -> None:
    table = a_table(seats={4: Seat(4, "Dot", results=LOST)})
    won = (WagerResult("base-1", 500, "won", 500, 500),)
    after = evolve(table, events.RoundRead(results={3: won}))
    assert (won, LOST, ()) == (after.seats[3].results, after.seats[4].results, after.seats[5].results)


# trouble


def test_a_wrong_burn_is_done_in_place_of_the_step_that_was_due_and_other_mishaps_are_not() -> None:
    table = a_table(cards={"packet": (A, B)})
    way = move(B, "packet", "rack")
    burned = evolve(table, events.MishapHappened(kind="burn", seat=0, number=2, moves=(way,)))
    assert ((A,), (B,), AGENDA[1:], way) == (
        burned.at("packet"),
        burned.at("rack"),
        burned.agenda,
        burned.misburned,
    )
    drawn = evolve(table, events.MishapHappened(kind="drawn", seat=0, moves=(way,)))
    assert 0 == events.MishapHappened(kind="drawn", seat=0).number
    assert (AGENDA, None, (B,), table.seats) == (drawn.agenda, drawn.misburned, drawn.at("rack"), drawn.seats)
    bets = evolve(table, events.MishapHappened(kind="bets", seat=3, wagers={"base-1": 500}))
    assert {"base-1": 500} == bets.seats[3].wagers


def test_who_goes_away_is_away_until_back() -> None:
    away = evolve(a_table(), events.PlayerWentAway(seat=3))
    assert (True, False) == (away.seats[3].away, evolve(away, events.PlayerCameBack(seat=3)).seats[3].away)


@pytest.mark.parametrize("refused", [True, False])
def test_corrected_bets_lie_and_the_question_is_answered(*, refused: bool) -> None:
    corrected = events.BetsCorrected(seat=3, wagers={"base-1": 500}, refused=refused)
    after = evolve(a_table(), corrected)
    assert ({"base-1": 500}, refused, AGENDA[1:]) == (after.seats[3].wagers, after.seats[3].defied, after.agenda)
    assert False is events.BetsCorrected(seat=3, wagers={}).refused


@pytest.mark.parametrize(("last", "phase"), [(True, "ruling"), (False, "choice_1")])
def test_a_folded_hand_is_void_and_the_last_one_ends_the_round(*, last: bool, phase: str) -> None:
    table = a_table(seats={3: Seat(3, "Ann", dealt_in=True)})
    after = evolve(table, events.HandFolded(seat=3, agenda=(DUE,), last=last))
    assert (False, True, (DUE,), phase, last) == (
        after.seats[3].dealt_in,
        after.seats[3].void,
        after.agenda,
        after.phase,
        after.voiding,
    )
    assert False is evolve(table, events.HandFolded(seat=3, agenda=())).voiding


def test_signs_stand_beside_one_another() -> None:
    table = a_table(signs={"closing": Sign(1, 2)})
    after = evolve(table, events.SignPosted(kind="minimum", sign=Sign(3, 4, 500), by="floor"))
    assert {"closing": Sign(1, 2), "minimum": Sign(3, 4, 500)} == after.signs


def dispute(number: int, *decisions: str, appealed: bool = False) -> Dispute:
    return Dispute(
        number=number, seat=3, player="Ann", about="a bet", heard_by=("floor",), decisions=decisions, appealed=appealed
    )


def test_disputes_are_kept_in_order_and_counted() -> None:
    after = evolve(a_table(disputes=(dispute(1),), disputes_raised=1), events.DisputeRaised(dispute=dispute(2)))
    assert ((dispute(1), dispute(2)), 2) == (after.disputes, after.disputes_raised)
    appealed = evolve(after, events.DisputeAppealed(number=2, seat=3, to="floor"))
    assert (dispute(1), dispute(2, appealed=True)) == appealed.disputes


@pytest.mark.parametrize(
    ("upheld", "final", "closed"), [(True, False, True), (False, True, True), (True, True, True), (False, False, False)]
)
def test_a_dispute_is_closed_by_the_last_word_or_when_it_is_upheld(*, upheld: bool, final: bool, closed: bool) -> None:
    table = a_table(disputes=(dispute(1), dispute(2, "dealer: rejected", appealed=True)))
    decided = events.DisputeDecided(
        number=2, seat=3, by="floor", upheld=upheld, why="", final=final, next=("inspector",), inserted=(DUE,)
    )
    after = evolve(table, decided)
    assert (DUE, *AGENDA) == after.agenda
    left = replace(dispute(2, "dealer: rejected", "floor: rejected"), heard_by=("inspector",))
    assert after.disputes == ((dispute(1),) if closed else (dispute(1), left))
    because = evolve(table, replace(decided, why="the film shows it", upheld=False, final=False))
    assert "floor: rejected, the film shows it" == because.disputes[1].decisions[-1]


def test_advice_is_wanted_or_not_and_given_changes_nothing() -> None:
    wanted = evolve(a_table(), events.AdviceAsked(seat=3, wanted=True))
    assert (True, False) == (
        wanted.seats[3].wants_advice,
        evolve(wanted, events.AdviceAsked(seat=3, wanted=False)).seats[3].wants_advice,
    )
    given = evolve(wanted, events.AdviceGiven(seat=3, by="spectator", words="ride"))
    assert replace(wanted, version=wanted.version + 1) == given


def test_a_closed_table_has_nothing_left_to_do() -> None:
    after = evolve(a_table(), events.TableClosed(by="floor"))
    assert ("closed", ()) == (after.phase, after.agenda)


def test_what_is_no_event_changes_no_table() -> None:
    with pytest.raises(InvariantBroken, match="no state follows from Event"):
        evolve(a_table(), events.Event())  # type: ignore[arg-type]  # it is none of those that happen


# rulings and measures


def ruling(name: str, number: int = 0) -> Ruling:
    return Ruling(name=name, sentence="It stands.", number=number)


def test_a_ruling_stands_after_those_before_it_and_says_what_comes_next() -> None:
    earlier = ruling("hand_count:hand_void")
    table = a_table(rulings=(earlier,), exposed=2, voiding=True, seats={3: Seat(3, "Ann", dealt_in=True)})
    now = events.Ruled(ruling=ruling("exposed:stands"), agenda=(DUE,), phase="ruling", round=5)
    after = evolve(table, now)
    assert ((earlier, ruling("exposed:stands")), (DUE,), "ruling", 5) == (
        after.rulings,
        after.agenda,
        after.phase,
        after.round,
    )
    assert (2, False, table.seats, 0) == (after.exposed, after.voiding, after.seats, after.new_deck_due)
    assert 1 == evolve(table, replace(now, exposed=1)).exposed
    void = evolve(table, replace(now, void_seat=3)).seats[3]
    assert (False, True) == (void.dealt_in, void.void)


@pytest.mark.parametrize(
    ("before", "now", "stays"),
    [(500, 1_000, False), (500, 500, True), (500, 100, True)],
)
def test_a_notice_of_a_higher_minimum_is_taken_down_when_it_has_come(before: int, now: int, *, stays: bool) -> None:
    signs = {"minimum": Sign(1, 2, 1_000), "closing": Sign(1, 2)}
    table = a_table(signs=signs, rules=rules_by(limit={"cents_min": before}))
    rules = rules_by(limit={"cents_min": now})
    after = evolve(table, events.Ruled(ruling=ruling("order:limits"), agenda=(), phase="betting", round=4, rules=rules))
    assert after.signs == (signs if stays else {"closing": signs["closing"]})
    assert after.rules is rules


@pytest.mark.parametrize(("name", "due"), [("stub_count:new_deck_next", 2), ("stub_count:stands", 0)])
def test_a_deck_is_due_for_replacement_where_that_was_ruled(name: str, due: int) -> None:
    after = evolve(a_table(), events.Ruled(ruling=ruling(name, 2), agenda=(), phase="ruling", round=4))
    assert due == after.new_deck_due


def test_a_round_dealt_again_is_as_if_no_card_had_been_seen() -> None:
    table = a_table(seats={3: Seat(3, "Ann", looked=True, lammer=True)}, community_up=1, exposed=2)
    again = events.Ruled(ruling=ruling("unloaded:redealt"), agenda=(), phase="dealing", round=4)
    after = evolve(table, again)
    assert (False, False, 0, 0) == (
        after.seats[3].looked,
        after.seats[3].lammer,
        after.community_up,
        after.exposed,
    )
    assert table.seats == evolve(table, replace(again, ruling=ruling("exposed:redealt"))).seats


def test_a_round_that_is_void_has_results_for_void_hands_alone() -> None:
    seats = {3: Seat(3, "Ann", void=True, results=LOST), 4: Seat(4, "Bea", dealt_in=True, results=LOST)}
    void = events.Ruled(ruling=ruling("x"), agenda=(), phase="ruling", round=4, voids_round=True)
    after = evolve(a_table(seats=seats), void)
    assert (LOST, (), True) == (after.seats[3].results, after.seats[4].results, after.voiding)


def test_measures_stay_with_those_they_are_taken_against() -> None:
    table = a_table(barred=("Zoe", "Bea"), separated=(("Yan", "Zoe"),), seats={5: Seat(5, "Eve", acts_first=True)})

    def measured(measure: str) -> Table:
        return evolve(table, events.SuspectsNamed(measure=measure, seats=(3, 4), players=("Ann", "Bea")))

    first = measured("act_first")
    assert [3, 4] == [number for number, seat in first.seats.items() if seat.acts_first]
    apart = measured("separate")
    assert (("Yan", "Zoe"), ("Ann", "Bea")) == apart.separated
    assert {4: "separated"} == {number: seat.leaves for number, seat in apart.seats.items() if seat.leaves}
    barred = measured("bar")
    assert ("Zoe", "Bea", "Ann") == barred.barred
    assert {3: "barred", 4: "barred"} == {number: seat.leaves for number, seat in barred.seats.items() if seat.leaves}
    assert ([False] * 3, True) == (
        [one.english_only for one in (first, apart, barred)],
        measured("english_only").english_only,
    )


# parts of the procedure


def test_a_part_of_the_procedure_begins_with_what_is_to_be_done_in_it() -> None:
    said = ruling("exposed:stands")
    table = a_table(
        rulings=(said,), declined=(3,), community_up=2, unmixed=True, seats={3: Seat(3, "Ann", dealt_in=True)}
    )

    def begun(phase: str, number: int = 4) -> tuple[object, ...]:
        after = evolve(table, events.PhaseBegan(phase=phase, agenda=(DUE,), round=number))  # type: ignore[arg-type]  # a phase
        assert (phase, (DUE,), number) == (after.phase, after.agenda, after.round)
        return after.declined, after.rulings, after.community_up, after.unmixed, after.dealt_in, after.bet_cents_max

    kept = (2, True, (3,), 0)
    assert ((), (said,), *kept) == begun("idle") == begun("idle", 5)
    assert ((3,), (said,), *kept) == begun("betting") == begun("settling", 5)
    assert ((3,), (), *kept) == begun("betting", 5)
    assert ((3,), (said,), 0, False, (), 50_000) == begun("dealing")


@pytest.mark.parametrize(("limits", "judged"), [((500, 9_000), (500, 9_000)), ((None, None), (0, 0))])
def test_a_deal_fixes_who_is_in_and_the_limits_the_bets_are_judged_by(
    limits: tuple[int | None, int | None], judged: tuple[int, int]
) -> None:
    table = a_table(rules=rules_by(limit={"cents_min": limits[0], "cents_max": limits[1]}))
    agenda = (Step("deal_packet", 2), Step("deal_card", 4), Step("fan_packet", 5))
    after = evolve(table, events.PhaseBegan(phase="dealing", agenda=agenda, round=4))
    assert ((2, 4), judged) == (after.dealt_in, (after.bet_cents_min, after.bet_cents_max))


# steps


def done(table: Table, kind: str, seat: int = 0, wager: str = "", number: int = 0, **outcome: Any) -> Table:
    return evolve(table, events.StepDone(step=Step(kind, seat, wager, number), **outcome))


def test_a_step_gives_way_to_what_became_due_by_it() -> None:
    assert (DUE, *AGENDA[1:]) == done(a_table(), "call_no_more_bets", inserted=(DUE,)).agenda


def test_lammers_are_placed_one_by_one_and_collected_together() -> None:
    table = done(done(a_table(), "place_lammer", 3), "place_lammer", 4)
    assert [3, 4] == [number for number, seat in table.seats.items() if seat.lammer]
    assert not any(seat.lammer for seat in done(table, "collect_lammers").seats.values())
    returned = done(table, "return_bets", 3, results=LOST)
    assert (False, True, LOST) == (returned.seats[3].lammer, returned.seats[4].lammer, returned.seats[3].results)
    assert (False, LOST) == ((s := done(table, "forfeit_bets", 4, results=LOST).seats[4]).lammer, s.results)


@pytest.mark.parametrize("kind", ["burn_bottom", "burn_first", "burn_last"])
@pytest.mark.parametrize(
    ("phase", "faces", "exposed"),
    [("dealing", [True], 3), ("dealing", [False], 2), ("settling", [True], 2), ("dealing", [True, False], 3)],
)
def test_a_burn_card_seen_in_the_deal_is_exposed(kind: str, phase: Any, faces: list[bool], exposed: int) -> None:
    cards = [replace(card, up=face) for card, face in zip((A, B), faces, strict=False)]
    table = a_table(exposed=2, cards={"packet": tuple(cards)})
    table = replace(table, phase=phase)
    after = done(table, kind, moves=tuple(move(card, "packet", "rack") for card in cards))
    assert (exposed, tuple(replace(card, up=False) for card in cards)) == (after.exposed, after.at("rack"))


def test_steps_that_leave_a_number_behind() -> None:
    table = a_table(rounds_since_count=3, misburned=move(A, "packet", "rack"))
    assert 2 == done(table, "turn_community", number=2).community_up
    assert 5 == done(table, "show_awards", number=5).awards_hands
    assert 6 == done(table, "throw_dice", found=6).action_seat
    assert -1 == done(table, "count_stub").rounds_since_count
    assert 4 == done(table, "collect_community").rounds_since_count
    assert None is done(table, "take_back_burned").misburned
    assert (True, True) == (
        done(table, "tuck_cards", 3).seats[3].tucked,
        done(table, "lay_cards", 3).seats[3].tucked,
    )
    other = done(table, "call_no_more_bets", found=6, number=5)
    assert (0, 0, 0, 3, table.misburned) == (
        other.community_up,
        other.awards_hands,
        other.action_seat,
        other.rounds_since_count,
        other.misburned,
    )
    assert 0 == events.StepDone(step=DUE).found


def test_an_excess_that_goes_back_leaves_what_is_allowed() -> None:
    table = a_table(seats={3: Seat(3, "Ann", wagers={"base-1": 900})})
    assert {"base-1": 500} == done(table, "return_excess", 3, wagers={"base-1": 500}).seats[3].wagers
    assert {"base-1": 900} == done(table, "return_excess", 3).seats[3].wagers


@pytest.mark.parametrize(("due", "brought", "left"), [(2, 2, 0), (2, 1, 2), (1, 1, 0)])
def test_a_deck_that_was_brought_is_due_no_more(due: int, brought: int, left: int) -> None:
    new = tuple(CardObject(brought, 52 + number, card) for number, card in enumerate(DECK))
    table = a_table("washington-1", new_deck_due=due)
    after = done(table, "introduce_deck", number=brought, moves=tuple(move(card, "outside", "spread") for card in new))
    assert (left, new, 52) == (after.new_deck_due, after.at("spread"), after.cards_brought)
    assert {brought: frozenset(range(52, 104))} == after.deck_serials


def test_a_card_that_was_changed_counts_in_place_of_the_old_one() -> None:
    new = CardObject(1, 104, DECK[0])
    moves = (move(A, "chest", "outside"), move(new, "outside", "chest"))
    after = done(a_table(), "change_card", number=1, moves=moves)
    assert ({1: frozenset({*range(1, 52), 104})}, 1) == (after.deck_serials, after.cards_brought)
    assert ((A,), new) == (after.at("outside"), after.at("chest")[-1])


# chips and cards


@pytest.mark.parametrize(
    ("source", "target", "kept"),
    [
        ("felt:3:base-1", "tray", (70, 20, 30, 0)),
        ("felt:3:base-1", "bank", (70, 20, 30, 0)),
        ("tray", "felt:3:base-1", (-50, 20, 30, 0)),
        ("bank", "felt:3:base-1", (-50, 20, 30, 0)),
        ("tray", "stack:3", (10, 80, 30, 0)),
        ("bank", "stack:3", (10, 80, 30, 0)),
        ("bank", "stack:4", (10, 20, 30, 60)),
        ("stack:3", "fees", (10, 20, 90, 0)),
        ("stack:3", "tray", (10, 20, 30, 60)),
        ("felt:3:base-1", "stack:3", (10, 20, 30, 60)),
        ("felt:3:base-1", "felt:3:base-2", (10, 20, 30, 60)),
    ],
)
@pytest.mark.parametrize("kind", ["pay", "take", "return_wager", "collect_fee"])
def test_a_seat_keeps_account_of_what_was_taken_paid_charged_and_given_back(
    source: str, target: str, kept: tuple[int, int, int, int], kind: str
) -> None:
    taken, paid, fee, back = kept
    held = {"felt:3:base-1": 100, "stack:3": 100, "bank": 100}
    seat = Seat(3, "Ann", taken_cents=10, paid_cents=20, fee_cents=30, back={"bonus": 7})
    table = a_table(seats={3: seat}, accounts=held)
    after = done(table, kind, 3, "base-1", chips=(Transfer(source, target, 60),)).seats[3]
    given = {"base-1": back} if back and kind != "collect_fee" else {}
    assert (taken, paid, fee, {"bonus": 7, **given}) == (
        after.taken_cents,
        after.paid_cents,
        after.fee_cents,
        after.back,
    )


def test_chips_of_no_seat_are_in_no_seats_account() -> None:
    table = a_table(accounts={"bank": 100})
    after = done(table, "return_stake", chips=(Transfer("bank", "stack:3", 100),))
    assert (table.seats, {"stack:3": 100}) == (after.seats, after.accounts)
    assert done(table, "ask", 3).seats[3] is table.seats[3]
    assert 100 == after.cents(accounts.stack(3))


def test_cards_go_from_their_place_to_the_end_of_another_with_the_face_that_is_said() -> None:
    table = a_table(cards={"packet": (A, B, C), "rack": (D,), "ready": (CardObject(1, 9, DECK[9]),)})
    after = done(table, "x", moves=(move(B, "packet", "rack", face_up=True), move(A, "packet", "hand:3")))
    assert {"packet": (C,), "rack": (D, up(B)), "hand:3": (A,), "ready": table.at("ready")} == after.cards
    assert after.at("ready") is table.at("ready")
    emptied = done(after, "x", moves=(move(up(B), "rack", "rack"), move(C, "packet", "rack")))
    assert ((D, B, C), False) == (emptied.at("rack"), "packet" in emptied.cards)


def test_a_card_comes_from_where_it_lies_or_from_outside() -> None:
    table = a_table(cards={"outside": (A,)})
    after = done(table, "x", moves=(move(A, "outside", "rack"), move(B, "outside", "rack")))
    assert {"rack": (A, B)} == after.cards
    with pytest.raises(ValueError, match="not in list"):
        done(table, "x", moves=(move(C, "packet", "rack"),))
