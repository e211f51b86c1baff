"""Cards exposed in the deal: the burn card among them, and what is noticed only when the deal is over."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.engine import commands
from letitride.engine.view import view
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    announced,
    faces,
    moment,
    order,
    played,
    refusal,
    ruled,
    rulings,
    seen,
    stacks,
    step,
    steps,
)

UNTOUCHED = [50_000, 50_000, 50_000]
SHUFFLERS = ["+shuffler", "+two_decks"]
BURN_UP = THREE_SEATS.replace("community Ks 2d", "community Ks 2d\nburn 8s^")
BURN = "dealer reports exposed_burn\n"


def _burned(body: str, rulebook: str) -> None:
    """Assert that a face-up burn card goes to the rack face down and that the round is played with all other cards."""
    done = played(rulebook, f"{body}{CHOICES}")
    plain = played(rulebook, THREE_SEATS + CHOICES)
    assert ruled(done) == ["exposed_burn:burned"]
    turned = step(done, "turn_down_burn")
    assert [card.up for card in turned.before.at("packet")][-1]
    assert "[" not in view(turned.before, "spectator").packet[-1]  # all see it
    assert not any(card.up for card in turned.after.at("packet"))
    order(done, "turn_down_burn", "burn_bottom")
    burned = step(done, "burn_bottom")
    assert faces(burned.after, "rack")[-1] == faces(turned.before, "packet")[-1]
    assert done.outcomes[0].results == plain.outcomes[0].results
    assert stacks(done, 1, 3, 7) == stacks(plain, 1, 3, 7)


@pytest.mark.clause("sm:bonus.irreg.1.s1", "wa:bonus.irreg")
@pytest.mark.parametrize("body", [BURN_UP + BURN, f"{THREE_SEATS}mishap exposed_burn\n{BURN}"])
def test_the_burn_card_face_up_alone_is_not_used_and_goes_to_the_rack(book: RuleBook, body: str) -> None:
    _burned(body, book.id)


@pytest.mark.clause("nsw:12.5")
@pytest.mark.parametrize("device", SHUFFLERS)
@pytest.mark.parametrize("body", [BURN_UP + BURN, f"{THREE_SEATS}mishap exposed_burn\n{BURN}"])
def test_the_burn_card_exposed_alone_is_turned_over_and_no_misdeal(book: RuleBook, device: str, body: str) -> None:
    _burned(body, book.id + device)


TWO = [
    "mishap exposed seat 3\nmishap exposed_burn\ndealer reports exposed_burn\n",
    "mishap exposed seat 3\nmishap exposed_burn\ndealer reports exposed_card seat 3\n",
    "mishap exposed seat 3\ndealer reports exposed_card seat 3\nmishap exposed_burn\ndealer reports exposed_burn\n",
    "mishap exposed_burn\ndealer reports exposed_burn\nmishap exposed seat 3\ndealer reports exposed_card seat 3\n",
    # the dealer burns it without a word: it was seen all the same
    "mishap exposed_burn\ndealer burn_bottom\nmishap exposed seat 3\ndealer reports exposed_card seat 3\n",
]


@pytest.mark.clause("sm:bonus.irreg.1.s2", "wa:bonus.irreg")
@pytest.mark.parametrize("two", TWO)
def test_a_players_card_and_the_burn_card_face_up_void_every_hand(book: RuleBook, two: str) -> None:
    bonus = THREE_SEATS.replace("seat 1 bets 10", "seat 1 bets 10 bonus 1")
    done = played(book, bonus + two)
    assert ruled(done)[-1] == "exposed_cards:hands_void"
    assert "all hands are void" in announced(done)
    assert (done.outcomes[0].status, stacks(done, 1, 3, 7)) == ("void", UNTOUCHED)  # the bonus dollar too
    assert [len(done.table.at(f"hand:{seat}")) for seat in (1, 3, 7)] == [0, 0, 0]
    assert not done.table.at("packet")
    assert not done.table.community()


@pytest.mark.clause("nsw:12.3", "nsw:12.4")
@pytest.mark.parametrize("device", SHUFFLERS)
@pytest.mark.parametrize("two", TWO)
def test_a_players_card_and_the_burn_card_exposed_are_a_misdeal(book: RuleBook, device: str, two: str) -> None:
    done = played(book.id + device, THREE_SEATS + two)
    assert ruled(done)[-1] == "exposed_cards:misdeal"
    assert rulings(done)[-1].clauses[0] == "nsw:12.3"
    assert (done.outcomes[0].status, stacks(done, 1, 3, 7)) == ("void", UNTOUCHED)


@pytest.mark.clause("nsw:12.6.s1")
@pytest.mark.parametrize("device", SHUFFLERS)
def test_a_community_card_face_up_in_the_packet_is_a_misdeal_before_it_is_slid(book: RuleBook, device: str) -> None:
    body = THREE_SEATS.replace("community Ks 2d", "community Ks 2d^")
    done = played(book.id + device, f"{body}dealer reports exposed_community card 2\n")
    assert ruled(done) == ["exposed_community:misdeal"]
    assert "slide_left 1" not in steps(done)
    assert stacks(done, 1, 3, 7) == UNTOUCHED


@pytest.mark.clause("sm:bonus.irreg.1.s1", "wa:bonus.irreg")
@pytest.mark.parametrize(("number", "cards"), [(1, "Ks^ 2d"), (2, "Ks 2d^")])
def test_a_community_card_face_up_in_the_packet_is_replaced_in_its_place(
    book: RuleBook, number: int, cards: str
) -> None:
    body = THREE_SEATS.replace("community Ks 2d", f"community {cards}\nburn 8s")
    done = played(book, f"{body}dealer reports exposed_community card {number}\n{CHOICES}")
    assert ruled(done) == ["exposed_community:replaced"]
    gone = step(done, f"discard_community {number}")
    assert faces(gone.after, "rack")[-1] == cards.split()[number - 1].rstrip("^")
    new = faces(step(done, f"replace_community {number}").before, "ready")[0]
    wanted = ["Ks", "2d"]
    wanted[number - 1] = new
    assert faces(step(done, f"replace_community {number}").after, "packet") == [*wanted, "8s"]
    turned = step(done, "turn_community 2").after
    assert [str(card.face) for card in turned.community()] == wanted


@pytest.mark.clause("sm:bonus.irreg.1.s1")
def test_no_burn_card_is_exposed_where_hands_are_dealt_face_up(book: RuleBook) -> None:
    done = played(book, f"{BURN_UP}{CHOICES}", "deal.face = up")
    table = step(done, "burn_bottom").before
    assert refusal(table, commands.Report(kind="exposed_burn")) == "nothing_wrong"
    down = step(played(book, THREE_SEATS + CHOICES), "burn_bottom").before
    assert refusal(down, commands.Report(kind="exposed_burn")) == "nothing_wrong"


LATE = "mishap exposed seat 1\nmishap exposed seat 3\ndealer ask seat 1 number 1\n"
MOMENTS = ["", "seat 7 looks\n", "seat 1 rides 1\n", CHOICES.replace("seat 7 withdraws 2\n", "")]


@pytest.mark.clause("nsw:12.3", "nsw:12.4")
@pytest.mark.parametrize("device", ["", *SHUFFLERS])
@pytest.mark.parametrize("since", MOMENTS)
def test_two_cards_exposed_in_the_deal_are_a_misdeal_whenever_they_are_noticed(
    book: RuleBook, device: str, since: str
) -> None:
    done = played(book.id + device, f"{THREE_SEATS}{LATE}{since}dealer reports exposed_card seat 3\n")
    assert ruled(done) == ["exposed_late:misdeal"]
    assert rulings(done)[0].clauses == ("nsw:12.3", "nsw:1.1.void", "nsw:12.4")
    assert (done.outcomes[0].status, stacks(done, 1, 3, 7)) == ("void", UNTOUCHED)


@pytest.mark.clause("nsw:12.6.s1", "nsw:12.6.s2")
@pytest.mark.parametrize("device", ["", *SHUFFLERS])
def test_a_community_card_exposed_before_the_cards_were_handled_is_a_misdeal_however_late_it_is_noticed(
    book: RuleBook, device: str
) -> None:
    shown, look, report = (
        "mishap exposed community card 1\n",
        "seat 7 looks\n",
        "dealer reports exposed_community card 1\n",
    )
    done = played(book.id + device, f"{THREE_SEATS}{shown}dealer ask seat 1 number 1\n{look}{report}")
    assert ruled(done) == ["exposed_community:misdeal"]
    assert (done.outcomes[0].status, stacks(done, 1, 3, 7)) == ("void", UNTOUCHED)
    done = played(book.id + device, f"{THREE_SEATS}{look}{shown}{report}{CHOICES}")
    assert ruled(done) == ["exposed_community:go_on"]
    assert done.outcomes[0].results == played(book.id + device, THREE_SEATS + CHOICES).outcomes[0].results


@pytest.mark.clause("nsw:12.5")
@pytest.mark.parametrize("device", ["", *SHUFFLERS])
def test_one_card_exposed_in_the_deal_and_noticed_after_it_is_turned_over(book: RuleBook, device: str) -> None:
    late = "mishap exposed seat 3\ndealer ask seat 1 number 1\ndealer reports exposed_card seat 3\n"
    done = played(book.id + device, f"{THREE_SEATS}{late}{CHOICES}")
    assert ruled(done) == ["exposed_card:turned_over"]
    turned = step(done, "turn_down 3")
    assert seen(turned.before, "spectator", 3).count("[red]") == 2
    assert seen(turned.after, "spectator", 3) == ["[red]"] * 3
    assert sorted(faces(turned.after, "hand:3")) == ["3c", "9d", "9h"]
    assert done.outcomes[0].results == played(book.id + device, THREE_SEATS + CHOICES).outcomes[0].results


@pytest.mark.books("shufflemaster-1", "washington-1", "hand-dealt-1")
def test_what_is_found_when_the_deal_is_over_is_the_houses_to_rule(book: RuleBook) -> None:
    done = played(book, f"{THREE_SEATS}{LATE}dealer reports exposed_card seat 3\n")
    assert [(one.name, one.clauses) for one in rulings(done)] == [("exposed_late:hands_void", ())]
    assert (done.outcomes[0].status, stacks(done, 1, 3, 7)) == ("void", UNTOUCHED)
    done = played(book, f"{THREE_SEATS}{LATE}seat 7 looks\ndealer reports exposed_card seat 3\n{CHOICES}")
    assert [(one.name, one.clauses) for one in rulings(done)] == [("exposed_card:turned_over", ())]
    assert seen(step(done, "turn_down 3").after, "spectator", 3) == ["[red]"] * 3
    assert done.outcomes[0].results == played(book, THREE_SEATS + CHOICES).outcomes[0].results


@pytest.mark.books("shufflemaster-1", "washington-1", "hand-dealt-1")
@pytest.mark.parametrize(
    "body", [f"{THREE_SEATS}mishap exposed seat 3\n", THREE_SEATS.replace("9h 9d 3c", "9h^ 9d 3c")]
)
def test_one_card_found_when_the_deal_is_over_stays_in_its_hand(book: RuleBook, body: str) -> None:
    done = played(book, f"{body}dealer ask seat 1 number 1\ndealer reports exposed_card seat 3\n{CHOICES}")
    assert [(one.name, one.clauses) for one in rulings(done)] == [("exposed_card:turned_over", ())]
    assert rulings(done)[0].sentence.endswith(": the card is turned face down where it lies, and play goes on")
    turned = step(done, "turn_down 3")
    assert turned.before.phase == "choice_1"  # no card is dealt any more
    assert [card.up for card in turned.before.at("hand:3")].count(True) == 1
    assert sorted(faces(turned.after, "hand:3")) == ["3c", "9d", "9h"]
    assert seen(turned.after, "spectator", 3) == seen(turned.after, "spectator", 1)  # three backs
    assert done.outcomes[0].results == played(book, THREE_SEATS + CHOICES).outcomes[0].results


@pytest.mark.books("shufflemaster-1")
def test_a_hand_shown_for_a_claim_is_not_exposed(book: RuleBook) -> None:
    side = THREE_SEATS.replace("seat 1 bets 10", "seat 1 bets 10 three_card 5")
    claimed = f"{side}seat 1 looks\nseat 1 claims\n{CHOICES}"
    done = played(f"{book.id}+three_card_claim", claimed)
    table = next(one.after for one in done.steps if isinstance(one.command, commands.Claim))
    assert seen(table, "dealer", 1) == ["Th", "Td", "4c"]
    assert refusal(table, commands.Report(kind="exposed_card", seat=1)) == "nothing_wrong"
    assert refusal(moment(done, "settling"), commands.Report(kind="exposed_card", seat=1)) == "too_late"


@pytest.mark.books("nsw-1")
def test_a_burn_card_that_waits_for_the_decisions_is_seen_there_too(book: RuleBook, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    keys = 'id = "own"\ntitle = "Own"\nextends = "nsw-1+shuffler"\n[rules]\nburn.when = "after_bet_1"\n'
    own.write_text(keys)
    done = played(str(own), f"{BURN_UP}dealer ask seat 1 number 1\n{BURN}{CHOICES}")
    assert ruled(done) == ["exposed_burn:burned"]
    assert faces(step(done, "burn_bottom").after, "rack")[-1] == "8s"
    assert not step(done, "turn_down_burn").after.at("packet")[0].up
    assert book.rules.burn.card == "none"


AFTER_BET_1 = 'id = "own"\ntitle = "Own"\nextends = "nsw-1+shuffler"\n[rules]\nburn.when = "after_bet_1"\n'
HANDLED = "seat 7 looks\n"


@pytest.mark.books("nsw-1")
@pytest.mark.parametrize(
    ("late", "rest", "rulings_given"),
    [
        ("mishap exposed seat 3\nmishap exposed_burn\n", "packet", ["exposed_card:turned_over", "exposed_burn:burned"]),
        ("mishap exposed seat 3\nmishap drawn seen\n", "drawn", ["exposed_card:turned_over", "drawn_card:discarded"]),
    ],
)
def test_several_cards_found_after_the_cards_were_handled_are_each_put_away_once(
    book: RuleBook, tmp_path: Path, late: str, rest: str, rulings_given: list[str]
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(f'{AFTER_BET_1}irreg.exposed_many = "hands_void"\n')
    kind = "exposed_burn" if rest == "packet" else "drawn_card"
    reports = f"dealer reports exposed_card seat 3\ndealer reports {kind}\n"
    done = played(str(own), f"{THREE_SEATS}{late}dealer ask seat 1 number 1\n{HANDLED}{reports}{CHOICES}")
    assert ruled(done) == rulings_given
    put_away = step(done, "turn_down_burn" if rest == "packet" else "discard_drawn")
    assert put_away.before.at(rest)[-1].up
    assert not any(card.up for card in put_away.after.at(rest))
    assert refusal(put_away.after, commands.Report(kind=kind)) in {"nothing_wrong", "already_ruled"}
    plain = played(str(own), THREE_SEATS + CHOICES)
    assert book.rules.irreg.exposed_many == "misdeal"
    if rest == "packet":  # the same cards are dealt
        assert stacks(done, 1, 3, 7) == stacks(plain, 1, 3, 7)
