"""New South Wales: limits, suspicion, annulment, disputes, and what supervisors may order."""

from __future__ import annotations

import pytest

from letitride.autoplay.steps import plain as plain_do
from letitride.chance.seeded import Seeded
from letitride.engine import commands, events
from letitride.engine.decide import open_table, play
from letitride.engine.refusal import Refusal
from letitride.engine.view import view
from letitride.engine.view_types import NoticeView
from letitride.records.narrate import narrate
from letitride.records.replay import Replayed
from letitride.rules import catalog
from letitride.rules.explain import facts
from letitride.rules.keyspec import KEYS
from letitride.rules.roles import VIEWERS
from letitride.rules.rulebook import RuleBook
from letitride.simulation.random_commands import next_command
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    WHOLE_ROUND,
    bets,
    choices,
    faces,
    fates,
    happened,
    moment,
    order,
    played,
    refusal,
    results,
    ruled,
    rulings,
    stacks,
    step,
    steps,
)

SUPERVISORS = ["games_supervisor", "casino_supervisor", "operator"]
OTHERS = ["dealer", "floor", "inspector", "spectator", "seat:1", "machine"]
NO_CHOICES_3 = "\n".join(line for line in CHOICES.splitlines() if not line.startswith("seat 3"))


def ordered(book: RuleBook, line: str) -> Replayed:
    """Play a round in whose betting, after the bets, an order is given."""
    return played(book, f"{THREE_SEATS}{line}\n{CHOICES}")


@pytest.mark.clause("nsw:6.5.s1")
@pytest.mark.parametrize("by", SUPERVISORS)
def test_a_casino_supervisor_changes_limits_at_any_time(book: RuleBook, by: str) -> None:
    done = ordered(book, f"seat 1 looks\n{by} orders limits min 5 max 200")
    table = done.table
    assert view(table, "seat:1").sign.limits_cents == (500, 20_000)
    later = played(book, f"{THREE_SEATS}{by} orders limits max 200\n{CHOICES}{WHOLE_ROUND}")
    second = next(one.after for one in later.steps if one.after.round == 2 and one.after.phase == "betting")
    assert bets(second, 1, base=30_000) == "above_maximum"
    for other in OTHERS:
        assert (
            refusal(moment(done, "betting"), commands.Order(by=other, kind="limits", cents_max=20_000))
            == "not_your_role"
        )


@pytest.mark.clause("nsw:6.5.s2")
def test_only_a_higher_minimum_needs_a_sign_twenty_minutes_beforehand(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "betting")
    raise_it = commands.Order(by="casino_supervisor", kind="limits", cents_min=1_000, minute=14 * 60 + 20)
    assert refusal(table, raise_it) == "notice_too_short"
    hasty = commands.Order(by="casino_supervisor", kind="announce_minimum", cents_min=1_000, minute=841, when=860)
    assert refusal(table, hasty) == "notice_too_short"
    posted, _ = play(
        table,
        commands.Order(
            by="casino_supervisor", kind="announce_minimum", cents_min=1_000, minute=14 * 60 + 1, when=14 * 60 + 21
        ),
    )
    assert view(posted, "spectator").notices.minimum == NoticeView(posted=841, when=861, cents=1_000)
    assert refusal(posted, raise_it) == "notice_too_short"  # nineteen minutes
    other = commands.Order(by="casino_supervisor", kind="limits", cents_min=1_500, minute=900)
    assert refusal(posted, other) == "notice_too_short"  # another minimum than the sign's
    in_time = commands.Order(by="casino_supervisor", kind="limits", cents_min=1_000, minute=14 * 60 + 21)
    raised, _ = play(posted, in_time)
    assert bets(raised, 1, base=500) == "below_minimum"
    for free in ({"cents_min": 100}, {"cents_max": 100_000}, {"cents_max": 10_000}):
        after, outcome = play(table, commands.Order(by="casino_supervisor", kind="limits", **free))
        assert not isinstance(outcome, Refusal)
        assert after.rules.rules.limit != table.rules.rules.limit


