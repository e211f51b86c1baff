"""Plain rounds: by every book and variant, a round in which nothing goes wrong ends with the same chips and faces.

They are the control of `scripts/clauses`: a change of the code that breaks these rounds too proves no single clause.
"""

from __future__ import annotations

import pytest

from letitride.records.replay import Replayed
from letitride.rules import catalog
from tests.clauses.rounds import ENDS, WHOLE_ROUND, faces, moment, played, stacks

BOOKS = catalog.rulebook_ids()
TABLES = [*BOOKS, *(f"{book}+{name}" for book in BOOKS for name in catalog.rulebook(book).variants)]
ROOM = (
    "limit.cents_min = 500",
    "limit.cents_max = 5000",
    "fee.tiers = [{limit_cents_max = 5000, wager_cents = 0, bank_cents = 0}]",
)
SEATED = "seat 1 sits Ann 500\nseat 3 sits Bob 500\nseat 5 sits Dot 900\nseat 7 sits Cy 500\n"
ALONE = "round\nhand 3 {hand}\ncommunity Ks 2d\nseat 3 bets {bet}\nseat 3 {choice} 1\nseat 3 {choice} 2\n"


def plain(table: str, body: str) -> Replayed:
    """Play a round; where a player banks, seat 5 does."""
    if not table.startswith("california"):
        return played(table, body, seated=SEATED)
    banks = "seat 1 declines\nseat 3 declines\nseat 5 banks 300\n"
    bets = body.index("seat")
    return played(table, body[:bets] + banks + body[bets:], *ROOM, seated=SEATED)


@pytest.mark.plain_round
@pytest.mark.parametrize("table", TABLES)
def test_a_lost_bet_of_the_minimum_is_taken_and_two_are_withdrawn(table: str) -> None:
    least = (catalog.rulebook(table).rules.limit.cents_min or 500) // 100
    done = plain(table, ALONE.format(hand="9h 8d 3c", bet=least, choice="withdraws"))
    assert (done.outcomes[0].status, stacks(done, 1, 3, 7)) == ("settled", [50_000, 50_000 - 100 * least, 50_000])
    assert sorted(faces(moment(done, "choice_1"), "hand:3")) == ["3c", "8d", "9h"]


@pytest.mark.plain_round
@pytest.mark.parametrize("table", TABLES)
def test_three_bets_that_ride_on_kings_are_paid_even_money(table: str) -> None:
    done = plain(table, ALONE.format(hand="Kh 8d 3c", bet=10, choice="rides"))
    assert (done.outcomes[0].status, stacks(done, 1, 3, 7)) == ("settled", [50_000, 53_000, 50_000])
    settling = moment(done, "settling")
    assert sorted(str(card) for card in settling.community_cards()) == ["2d", "Ks"]
    assert sum(card.up for card in settling.community()) == 2


@pytest.mark.plain_round
@pytest.mark.parametrize("table", TABLES)
def test_three_hands_are_dealt_and_settled_each_by_its_cards(table: str) -> None:
    done = plain(table, WHOLE_ROUND)
    assert stacks(done, 1, 3, 7) == ENDS
    dealt = moment(done, "choice_1")
    hands = [sorted(faces(dealt, f"hand:{seat}")) for seat in (1, 3, 7)]
    assert hands == [["4c", "Td", "Th"], ["3c", "9d", "9h"], ["2c", "7d", "Kh"]]
    face_up = catalog.rulebook(table).rules.deal.face == "up"
    assert {card.up for seat in (1, 3, 7) for card in dealt.at(f"hand:{seat}")} == {face_up}
