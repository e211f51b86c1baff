"""Narrate: the facts that a line of a told round carries, and to whom it is told."""

from __future__ import annotations

import re
from itertools import pairwise, zip_longest
from typing import get_args

from letitride.engine import commands, events, places
from letitride.engine.decide import open_table
from letitride.engine.places import CardObject, Move
from letitride.engine.refusal import Refusal
from letitride.engine.state import Dispute, Ruling, Sign
from letitride.engine.steps import Step
from letitride.ledger.transfers import Transfer
from letitride.records.narrate import ALL, narrate, ruling_line, summary
from letitride.records.played import Played
from letitride.records.reader import read_record
from letitride.records.replay import Outcome, replay
from letitride.rules import catalog
from letitride.rules.cards import DECK
from letitride.rules.settlement import WagerResult

TABLE, _ = open_table(catalog.ready_rules("nsw-1"))
STAFF = ("dealer", "floor", "inspector")
VIEWERS = (ALL, *STAFF, "spectator", "seat:1", "seat:3")


def told(event: events.AnyEvent, viewer: str = ALL) -> list[str]:
    return list(narrate(Played(4, None, (event,), TABLE, TABLE), viewer))


def told_to(event: events.AnyEvent) -> set[str]:
    return {viewer for viewer in VIEWERS if told(event, viewer)}


def says(line: str, fact: str) -> bool:
    """Whether a line has a fact as whole words."""
    return re.search(rf"(?<![\w$]){re.escape(fact)}(?!\w)", line) is not None


def chips(cents: int, target: str = "stack:3") -> tuple[Transfer, ...]:
    return (Transfer("wallet:Bob", target, cents),)


def dispute(**given: object) -> Dispute:
    fields = {"number": 2, "seat": 3, "player": "Bob", "about": "the pay", "heard_by": ("games_supervisor", "operator")}
    return Dispute(**{**fields, **given})  # type: ignore[arg-type]  # fields by their names


EVENTS: tuple[tuple[events.AnyEvent, str, str], ...] = (
    (events.ChipsBought(seat=3, chips=chips(2_500)), "seat 3|$25", ""),
    (events.VoucherExchanged(seat=3, chips=chips(700)), "seat 3|voucher|$7|chips", "tokens"),
    (events.VoucherExchanged(seat=3, chips=chips(700, "tokens:3")), "seat 3|voucher|$7|tokens", "chips"),
    (events.PlayerLeft(seat=3, chips=chips(700) + chips(50)), "seat 3|leaves|$7.50", ""),
    (events.SatOut(seat=3, out=True), "seat 3|sits out", "back in"),
    (events.SatOut(seat=3, out=False), "seat 3|back in", "sits out"),
    (events.WagersPlaced(seat=3, wagers={"base-1": 500, "bonus": 100}, medium="chips"), "bet 1 $5|Bonus $1", "chips"),
    (events.WagersPlaced(seat=3, wagers={"base-1": 500}, medium="tokens"), "seat 3|bet 1 $5|in tokens", "nothing"),
    (events.WagersPlaced(seat=3, wagers={}, medium="tokens"), "seat 3|bets nothing", "tokens"),
    (events.CouponLaid(seat=3, cents=500), "seat 3|match-play coupon of $5|beside the third bet", "tokens"),
    (events.WagersPlaced(seat=3, wagers={}, medium="chips", returned=True), "seat 3|bets back", "nothing"),
    (events.PlayerWentAway(seat=3), "seat 3|away", ""),
    (events.PlayerCameBack(seat=3), "seat 3|at the table", ""),
    (events.HandFolded(seat=3, agenda=()), "seat 3|folds", ""),
    (events.SignPosted(kind="minimum", sign=Sign(1_200, 1_230, 1_000), by="floor"), "20:00|$10|20:30", "close"),
    (events.SignPosted(kind="closing", sign=Sign(1_200, 1_230), by="floor"), "20:00|close|20:30", "minimum"),
    (events.AdviceAsked(seat=3, wanted=True), "seat 3|asks for advice", "no advice"),
    (events.AdviceAsked(seat=3, wanted=False), "seat 3|no advice", "asks"),
    (events.AdviceGiven(seat=3, by="spectator", words="ride it"), "spectator|seat 3|ride it", ""),
    (events.TableClosed(by="floor"), "table|closed", ""),
)
"""Events that every viewer is told of, the facts their line has, and one that it has not."""