@pytest.mark.clause("nsw:12.12", "nsw:12.12.1")
def test_suspects_act_before_others_touch_their_cards_and_before_the_first_community_card(book: RuleBook) -> None:
    acts = "seat 7 rides 1\nseat 1 rides 1\nseat 3 withdraws 1\nseat 1 rides 2\nseat 3 rides 2\nseat 7 rides 2\n"
    done = played(book, f"{THREE_SEATS}casino_supervisor orders act_first seats 7\n{acts}")
    assert ruled(done) == ["order:act_first"]
    order(done, "ask 7 1", "ask 1 1", "turn_community 1")
    waiting = step(done, "ask 7 1").after
    for other in (1, 3):
        assert refusal(waiting, commands.Look(by=f"seat:{other}", seat=other)) == "suspects_first"
        early = commands.Choose(by=f"seat:{other}", seat=other, bet=1, choice="ride")
        assert refusal(waiting, early) == "not_your_turn"
    assert view(waiting, "seat:7").community == ("[red]", "[red]")
    _, looked = play(waiting, commands.Look(by="seat:7", seat=7))
    assert not isinstance(looked, Refusal)
    _, free = play(step(done, "ask 1 1").after, commands.Look(by="seat:1", seat=1))
    assert not isinstance(free, Refusal)


@pytest.mark.clause("nsw:12.12.1", "nsw:8.4")
def test_suspects_act_first_in_every_round_until_the_first_community_card_is_shown(book: RuleBook) -> None:
    first = "seat 7 rides 1\nseat 1 rides 1\nseat 3 rides 1\n"
    second = "seat 1 rides 2\nseat 3 rides 2\nseat 7 rides 2\n"  # from the dealer's left again
    once = f"{THREE_SEATS}casino_supervisor orders act_first seats 7\n{first}{second}"
    others = (
        f"{THREE_SEATS}casino_supervisor orders act_first seats 3\nseat 3 rides 1\nseat 1 rides 1\nseat 7 rides 1\n"
    )
    done = played(book, f"{once}{THREE_SEATS}{first}{second}{others}{second}")
    chosen = [(made.bet, made.seat) for made in choices(done)]
    assert chosen == [
        *((1, 7), (1, 1), (1, 3), (2, 1), (2, 3), (2, 7)),
        *((1, 7), (1, 1), (1, 3), (2, 1), (2, 3), (2, 7)),
        *((1, 3), (1, 1), (1, 7), (2, 1), (2, 3), (2, 7)),
    ]
    assert [outcome.status for outcome in done.outcomes] == ["settled"] * 3


@pytest.mark.clause("nsw:12.12", "nsw:12.12.2")
def test_suspects_do_not_sit_at_one_table(book: RuleBook) -> None:
    done = ordered(book, "casino_supervisor orders separate seats 1,3")
    assert [done.table.seats[seat].player for seat in (1, 3)] == ["Ann", ""]  # when the round was over
    assert refusal(done.table, commands.Sit(by="seat:4", seat=4, player="Bob", cents=10_000)) == "separated"


@pytest.mark.clause("nsw:12.12", "nsw:12.12.3")
def test_only_english_at_the_table(book: RuleBook) -> None:
    done = ordered(book, "casino_supervisor orders english_only")
    assert {view(done.table, viewer).notices.english_only for viewer in VIEWERS} == {True}
    assert view(step(done, "load_shoe").after, "seat:1").notices.english_only is False


@pytest.mark.clause("nsw:12.12", "nsw:12.12.4")
def test_suspects_are_barred(book: RuleBook) -> None:
    done = ordered(book, "games_supervisor orders bar seats 3,7 ground collusion")
    assert [done.table.seats[seat].player for seat in (1, 3, 7)] == ["Ann", "", ""]
    left = [event for event in happened(done) if isinstance(event, events.PlayerLeft)]
    assert [event.why for event in left] == ["barred", "barred"]
    for name in ("Bob", "Cy"):
        assert refusal(done.table, commands.Sit(by="seat:4", seat=4, player=name, cents=10_000)) == "barred"


