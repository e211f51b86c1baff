"""The pit: figures that add up, bands that tell bad luck from what is no chance, names from the record, and ratings."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from math import isclose

import msgspec
import pytest

from letitride.analysis.base import best_play, plain_nets
from letitride.analysis.side_bets import combine
from letitride.engine import events
from letitride.reports.pit.bands import at_least, band
from letitride.reports.pit.figures import Figures, total
from letitride.reports.pit.ratings import merged
from letitride.reports.pit.rotation import Stint, end_at, stints
from letitride.reports.pit.table_day import TableDay, decoded, encoded, table_day
from letitride.reports.shift.figures import shift_report
from letitride.rules import catalog
from letitride.rules.paytables import base_pays
from letitride.storage.roles.audit import AuditRow
from tests.server.journals import HOUSES, START_MS, STEP_MS, fuzzed, past_of

END_MS = START_MS + 10**9


def day(house: str, from_ms: int = 0, to_ms: int = END_MS, audit: tuple[AuditRow, ...] = ()) -> TableDay:
    past = past_of(fuzzed(house), "t1")
    rounds = past.rounds_touching(from_ms, to_ms)
    return table_day("t1", rounds, audit, {}, from_ms=from_ms, to_ms=to_ms, now_ms=END_MS)


@pytest.mark.parametrize("house", HOUSES)
def test_days_add_up_to_their_sum_and_are_read_as_they_were_kept(house: str) -> None:
    middle = START_MS + 300 * STEP_MS + STEP_MS // 2
    whole, one, two = day(house), day(house, 0, middle), day(house, middle)
    assert total([one.figures, two.figures]) == whole.figures
    assert whole.figures.rounds > 5
    assert whole.figures.expected_cents
    assert one.row < two.row == whole.row
    assert decoded(encoded(whole)) == whole
    assert decoded(encoded(whole).replace(b'"format":1', b'"format":0')) is None
    assert [*one.log, *two.log] == list(whole.log)
    by_player = {one.player: one for one in merged([*one.ratings, *two.ratings])}
    for rating in whole.ratings:
        both = by_player[rating.player]
        assert (both.hands, both.placed_cents, both.drop_cents, both.seated_ms) == (
            rating.hands,
            rating.placed_cents,
            rating.drop_cents,
            rating.seated_ms,
        )
        assert both.theoretical_cents == rating.theoretical_cents


@pytest.mark.parametrize("house", HOUSES)
def test_ratings_are_what_players_did_by_the_events(house: str) -> None:
    """Seconds, purchases and bets by a reading of the events that knows nothing of seats or settlements."""
    past = past_of(fuzzed(house), "t1")
    seats: dict[int, str] = {}
    bought, minutes, since = Counter[str](), Counter[str](), dict[str, int]()
    at = 0
    for moment in past.moments():
        at = moment.at_ms
        for event in moment.events:
            if isinstance(event, events.PlayerSat):
                seats[event.seat] = event.player
                since.setdefault(event.player, at)
            for chips in event.chips:
                if chips.source.startswith("wallet:"):
                    bought[chips.source.removeprefix("wallet:")] += chips.cents
            if isinstance(event, events.PlayerLeft):
                player = seats.pop(event.seat)
                if player not in seats.values():
                    minutes[player] += at - since.pop(player)
    for player, began in since.items():
        minutes[player] += END_MS - began
    found = day(house)
    rated = {one.player: one for one in found.ratings}
    assert {player: one.drop_cents for player, one in rated.items() if one.drop_cents} == dict(bought)
    assert {player: one.seated_ms for player, one in rated.items() if one.seated_ms} == dict(minutes)
    assert sum(one.theoretical_cents for one in rated.values()) == found.figures.expected_cents
    nets = defaultdict[str, int](int)
    for one in past.rounds():
        if one.status == "settled":
            for seat, results in one.results.items():
                nets[one.last.seats[seat].player] -= sum(result.net_cents for result in results)
    assert {player: one.win_cents for player, one in rated.items() if one.win_cents} == {
        player: net for player, net in nets.items() if net
    }


def test_the_incident_log_has_the_rulings_orders_and_disputes_of_the_journal() -> None:
    counted = Counter[str]()
    for house in HOUSES:
        found = day(house)
        ruled = [
            (moment.at_ms, event.ruling.clauses)
            for moment in past_of(fuzzed(house), "t1").moments()
            for event in moment.events
            if isinstance(event, events.Ruled)
        ]
        assert [(o.at_ms, o.clauses) for o in found.log if o.kind in {"irregularity", "order"}] == ruled
        counted.update(one.kind for one in found.log)
        figures = found.figures
        assert figures.irregularities + figures.orders == len(ruled)
    assert counted.keys() >= {"irregularity", "order", "dispute"}


def audited(at: int, who: str, what: str, why: str = "") -> AuditRow:
    return AuditRow(number=at, at=at, who=who, what=what, why=why)


def test_a_shift_that_was_never_ended_is_not_the_dealers_for_ever() -> None:
    """Dan's server was killed: from its restart on the automatic dealer dealt, until Eve came and the floor relieved her."""
    rows = [
        audited(10, "Dan", "shift.taken t1"),
        audited(12, "Zoe", "shift.taken t2"),
        audited(50, "Eve", "shift.taken t1"),
        audited(70, "Flo", "shift.ended t1", "relief"),
        audited(80, "Gus", "shift.taken t1"),
    ]
    found = end_at(stints(rows, "t1"), [5, 30, 40, 75])
    assert found == [
        Stint(dealer="Dan", from_ms=10, to_ms=30, why="not recorded"),
        Stint(dealer="Eve", from_ms=50, to_ms=70, ended_by="Flo", why="relief"),
        Stint(dealer="Gus", from_ms=80, to_ms=None),
    ]


