"""Coupons: match-play coupons of the house, from the voucher to the bet beside which each is won, lost or given back."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from letitride.autoplay.steps import Fixed, command_for
from letitride.engine import commands, places
from letitride.engine.offers import offers
from letitride.engine.promises import Round, check_again, play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.script import line
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.records.retold import command_of
from letitride.rules import catalog
from letitride.rules.cards import FACES
from letitride.rules.wager_table import BASE_SPOTS
from letitride.simulation.fuzz import Tally, fuzz
from tests.engine.test_promotions import bet, betting, done, exchange, refused

MEDIA = ("chips", "tokens", "vouchers", "match_play")
PAYS = ("Ah", "Ad", "Ac", "7s", "9h", "3c")
"""The next cards of the deck: any five of them win, whichever are dealt to seat 1 and to the middle."""
LOSES = ("2h", "4d", "6c", "8s", "Th", "Qd")


def with_coupons(cents: int = 1_000) -> Table:
    """A table that takes bets and coupons; seat 1 has $50 in chips and coupons of some value."""
    return done(betting(5_000, bet__media=MEDIA), exchange(cents, "match_play"))


def laid(cents: int = 500, **more: Any) -> commands.PlaceWagers:
    return bet("chips", coupon_cents=cents, **more)


def held(table: Table) -> tuple[int, int, int, int]:
    """Chips and coupons of seat 1, its coupon on the felt, and what the house has given away."""
    return (
        table.cents("stack:1"),
        table.cents("coupons:1"),
        table.cents("felt:1:match-play"),
        table.cents("promotions"),
    )


def stacked(table: Table, cards: tuple[str, ...]) -> Table:
    """The table with these cards on top of the deck."""
    ready = sorted(table.at(places.READY), key=lambda card: str(card.face) not in cards)
    return msgspec.structs.replace(table, cards={**table.cards, places.READY: tuple(ready)})


def dealt(table: Table, cards: tuple[str, ...], until: str = "") -> tuple[Table, list[str]]:
    """Play to the end of the round, every bet riding, or to a step; return the table and the lines of the script."""
    money, told, table = Round(), [], stacked(table, cards)
    while table.phase in {"betting", "dealing", "choice_1", "choice_2", "settling"}:
        step = table.agenda[0]
        if f"{step.kind} {step.wager}".strip() == until:
            break
        told.append(line(table, step).text)
        act: commands.AnyCommand = command_for(table, step, Fixed(FACES))
        if step.kind == "await_choice":
            act = commands.Choose(by="seat:1", seat=1, bet=step.number, choice="ride")  # type: ignore[arg-type]  # a choice step is numbered 1 or 2
        before = table
        table, outcome = play_checked(table, act)
        assert not isinstance(outcome, Refusal), outcome
        check_again(before, act, table, outcome)
        money.watch(before, outcome)
    return table, told


def test_a_coupon_beside_a_bet_that_wins_is_paid_its_value_once_and_is_gone() -> None:
    table = done(with_coupons(), laid())
    assert (5_000 - 1_500, 500, 500, -1_000) == held(table)
    after, told = dealt(table, PAYS)
    plain, _ = dealt(done(with_coupons(), bet("chips")), PAYS)
    assert (plain.cents("stack:1") + 500, 500, 0, -1_000) == held(after)
    assert plain.cents("tray") == after.cents("tray")  # what it wins is no part of the game
    assert "pay seat 1's bet $, with $5 for the coupon, and take the coupon in" in told


def test_a_coupon_beside_a_bet_that_loses_goes_back_to_the_house() -> None:
    after, told = dealt(done(with_coupons(), laid()), LOSES)
    assert (5_000 - 1_500, 500, 0, -500) == held(after)
    assert "take seat 1's lost bet $, and its coupon" in told


def test_a_coupon_goes_back_to_its_player_with_the_bet_and_with_a_void_round() -> None:
    table = done(with_coupons(), laid())
    assert (5_000, 1_000, 0, -1_000) == held(done(table, bet("chips", {})))
    assert (3_500, 1_000, 0, -1_000) == held(done(table, bet("chips")))  # other bets are made without it
    for cards, until in ((PAYS, "deal_card"), (PAYS, "open_hand"), (PAYS, "collect_hand"), (LOSES, "collect_hand")):
        middle, _ = dealt(table, cards, until)
        annul = commands.Order(by="casino_supervisor", kind="annul", ground="disturbance")
        void = done(middle, annul)
        while void.agenda and void.phase == "ruling":
            void = done(void, command_for(void, void.agenda[0], Fixed(FACES)))
        assert (5_000, 1_000, 0, -1_000) == held(void), until


@pytest.mark.parametrize(
    ("act", "code", "words"),
    [
        (bet("chips", {}, coupon_cents=500), "coupon_alone", "needs chips on bet $"),
        (bet("tokens", coupon_cents=500), "coupon_alone", "needs chips on bet $"),
        (
            bet("chips", coupon_cents=600),
            "coupon_over_bet",
            "A coupon of $6 needs at least as much on bet $. You have $5 there.",
        ),
        (bet("chips", dict.fromkeys(BASE_SPOTS, 1_500), coupon_cents=1_200), "not_enough", "You have $10 in coupons"),
        (bet("chips", coupon_cents=0), "bad_amount", "A coupon has to be worth more than $0."),
    ],
)
def test_a_coupon_is_refused_without_chips_of_its_value_beside_it(act: Any, code: str, words: str) -> None:
    found = refused(with_coupons(), act)
    assert code == found[0]
    assert words in found[1]


def test_a_table_that_takes_no_coupons_takes_none() -> None:
    sentence = "This table doesn't take match-play coupons."
    table = betting(5_000)
    assert ("medium_refused", sentence) == refused(table, exchange(1_000, "match_play"))
    assert ("medium_refused", sentence) == refused(table, laid())


def test_the_view_tells_coupons_to_the_table_and_offers_to_lay_one() -> None:
    table = with_coupons()
    seen = view(table, "spectator").seats[1]
    assert (1_000, msgspec.UNSET) == (seen.coupons_cents, seen.coupon)
    (offer,) = [one for one in offers(table, "seat:1") if getattr(one, "coupon_cents", msgspec.UNSET)]
    assert isinstance(offer, commands.PlaceWagers)
    after, outcome = play_checked(table, offer)
    assert not isinstance(outcome, Refusal)
    assert offer == command_of(table, "seat:1", outcome)
    coupon = view(after, "spectator").seats[1].coupon
    assert (500, "laid") == (coupon.cents, coupon.fate)  # type: ignore[union-attr]  # a coupon was laid
    won, _ = dealt(after, PAYS, "collect_hand")
    assert "won" == view(won, "spectator").seats[1].coupon.fate  # type: ignore[union-attr]  # a coupon was laid
    assert b"coupon" not in msgspec.json.encode(view(betting(5_000), "spectator").seats[1])


def test_coupons_that_a_player_holds_on_leaving_go_back_to_the_house() -> None:
    gone = done(with_coupons(), commands.Leave(by="seat:1", seat=1))
    assert (0, 0, 0, 0) == held(gone)


def test_fuzzing_with_coupons_breaks_no_promise(tmp_path: Any) -> None:
    path = tmp_path / "coupons.toml"
    media = ", ".join(f'"{one}"' for one in MEDIA)
    path.write_text(f'id = "coupons"\ntitle = "Coupons"\nextends = "nsw-1"\n[rules]\nbet.media = [{media}]\n')
    assert isinstance(fuzz(catalog.ready_rules(path), 1_500, 3), Tally)