@pytest.mark.clause("nsw:12.12")
@pytest.mark.parametrize("by", OTHERS)
def test_nobody_but_a_supervisor_takes_measures_on_suspicion(book: RuleBook, by: str) -> None:
    table = moment(played(book, WHOLE_ROUND), "betting")
    for kind in ("act_first", "separate", "english_only", "bar"):
        order_given = commands.Order(by=by, kind=kind, seats=(1, 3), ground="collusion")
        assert refusal(table, order_given) == "not_your_role"


@pytest.mark.clause("nsw:14.3", "nsw:14.3.1")
def test_the_bets_of_a_player_with_a_forbidden_device_are_void(book: RuleBook) -> None:
    line = "seat 3 looks\ncasino_supervisor orders void_bets seats 3 ground device because of a telephone\n"
    done = played(book, f"{THREE_SEATS}{line}{NO_CHOICES_3}")
    assert ruled(done) == ["order:void_bets"]
    assert (fates(done, 3), stacks(done, 3)) == (["void"] * 3, [50_000])
    back = step(done, "return_bets 3")
    assert (back.before.cents("stack:3"), back.after.cents("stack:3")) == (47_000, 50_000)
    assert faces(step(done, "discard_hand 3").after, "hand:3") == []
    plain = played(book, WHOLE_ROUND)
    assert [done.outcomes[0].results[n] for n in (1, 7)] == [plain.outcomes[0].results[n] for n in (1, 7)]


@pytest.mark.clause("nsw:14.3", "nsw:14.3.1")
@pytest.mark.parametrize("device", ["", "+shuffler", "+two_decks"])
@pytest.mark.parametrize("last", ["open_hand 7", "take 3 base-2", "pay 7 base-1", "pay 1 base-$"])
@pytest.mark.parametrize("seat", [1, 3, 7])
def test_any_bet_of_the_round_can_be_declared_void_until_the_round_is_over(
    book: RuleBook, seat: int, last: str, device: str
) -> None:
    plain = played(book.id + device, WHOLE_ROUND)
    given = commands.Order(by="casino_supervisor", kind="void_bets", seats=(seat,), ground="device")
    table, outcome = play(step(plain, last).after, given)
    assert not isinstance(outcome, Refusal)
    ended: list[events.RoundEnded] = []
    while not ended:
        assert table.next_step is not None
        table, outcome = play(table, plain_do(table.next_step))
        assert not isinstance(outcome, Refusal)
        ended = [event for event in outcome if isinstance(event, events.RoundEnded)]
    others = [number for number in (1, 3, 7) if number != seat]
    assert table.cents(f"stack:{seat}") == 50_000  # what was taken or paid went back too
    assert [table.cents(f"stack:{number}") for number in others] == stacks(plain, *others)
    assert [table.cents(f"felt:{seat}:base-{spot}") for spot in "12$"] == [0, 0, 0]
    assert refusal(table, given) == "no_bets"


@pytest.mark.clause("nsw:14.3", "nsw:14.3.2")
def test_a_player_with_a_forbidden_device_is_barred(book: RuleBook) -> None:
    done = ordered(book, "casino_supervisor orders bar seats 3 ground device")
    assert rulings(done)[0].clauses == ("nsw:14.3", "nsw:14.3.2")
    assert [done.table.seats[seat].player for seat in (1, 3, 7)] == ["Ann", "", "Cy"]  # gone when the round was over
    assert results(done, 3)["base-$"].fate == "lost"  # the bets were not void: that is another measure
    for seat in (3, 4):
        again = commands.Sit(by=f"seat:{seat}", seat=seat, player="Bob", cents=10_000)
        assert refusal(done.table, again) == "barred"
    table = moment(done, "betting")
    for by in OTHERS:
        for kind in ("bar", "void_bets"):
            given = commands.Order(by=by, kind=kind, seats=(3,), ground="device")
            assert refusal(table, given) == "not_your_role"