def test_a_line_carries_the_facts_of_what_happened_to_every_viewer() -> None:
    for event, facts, never in EVENTS:
        for viewer in VIEWERS:
            (line,) = told(event, viewer)
            assert not [fact for fact in facts.split("|") if not says(line, fact)], line
            assert not (never and says(line, never)), line
    assert told(events.RoundRead(results={})) == []
    assert told(events.SuspectsNamed(measure="bar", seats=(3,), players=("Bob",))) == []
    assert told(events.PhaseBegan(phase="dealing", agenda=(), round=1)) == []


def test_every_mishap_is_told_in_words_of_its_own_to_those_who_audit() -> None:
    lines = set()
    for kind in get_args(commands.MishapKind):
        event = events.MishapHappened(kind=kind, seat=3)
        assert told_to(event) == {ALL, "inspector"}, kind
        (line,) = told(event)
        assert says(line, "seat 3"), kind
        assert not says(told(events.MishapHappened(kind=kind, seat=0))[0], "seat 0"), kind
        lines.add(line)
    assert len(lines) == len(get_args(commands.MishapKind))


def test_a_dispute_is_told_to_those_who_run_the_table_and_to_its_player() -> None:
    raised = events.DisputeRaised(dispute=dispute())
    lost = events.DisputeDecided(number=2, seat=3, by="games_supervisor", upheld=False, why="seen", final=False)
    won = events.DisputeDecided(
        number=2,
        seat=3,
        by="operator",
        upheld=True,
        why="seen",
        final=True,
        clauses=("nsw:15.1", "nsw:15.2"),
        chips=chips(500),
    )
    appealed = events.DisputeAppealed(number=2, seat=3, to="casino_supervisor")
    for event, facts, never in (
        (raised, "seat 3|dispute 2|games supervisor|the pay", "operator"),
        (lost, "games supervisor|rejects|dispute 2|seat 3|seen|house default", "final"),
        (won, "operator|upholds|dispute 2|seat 3|$5|seen|final|nsw:15.1, nsw:15.2", "house default"),
        (appealed, "seat 3|casino supervisor|dispute 2", ""),
    ):
        assert told_to(event) == {ALL, *STAFF, "seat:3"}, event
        (line,) = told(event)
        assert not [fact for fact in facts.split("|") if not says(line, fact)], line
        assert not (never and says(line, never)), line


def test_a_refusal_is_told_to_the_one_who_was_refused() -> None:
    refusal = Refusal("betting_closed", "Betting is closed.")
    act = Played(4, commands.Look(by="seat:3", seat=3), refusal, TABLE, TABLE)
    assert {viewer for viewer in VIEWERS if list(narrate(act, viewer))} == {ALL, "seat:3"}
    (line,) = narrate(act)
    assert says(line, "seat 3 looks")
    assert says(line, "betting_closed")
    assert not list(narrate(Played(0, None, refusal, TABLE, TABLE)))


def test_a_ruling_names_its_seats_and_a_suspicion_is_for_those_it_concerns() -> None:
    def ruling(**given: object) -> Ruling:
        return Ruling(**{"name": "order:bar", "sentence": "so", **given})  # type: ignore[arg-type]  # fields by names

    for one, facts, never in (
        (ruling(seat=5, seats=(1, 3)), "seats 1, 3|house default", "5"),
        (ruling(seat=3), "seat 3", "seats"),
        (ruling(clauses=("nsw:12.1",), by="casino_supervisor", why="seen"), "casino supervisor|seen|nsw:12.1", "seat"),
        (ruling(by="seat:3"), "seat 3: so", "because"),
    ):
        line = ruling_line(one)
        assert not [fact for fact in facts.split("|") if not says(line, fact)], line
        assert not says(line, never), line
    barred = events.Ruled(ruling=ruling(seats=(3,)), agenda=(), phase="dealing", round=1)
    assert told_to(barred) == {ALL, *STAFF, "seat:3"}
    for_all = events.Ruled(ruling=ruling(name="hand_count:misdeal"), agenda=(), phase="dealing", round=1)
    assert told_to(for_all) == set(VIEWERS)


