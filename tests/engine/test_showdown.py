"""Showdown: hands are opened, wagers taken and paid and cards collected once each, in the order of the book."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from letitride.engine import showdown
from letitride.engine.state import Seat, Table
from letitride.rules.settlement import Spot, WagerResult
from letitride.rules.wager_table import BASE_SPOTS
from tests.engine.layouts import a_table
from tests.engine.recorded import by_another

ABOUT = {
    "open_hand": "open",
    "return_wager": "return",
    "collect_hand": "rack",
    "pick_up": "pick",
    "leave_exposed": "best",
}
PLAIN = {"hand:1": "2c 5d 9h", "hand:2": "3c 6d Th", "hand:3": "4c 8d Jh", "community:1": "Ks", "community:2": "Qs"}


def result(name: Spot, fate: Literal["won", "lost", "withdrawn", "returned"]) -> WagerResult:
    return WagerResult(name, 500, fate)


def rows(**fates: str) -> tuple[WagerResult, ...]:
    """Read a seat's results: base='won', three_card='lost'."""
    named = {"base": BASE_SPOTS}
    words = {"won": "won", "lost": "lost", "returned": "returned"}
    return tuple(
        result(name, words[fate])  # type: ignore[arg-type]  # the rows of the tests name wagers and fates
        for wager, fate in fates.items()
        for name in named.get(wager, (wager,))
    )


def script(table: Table, *results: tuple[WagerResult, ...]) -> list[str]:
    """The steps of a showdown of three seats in short words, the three base wagers as one."""
    steps = showdown.settling(table, dict(enumerate(results, 1)))
    said = [f"{ABOUT.get(s.kind, s.kind)} {s.seat or ''} {s.wager}".strip() for s in steps]
    thirds = [f" {spot}" for spot in BASE_SPOTS]
    assert [s for s in said if s.endswith(thirds[1])] == [
        s.replace(thirds[0], thirds[1]) for s in said if s.endswith(thirds[0])
    ]
    return [s.replace(thirds[0], " base") for s in said if not s.endswith((thirds[1], thirds[2]))]


def dealt(book: str, cards: dict[str, str] | None = None, **values: object) -> Table:
    """Lay out three dealt seats by a book, or by one that says otherwise."""
    seats = [Seat(number, "Ann", dealt_in=True) for number in (1, 2, 3)]
    table = a_table(book, "settling", cards={**PLAIN, **(cards or {})}, seats=seats)
    return by_another(table, **values)


MIXED = rows(base="lost", three_card="won"), rows(base="won", three_card="lost"), rows(base="lost", three_card="lost")


def test_all_losers_are_taken_before_a_winner_is_paid() -> None:
    together = dealt("hand-dealt-1")
    assert script(together, *MIXED) == [
        "open 3", "open 2", "open 1",
        "take 3 base", "take 3 three_card", "rack 3", "take 2 three_card", "take 1 base",
        "pay 2 base", "pay 1 three_card",
        "rack 2", "rack 1", "collect_community",
    ]  # fmt: skip
    assert script(by_another(together, reveal__direction="left_to_right"), *MIXED)[:5] == [
        "open 1", "open 2", "open 3", "take 1 base", "take 2 three_card",
    ]  # fmt: skip


def test_a_side_bet_that_is_not_settled_with_the_base_has_a_pass_of_its_own() -> None:
    after = dealt("hand-dealt-1", three_card__settle="after_base", cards__collect="after_all_paid")
    assert script(after, *MIXED) == [
        "open 3", "open 2", "open 1",
        "take 3 base", "take 1 base", "pay 2 base",
        "take 3 three_card", "take 2 three_card", "pay 1 three_card",
        "rack 3", "rack 2", "rack 1", "collect_community",
    ]  # fmt: skip
    at_once = by_another(after, cards__collect="losers_at_once")
    racked = [step for step in script(at_once, *MIXED) if step.startswith(("rack", "take", "pay"))]
    assert racked == [
        "take 3 base", "rack 3", "take 1 base", "pay 2 base",
        "take 3 three_card", "take 2 three_card", "pay 1 three_card", "rack 2", "rack 1",
    ]  # fmt: skip
    none = dealt("nsw-1", three_card__settle="with_base", reveal__direction="right_to_left")
    lost, won = rows(base="lost"), rows(base="won")
    assert script(none, lost, won, lost)[3:6] == ["take 3 base", "take 1 base", "pay 2 base"]


def test_cover_all_comes_last_seat_by_seat_whatever_the_method() -> None:
    results = [
        (*rows(base="lost"), result("cover_all", "lost")),
        (*rows(base="won"), result("cover_all", "won")),
        (*rows(base="lost"), result("cover_all", "lost")),
    ]
    last = ["take 3 cover_all", "pay 2 cover_all", "take 1 cover_all"]
    for method in ("losers_first", "hand_by_hand", "lay_and_pay", "pick_and_pay"):
        steps = script(dealt("washington-1", settle__method=method), *results)
        assert last == [step for step in steps if "cover_all" in step], method
        assert {"take 3 base": 1, "pay 2 base": 1, "take 1 base": 1} == {
            step: steps.count(step) for step in steps if "base" in step
        }, method
        assert max(map(steps.index, ("take 3 base", "pay 2 base", "take 1 base"))) < steps.index(last[0]), method
        assert ["open 3", "open 2", "open 1"] == [step for step in steps if "open" in step], method