@pytest.mark.clause("nsw:14.4.1", "nsw:14.5.s1")
def test_a_game_upset_by_fire_or_riot_is_annulled_and_the_bets_refunded(book: RuleBook) -> None:
    line = "seat 1 looks\nseat 1 withdraws 1\ncasino_supervisor orders annul ground disturbance because of fire\n"
    done = played(book, THREE_SEATS + line)
    assert ruled(done) == ["order:annul:disturbance"]
    assert (done.outcomes[0].status, stacks(done, 1, 3, 7)) == ("void", [50_000] * 3)
    table = step(done, "ask 1 1").before
    forfeit = commands.Order(by="casino_supervisor", kind="annul", ground="disturbance", seats=(3,))
    assert refusal(table, forfeit) == "no_forfeiture"
    assert refusal(table, commands.Order(by="casino_supervisor", kind="annul")) == "no_ground"
    for by in OTHERS:
        assert refusal(table, commands.Order(by=by, kind="annul", ground="disturbance")) == "not_your_role"


@pytest.mark.clause("nsw:14.4.2", "nsw:14.5.s1", "nsw:14.5.s2")
def test_a_game_upset_by_fraud_is_annulled_and_the_defrauders_bet_may_be_forfeited(book: RuleBook) -> None:
    line = "seat 1 looks\nseat 1 withdraws 1\ncasino_supervisor orders annul seats 3 ground fraud because of a marked card\n"
    done = played(book, THREE_SEATS + line)
    assert ruled(done) == ["order:annul:fraud"]
    assert fates(done, 3) == ["forfeited"] * 3
    assert stacks(done, 1, 3, 7) == [50_000, 47_000, 50_000]
    assert done.table.cents("tray") == 3_000


@pytest.mark.clause("nsw:14.8")
def test_a_table_with_players_closes_twenty_minutes_after_the_sign(book: RuleBook) -> None:
    table = step(played(book, WHOLE_ROUND), "call_no_more_bets").before
    rest = table
    for seat in (1, 3, 7):
        rest, _ = play(rest, commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers={}))
    close = commands.Order(by="casino_supervisor", kind="close", minute=620)
    assert refusal(rest, close) == "notice_too_short"
    hasty = commands.Order(by="casino_supervisor", kind="announce_closing", minute=601, when=620)
    assert refusal(rest, hasty) == "notice_too_short"
    posted, _ = play(rest, commands.Order(by="casino_supervisor", kind="announce_closing", minute=601, when=621))
    assert refusal(posted, close) == "notice_too_short"
    closed, _ = play(posted, commands.Order(by="casino_supervisor", kind="close", minute=621))
    assert closed.phase == "closed"
    assert bets(closed, 1, base=1_000) == "closed"
    assert refusal(closed, commands.Sit(by="seat:2", seat=2, player="Di", cents=10_000)) == "closed"
    left, _ = play(closed, commands.Leave(by="seat:1", seat=1))
    assert left.cents("wallet") == table.cents("wallet") + 50_000
    assert refusal(table, close) == "round_running"  # with bets down


FULL = "".join(f"seat {n} sits P{n} 500\n" for n in range(1, 8))


@pytest.mark.clause("nsw:14.9")
def test_a_player_who_sits_out_three_rounds_at_a_full_table_may_be_told_to_go(book: RuleBook) -> None:
    one_round = "round\nhand 1 Th Td 4c\ncommunity Ks 2d\nseat 1 bets 10\nseat 1 rides 1\nseat 1 rides 2\n"
    go = commands.Order(by="casino_supervisor", kind="give_up_seat", seats=(7,))
    assert refusal(played(book, one_round * 2, seated=FULL).table, go) == "may_stay"
    full = played(book, one_round * 3, seated=FULL).table
    gone, outcome = play(full, go)
    assert not isinstance(outcome, Refusal)
    assert (gone.seats[7].player, gone.cents("stack:7")) == ("", 0)
    assert refusal(full, commands.Order(by="casino_supervisor", kind="give_up_seat", seats=(1,))) == "may_stay"
    not_full = played(book, one_round * 3, seated=FULL.replace("seat 4 sits P4 500\n", "")).table
    assert refusal(not_full, go) == "seats_free"