def test_cards_are_told_to_those_who_see_their_faces() -> None:
    text = "rulebook nsw-1\nseat 1 sits Ann 500\nseat 3 sits Bob 500\nround\nhand 1 Th Td 4c\nseat 1 bets 10\n"
    done = replay(read_record(f"{text}seat 1 looks\nseat 1 rides 1\nseat 1 rides 2\n"))
    looked = next(one for one in done.steps if isinstance(one.command, commands.Look))
    lines = {viewer: " ".join(narrate(looked, viewer)) for viewer in VIEWERS}
    assert {viewer for viewer in VIEWERS if says(lines[viewer], "Th Td 4c")} == {ALL, "seat:1"}
    assert all(says(line, "seat 1") for line in lines.values())
    (opened,) = narrate(done.steps[0])
    assert says(opened, "New South Wales casino rules")


def test_faces_are_told_with_the_steps_that_show_them_and_never_the_whole_deck() -> None:
    def faces(kind: str, count: int, viewer: str, *, up: bool) -> int:
        cards = [CardObject(1, serial, face) for serial, face in enumerate(DECK[:count])]
        moves = tuple(Move(card, places.READY, places.RACK, up) for card in cards)
        (line,) = told(events.StepDone(step=Step(kind, seat=3), moves=moves), viewer)
        return sum(says(line, str(card.face)) for card in cards)

    shown = ("open_hand", "turn_community", "deal_packet", "deal_card")
    dealt = ("deal_packet", "deal_card", "deal_community", "slide_left", "slide_right")
    for kind in dict.fromkeys((*shown, *dealt, "replace_card", "collect_hand")):
        for viewer in VIEWERS:
            assert faces(kind, 3, viewer, up=True) == (3 if viewer == ALL or kind in shown else 0), (kind, viewer)
            assert faces(kind, 3, viewer, up=False) == (3 if viewer == ALL and kind in dealt else 0), (kind, viewer)
    assert [faces("deal_packet", count, ALL, up=False) for count in (0, 5, 6, 52)] == [0, 5, 0, 0]


def test_the_result_of_a_round_is_told_by_seat_with_what_each_wager_came_to() -> None:
    rows = {
        1: (WagerResult("base-1", 1_000, "won", 2_000, 1_000), WagerResult("base-2", 1_000, "withdrawn", 0, 1_000)),
        3: (WagerResult("base-1", 1_000, "lost", 0, 400), WagerResult("base-2", 700, "lost")),
    }
    first, second, bank = summary(Outcome("california-1", 1, "settled", rows, bank=(5, 30_000)))
    for line, facts, never in (
        (first, "seat 1|bet 1 $10 won, paid $20|bet 2 $10 taken back|net $20", "returned"),
        (second, "seat 3|bet 1 $10 lost, $4 of it returned|bet 2 $7 lost|net -$13", "paid"),
        (bank, "seat 5|$300|net -$7", ""),
    ):
        assert not [fact for fact in facts.split("|") if not says(line, fact)], line
        assert not (never and says(line, never)), line
    assert len(re.findall("paid", first)) == len(re.findall("returned", second)) == 1
    assert len(list(summary(Outcome("nsw-1", 1, "settled", rows)))) == 2


def story(text: str, viewer: str = ALL) -> list[str]:
    """Return a record as it is told, each step with the one after it."""
    steps = replay(read_record(text)).steps
    return [line for one, then in zip_longest(steps, steps[1:]) for line in narrate(one, viewer, then)]


def rides(*seats: int) -> str:
    return "".join(f"seat {seat} rides {bet}\n" for bet in (1, 2) for seat in seats)


SEATED = "seat 1 sits Ann 500\nseat 3 sits Bob 500\nround\nseat 1 bets 10\nseat 3 bets 10\n"