def test_hand_after_hand_each_is_opened_once_and_when_the_method_says() -> None:
    lost, won = rows(base="lost"), rows(base="won")
    opened = ["open 3", "open 2", "open 1"]
    in_turn = ["open 3", "take 3 base", "open 2", "pay 2 base", "open 1", "take 1 base"]
    tail = ["rack 3", "rack 2", "rack 1", "collect_community", "game_over"]
    settled = ["take 3 base", "pay 2 base", "take 1 base"]
    assert script(dealt("shufflemaster-1", settle__method="hand_by_hand"), lost, won, lost) == [*in_turn, *tail]
    assert script(dealt("shufflemaster-1", settle__method="lay_and_pay"), lost, won, lost) == [*opened, *settled, *tail]
    first = dealt("shufflemaster-1+three_card_first", settle__method="lay_and_pay")
    assert script(first, *MIXED) == [
        *opened, "take 3 three_card", "take 2 three_card", "pay 1 three_card", *settled, *tail,
    ]  # fmt: skip
    assert script(first, lost, won, lost) == [*opened, *settled, *tail]
    side = ["take 3 three_card", "pay 2 base", "take 2 three_card", "take 1 base", "pay 1 three_card"]
    assert script(dealt("shufflemaster-1", settle__method="lay_and_pay"), *MIXED) == [
        *opened,
        "take 3 base",
        *side,
        *tail,
    ]
    for variant in ("three_card_first", "three_card_claim"):
        by_turns = dealt(f"washington-1+{variant}", settle__method="hand_by_hand")
        assert script(by_turns, lost, won, lost)[: len(in_turn)] == in_turn, variant
        both = [(*results, result("cover_all", "lost"), result("bonus", "lost")) for results in MIXED]
        assert script(by_turns, *both)[:12] == [
            *opened, "take 3 three_card", "take 2 three_card", "pay 1 three_card", *settled,
            "take 3 cover_all", "take 2 cover_all", "take 1 cover_all",
        ], variant  # fmt: skip
    picked = by_another(first, settle__method="pick_and_pay")
    assert [step for step in script(picked, *MIXED) if "open" in step] == opened
    house = dealt("shufflemaster-1", settle__method="hand_by_hand", bank__settle_from="action_seat")
    assert script(house, lost, won, lost) == [*in_turn, *tail]  # dice find a seat only where a player banks


def test_a_players_bank_settles_from_the_action_seat_when_every_hand_is_open() -> None:
    lost, won, back = rows(base="lost"), rows(base="won"), rows(base="returned")
    by_dice = replace(dealt("california-1", bank__settle_from="action_seat"), action_seat=2)
    assert script(by_dice, lost, won, back) == [
        "open 3", "open 2", "open 1",
        "pay 2 base", "return 3 base", "take 1 base",
        "rack 3", "rack 2", "rack 1", "collect_community",
    ]  # fmt: skip
    from_right = by_another(by_dice, bank__settle_from="dealer_right")
    assert script(from_right, lost, won, back)[:3] == ["open 3", "return 3 base", "open 2"]


def test_the_best_hand_so_far_stays_on_the_felt_while_the_others_are_picked_up() -> None:
    trips = {"hand:1": "9c 9d 9h", "hand:2": "3c 4d 5h", "hand:3": "7c 7d 7h"}
    lost, won = rows(base="lost"), rows(base="won")

    def way(table: Table, *results: tuple[WagerResult, ...]) -> list[str]:
        kinds = ("best", "pick", "collect_picked")
        return [step for step in script(table, *(results or (won, lost, won))) if step.startswith(kinds)]

    table = dealt("washington-1", trips)
    picked = ["pick 3", "pick 2", "pick 1", "collect_picked"]
    assert ["best 3", "pick 2", "best 1", "pick 3", "pick 1", "collect_picked"] == way(table)
    assert ["best 3", "pick 2", "pick 1", "pick 3", "collect_picked"] == way(
        dealt("washington-1", trips | {"hand:1": "6c 6d 6h"})
    )
    assert picked == way(dealt("washington-1", trips | {"hand:1": "9c 9d Ah", "hand:3": "7c 7d Ah"}))
    assert picked == way(dealt("washington-1", trips, cover_all__expose_best=False))
    assert picked == way(dealt("washington-1+no_cover_all", trips))
    unread = dealt("washington-1", trips | {"hand:1": "Ks* 9d 9h"})  # a card that is on the board as well
    assert ["best 3", "pick 2", "pick 1", "pick 3", "collect_picked"] == way(unread, (), lost, won)


def test_what_lies_on_the_table_is_collected_by_what_is_there() -> None:
    lost = rows(base="lost")
    tail = ["rack 3", "rack 2", "rack 1", "collect_community"]
    plain = dealt("shufflemaster-1", settle__method="lay_and_pay")
    assert [*tail, "game_over"] == script(plain, lost, lost, lost)[6:]
    stub = dealt("shufflemaster-1", {"ready": "2d"}, settle__method="lay_and_pay")
    assert [*tail, "collect_stub", "game_over"] == script(stub, lost, lost, lost)[6:]
    lammer = replace(plain, seats={**plain.seats, 2: replace(plain.seats[2], lammer=True)})
    assert [*tail, "collect_lammers", "game_over"] == script(lammer, lost, lost, lost)[6:]
    banked = replace(plain, bank_stake=500, bank_seat=4)
    assert [*tail, "return_stake 4", "game_over"] == script(banked, lost, lost, lost)[6:]
    without = dealt("washington-1+hand", settle__method="lay_and_pay")
    assert without.rules.rules.shuffler.controller
    assert tail == script(without, lost, lost, lost)[6:]