@pytest.mark.clause("nsw:14.11")
def test_a_supervisor_refuses_a_bet_before_the_first_card_and_has_it_taken_off(book: RuleBook) -> None:
    done = played(book, f"{THREE_SEATS}casino_supervisor orders refuse_bet seats 3 because he is drunk\n{NO_CHOICES_3}")
    assert ruled(done) == ["order:refuse_bet"]
    assert (stacks(done, 3), 3 in done.outcomes[0].results) == ([50_000], False)
    called = step(done, "call_no_more_bets").after
    refuse = commands.Order(by="casino_supervisor", kind="refuse_bet", seats=(1,), why="grounds")
    taken_off, outcome = play(called, refuse)  # between the call and the first card it is not too late
    assert not isinstance(outcome, Refusal)
    assert (taken_off.cents("felt:1:base-1"), taken_off.cents("stack:1")) == (0, 50_000)
    assert refusal(step(done, "deal_card 1 1").after, refuse) == "not_now"
    assert refusal(called, commands.Order(by="casino_supervisor", kind="refuse_bet", seats=(1,))) == "say_why"
    for by in OTHERS:
        assert refusal(called, commands.Order(by=by, kind="refuse_bet", seats=(1,), why="grounds")) == "not_your_role"


DISPUTE = "seat 3 disputes my nines were read as eights\n"


@pytest.mark.clause("nsw:14.12.s1", "nsw:14.13.s1", "nsw:14.13.s2")
def test_a_dispute_goes_to_the_games_supervisor_then_up_and_the_operator_is_final(book: RuleBook) -> None:
    way = (
        DISPUTE
        + "casino_supervisor decides dispute 1 rejected because read from the layout => not_your_role\n"
        + "games_supervisor decides dispute 1 rejected because the cards show it\n"
        + "seat 3 appeals\n"
        + "games_supervisor decides dispute 1 rejected because again => not_your_role\n"
        + "casino_supervisor decides dispute 1 rejected because the camera shows it\n"
        + "seat 3 appeals\n"
        + "operator decides dispute 1 rejected because both were right\n"
        + "seat 3 appeals => nothing_to_appeal\n"
    )
    done = played(book, THREE_SEATS + way + CHOICES)
    decided = [event for event in happened(done) if isinstance(event, events.DisputeDecided)]
    assert [(event.by, event.final) for event in decided] == [
        ("games_supervisor", False),
        ("casino_supervisor", False),
        ("operator", True),
    ]
    assert decided[2].clauses == ("nsw:14.13.s1", "nsw:14.13.s2")
    assert done.table.disputes == ()
    told = step(done, "tell_inspector 3")
    assert told.command.by == "floor"
    said = view(told.before, "floor").script
    assert said is not None
    assert said.text == "tell seat 3 that the dispute can go to an inspector"
    satisfied = "operator decides dispute 1 upheld because both were wrong\n"
    rejected = "operator decides dispute 1 rejected because both were right\n"
    happy = way.replace(rejected, satisfied)
    assert "tell_inspector 3" not in steps(played(book, THREE_SEATS + happy + CHOICES))