def test_a_bet_that_is_refused_is_not_told_as_uneven() -> None:
    refused = "casino_supervisor orders refuse_bet seats 1 because drunk\n"
    uneven = "seat 1 bets 1=10 2=10\n"
    cases = (("nsw-1", refused, "refused", "equal"), ("hand-dealt-1", uneven, "not three equal bets", "refused"))
    for book, line, why, other in cases:
        (back,) = [one for one in story(f"rulebook {book}\n{SEATED}{line}{rides(3)}") if "bets back" in one]
        assert says(back, why), back
        assert not says(back, other), back


def test_a_player_who_is_away_tucks_no_cards() -> None:
    seated = f"rulebook nsw-1\n{SEATED}".replace("round\n", "round\nhand 1 Th Td 4c\n")
    away = story(f"{seated}seat 1 looks\ndealer reports absent seat 1\n{rides(3)}")
    assert not [line for line in away if "tucks" in line]
    assert sum("ride (ruled for a player who is away)" in line for line in away) == 2
    early = story(f"{seated}seat 1 looks\nseat 1 tucks\n{rides(3)}")
    assert "seat 1: tucks the cards" in early


def test_a_card_that_stayed_behind_is_not_told_as_dealt() -> None:
    text = f"rulebook shufflemaster-1\n{SEATED}".replace("round\n", "round\nhand 3 Th Td 4c\n")
    short = "mishap short seat 3\ndealer reports hand_count seat 3\n"
    for more, count, cards in ((rides(1, 3), "three", "Th Td 4c"), (short, "two", "Th Td")):
        (dealt,) = [line for line in story(text + more) if "packet of" in line and says(line, "to seat 3")]
        assert says(dealt, f"a packet of {count}"), dealt
        assert f": {cards}  (" in dealt, dealt
    by_the_dealer = [line for line in story(text + short, "dealer") if "a packet of" in line]
    assert [says(line, "three") for line in by_the_dealer] == [True, True]  # who deals has not noticed
    told_by_card = story(f"rulebook nsw-1\n{SEATED}mishap short seat 1\ndealer reports hand_count seat 1\n")
    (before,) = [line for line, then in pairwise(told_by_card) if says(then, "one card too few")]
    assert before.startswith("dealer: deal a card to seat 1, which stays behind")
    for viewer, count in ((ALL, "two"), ("inspector", "two"), ("dealer", "three"), ("seat:3", "three")):
        (packet,) = [line for line in story(text + short, viewer) if "packet of" in line and says(line, "to seat 3")]
        assert says(packet, f"a packet of {count}"), (viewer, packet)


def test_only_a_card_too_few_means_that_one_stayed_behind() -> None:
    cards = [CardObject(1, serial, face) for serial, face in enumerate(DECK[:3])]
    moves = tuple(Move(card, places.READY, places.hand(3), False) for card in cards)
    dealt = Played(0, None, (events.StepDone(step=Step("deal_packet", seat=3), moves=moves),), TABLE, TABLE)
    back = (Move(cards[2], places.hand(3), places.READY, False),)
    thens = {kind: (events.MishapHappened(kind=kind, seat=3, moves=back),) for kind in get_args(commands.MishapKind)}
    for kind, outcome in {
        **thens,
        "refused": Refusal("no_bets", "No."),
        "read": (events.RoundRead(results={}),),
    }.items():
        (line,) = narrate(dealt, ALL, Played(0, None, outcome, TABLE, TABLE))
        faces = [str(card.face) for card in cards if says(line, str(card.face))]
        assert len(faces) == (2 if kind == "short" else 3), (kind, line)
        assert says(line, "a packet of two") == (kind == "short"), (kind, line)


def test_bets_that_come_back_with_another_ruling_were_not_refused() -> None:
    back = events.WagersPlaced(seat=3, wagers={}, medium="chips", returned=True)
    for name, refused in (("order:refuse_bet", True), ("order:count", False), ("absent:hand_void", False)):
        ruled = events.Ruled(ruling=Ruling(name=name, sentence="so"), agenda=(), phase="betting", round=1)
        *_, line = narrate(Played(4, None, (ruled, back), TABLE, TABLE))
        assert (says(line, "refused"), says(line, "equal")) == (refused, not refused), name