SIGMA_CENTS = 30_000
JUDGED = Figures(
    hands_judged=1_000,
    won_judged_cents=5_000,
    expected_cents=Fraction(5_000),
    variance=Fraction(SIGMA_CENTS**2),
    ordinary_won_cents=20_000,
    ordinary_expected_cents=Fraction(20_000),
    ordinary_variance=Fraction(10_000**2),
    big_hands=0,
    big_hands_expected=Fraction(1, 4),
)


@pytest.mark.parametrize(
    ("changed", "state"),
    [
        ({"hands_judged": 699}, "few"),
        ({}, "within"),
        ({"ordinary_won_cents": 45_000, "won_judged_cents": 30_000}, "watch"),
        # One royal flush: the whole is far outside, the ordinary hands are as they should be.
        ({"won_judged_cents": -300_000, "big_hands": 1}, "big_hands"),
        # The same loss with ordinary hands that stray: no royal flush explains it.
        ({"won_judged_cents": -300_000, "big_hands": 1, "ordinary_won_cents": -11_000}, "outside"),
        # A steady loss that the wide band of the whole hides.
        ({"won_judged_cents": -26_000, "ordinary_won_cents": -11_000}, "outside"),
        ({"won_judged_cents": -900_000, "big_hands": 4}, "outside"),
    ],
)
def test_an_unlucky_table_and_a_suspicious_one_are_told_apart(changed: dict[str, int], state: str) -> None:
    found = band(msgspec.structs.replace(JUDGED, **changed))
    assert found.state == state
    assert found.alarm == (state == "outside")
    if state != "few":
        assert (found.low_cents, found.high_cents) == (5_000 - 3 * SIGMA_CENTS, 5_000 + 3 * SIGMA_CENTS)


def test_rare_events_are_counted_as_poisson_has_them() -> None:
    assert at_least(0, 0.25) == 1
    assert isclose(at_least(1, 0.25), 1 - 2.718281828459045**-0.25, rel_tol=1e-12)
    assert isclose(at_least(4, 0.25), 0.000133, rel_tol=0.01)


def test_ordinary_hands_and_big_hands_make_up_all_hands() -> None:
    """The band's figures of a journal beside the distribution of each hand, counted here by itself."""
    past = past_of(fuzzed("nsw-1"), "t1")
    pays = base_pays(catalog.paytable("LIRX-01"))
    assert shift_report("t1", past.rounds()).paytables["base"] == "LIRX-01"
    nets = plain_nets(pays)
    cases = combine(nets, best_play(nets), {}).results
    small = [(net, many) for net, many in cases.cases.items() if net < 100]
    mean = Fraction(sum(net * many for net, many in small), cases.total)
    square = Fraction(sum(net**2 * many for net, many in small), cases.total)
    one = next(
        one
        for one in past.rounds()
        if one.status == "settled"
        and one.results
        and all({r.wager for r in results} == {"base-1", "base-2", "base-$"} for results in one.results.values())
        and all(r.fate in {"won", "lost", "withdrawn"} for results in one.results.values() for r in results)
    )
    ordinary = shift_report("t1", [one]).theory.ordinary
    units = [Fraction(sum(r.stake_cents for r in results), 3) for results in one.results.values()]
    assert ordinary.expected == -mean * sum(units)
    assert ordinary.variance == (square - mean**2) * sum(unit**2 for unit in units)
    assert ordinary.big_expected == len(units) * (1 - Fraction(sum(many for _, many in small), cases.total))
    assert ordinary.big == 0
    assert ordinary.won_cents == -sum(r.net_cents for results in one.results.values() for r in results)