@pytest.mark.clause("nsw:14.12.s2")
def test_without_a_games_supervisor_it_goes_straight_to_a_casino_supervisor(book: RuleBook) -> None:
    way = (
        "seat 3 disputes the second card was mine\n"
        "casino_supervisor decides dispute 1 upheld award 30 because the camera shows it => not_your_role\n"
        "casino_supervisor decides dispute 1 upheld award 30 without games_supervisor because the camera shows it\n"
    )
    done = played(book, THREE_SEATS + way + CHOICES)
    (decided,) = [event for event in happened(done) if isinstance(event, events.DisputeDecided)]
    assert (decided.by, decided.upheld) == ("casino_supervisor", True)
    assert [(c.source, c.target, c.cents) for c in decided.chips] == [("tray", "stack:3", 3_000)]
    assert decided.clauses == ("nsw:14.12.s2",)
    lines = [line for one in done.steps for line in narrate(one) if "dispute 1" in line and "refused" not in line]
    assert [line.partition(" dispute")[0] for line in lines] == [
        "seat 3:",
        "casino supervisor, with no games supervisor on duty: upholds",
    ]
    assert "ruled on by the games supervisor if on duty" in lines[0]


@pytest.mark.clause("nsw:14.1", "nsw:14.6")
def test_no_advice_is_shown_or_given_by_those_who_run_the_table(book: RuleBook) -> None:
    table = step(played(book, WHOLE_ROUND), "ask 1 1").after
    for viewer in (*VIEWERS, "seat:1"):
        assert view(table, viewer).coach is False
    elsewhere = open_table(catalog.table_rules("hand-dealt-1"))[0]
    assert view(elsewhere, "spectator").coach is True  # where the book allows it, it is shown
    for by in ("dealer", "floor", "games_supervisor", "casino_supervisor"):
        assert refusal(table, commands.Advise(by=by, seat=1, words="ride it")) == "no_advice"


@pytest.mark.clause("nsw:14.7")
def test_nobody_advises_or_acts_for_a_player_who_has_not_asked(book: RuleBook) -> None:
    table = step(played(book, WHOLE_ROUND), "ask 1 1").after
    for by in ("spectator", "seat:3"):
        assert refusal(table, commands.Advise(by=by, seat=1, words="ride it")) == "no_advice"
        assert refusal(table, commands.Choose(by=by, seat=1, bet=1, choice="ride")) == "not_your_seat"
    asked, _ = play(table, commands.AskAdvice(by="seat:1", seat=1))
    _, outcome = play(asked, commands.Advise(by="spectator", seat=1, words="ride it"))
    assert not isinstance(outcome, Refusal)


@pytest.mark.clause("nsw:14.10")
def test_no_chip_ever_goes_from_one_player_to_another(book: RuleBook) -> None:
    table, _ = open_table(catalog.table_rules(book.id))
    chance = Seeded(1, "side bets", 0)
    moved = 0
    for _ in range(3_000):
        table, outcome = play(table, next_command(table, chance))
        for event in () if isinstance(outcome, Refusal) else outcome:
            for chips in event.chips:
                sides = [_owner(account) for account in (chips.source, chips.target)]
                assert "" in sides or sides[0] == sides[1], chips
                moved += 1
    assert moved > 500


@pytest.mark.clause("nsw:14.10")
def test_no_bet_is_taken_that_is_not_against_the_house_on_the_players_own_area(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "betting")
    for by in ("seat:3", "spectator"):
        assert bets(table, 1, by=by, base=1_000) == "not_your_seat"
    for name in ("side", "bonus", "three_card", "seat:3"):
        assert bets(table, 1, **{name: 1_000}) == "not_offered"


def _owner(account: str) -> str:
    """The seat an account belongs to, or '' for the house and the world outside."""
    kind, _, rest = account.partition(":")
    return rest.partition(":")[0] if kind in {"stack", "tokens", "felt"} else ""


@pytest.mark.clause("nsw:14.14")
def test_anybody_may_see_the_rules_at_any_time(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    for phase in ("betting", "choice_1", "settling"):
        for viewer in (*VIEWERS, "seat:1", "seat:2"):
            named = view(moment(done, phase), viewer).rules
            shown = catalog.rulebook(named.book)
            assert [fact.spec.name for fact in facts(shown)] == list(KEYS)
            assert named.sha256 == done.table.rules.book.digest
