"""Fuzzing: quiet over the real engine, loud over planted bugs, and short about what it found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from letitride.engine import agenda, amounts, bets, effects, evolve, legal, places, view
from letitride.engine.refusal import Refusal
from letitride.engine.round_promises import DECIDED, SETTLED, SHOWN
from letitride.engine.state import Table
from letitride.ledger.transfers import Transfer
from letitride.records.player import read_settings
from letitride.records.reader import read_record
from letitride.rules import banking, catalog
from letitride.rules.catalog import ready_rules
from letitride.simulation import fuzz as fuzzing
from letitride.simulation.fuzz import Tally, Wreck, fuzz
from tests.cli.command import run
from tests.counts import tries
from tests.simulation.every_deal import BLIND, dealt_by
from tests.simulation.own_wagers import RED_BLACK, TWINS, own_table

TABLES = [*catalog.rulebook_ids(), *(f"{b}+{v}" for b in catalog.rulebook_ids() for v in catalog.rulebook(b).variants)]
COMMANDS = tries(2_000, 20_000)
"""In a short run; `make prove` has long ones."""

BANKS = [
    {"bank.settle_from": "action_seat"},
    {"bank.cover": "gross", "bank.settle_from": "action_seat"},
    {"bank.cover": "net", "bank.seat": "separate"},
    {"fee.tiers": [{"limit_cents_max": 10_000, "wager_cents": 0, "bank_cents": 0}]},
]


@pytest.mark.longer
@pytest.mark.parametrize(
    ("ref", "values"), [*((ref, {}) for ref in TABLES), *(("california-1", bank) for bank in BANKS)], ids=str
)
def test_every_promise_holds_in_a_short_fuzz_run(ref: str, values: dict[str, Any]) -> None:
    tally = fuzz(ready_rules(ref, values), COMMANDS, seed=20260101)
    assert isinstance(tally, Tally), tally
    assert COMMANDS == tally.commands == tally.accepted + tally.refused
    assert tally.rounds >= 5
    assert min(tally.view_checks, tally.script_checks) > 20
    assert len(tally.codes) > 12
    assert len(tally.rulings) > tries(1, 5)  # things went wrong, and were ruled


@pytest.mark.longer
@pytest.mark.parametrize("ref", ["nsw-1", "washington-1", "hand-dealt-1"])
def test_every_promise_holds_where_a_house_has_its_own_wagers(tmp_path: Path, ref: str) -> None:
    void = RED_BLACK + 'void_on = ["exposed_card", "exposed_community", "drawn_card", "device_jam"]\n'
    tally = fuzz(own_table(tmp_path, [void, TWINS], ref), COMMANDS // 2, seed=20260101)
    assert isinstance(tally, Tally), tally
    assert tally.rounds >= 2


@pytest.mark.longer
@pytest.mark.parametrize("ref", ["shufflemaster-1", "california-1"])
def test_every_promise_holds_where_a_player_has_two_hands(ref: str) -> None:
    tally = fuzz(ready_rules(ref, {"hands_per_player": 2}), COMMANDS // 2, seed=20260101)
    assert isinstance(tally, Tally), tally
    assert tally.rounds >= 2
    assert tally.codes["not_adjacent"] > 0


@pytest.mark.usefixtures("unshortened")
def test_a_view_that_shows_the_hands_of_both_neighbours_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: seats side by side are taken for one player's."""
    monkeypatch.setattr(Table, "viewers_of", lambda _table, number: {f"seat:{number + way}" for way in (-1, 0, 1)})
    assert "views hide what they must" == wrecked().promise


def test_the_same_seed_gives_the_same_run() -> None:
    first, again, other = (fuzz(ready_rules("nsw-1"), 1_000, seed) for seed in (1, 1, 2))
    assert first == again != other


@pytest.fixture
def unshortened(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wreck is told as it came: how it is shortened is proven by two tests, and takes longer than the run."""
    monkeypatch.setattr(fuzzing, "_TRIES", 0)


def wrecked(ref: str = "washington-1") -> Wreck:
    found = fuzz(ready_rules(ref), 20_000, seed=1)
    assert isinstance(found, Wreck)
    record = read_record(found.record)  # what it prints is a record
    catalog.table_rules(record.rulebook, read_settings(record, "wreck"))  # with all that its table needs
    return found


def test_a_winner_who_is_paid_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a withdrawn bet is pushed back with a dollar more than lay on the spot."""
    honest = amounts.chips

    def twice(table: Any, step: Any) -> Any:
        yield from honest(table, step)
        if step.kind == "push_back":
            yield Transfer(f"felt:{step.seat}:{step.wager}", f"stack:{step.seat}", 100)

    monkeypatch.setattr(amounts, "chips", twice)
    found = wrecked()
    assert "money is conserved" == found.promise
    assert len(found.record.splitlines()) < 140


def test_a_card_that_is_dealt_and_stays_in_the_deck_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a burned card is laid into the rack without being taken from where it lay."""
    honest = places.moved

    def copied(cards: Any, moves: Any) -> Any:
        after = honest(cards, moves)
        burned = [move for move in moves if move.source == "packet" and move.target == "rack"]
        return {**after, "packet": tuple(move.card for move in burned)} if burned else after

    monkeypatch.setattr(places, "moved", copied)
    found = wrecked()
    assert "every card is in one place" == found.promise
    assert len(found.record.splitlines()) < 60


@pytest.mark.usefixtures("unshortened")
def test_a_view_that_shows_a_neighbours_cards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a player who has looked at their own cards sees all cards."""
    honest = view.may_see

    def leaky(table: Any, viewer: str, seat: int, card: Any) -> bool:
        own = int(viewer.removeprefix("seat:")) if viewer.startswith("seat:") else 0
        return honest(table, viewer, seat, card) or bool(own and table.seats[own].looked)

    monkeypatch.setattr(view, "may_see", leaky)
    assert "views hide what they must" == wrecked().promise


@pytest.mark.usefixtures("unshortened")
def test_a_refusal_that_tells_of_cards_not_looked_at_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: an early tuck is judged by cards the player has not looked at yet."""
    honest = legal._tuck

    def eager(table: Any, seat: Any) -> Any:
        refusal = honest(table, seat)
        if refusal is not None and refusal.code == "not_looked":
            return None if legal.holds_paying_hand(table, seat.number) else Refusal("no_paying_hand", "No.")
        return refusal

    monkeypatch.setattr(legal, "_tuck", eager)
    assert "views hide what they must" == wrecked("nsw-1").promise  # the offer of a tuck already tells


@pytest.mark.usefixtures("unshortened")
def test_a_script_that_gets_stuck_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: the second community card can never be turned."""
    honest = legal._step

    def stuck(table: Any, command: Any) -> Any:
        if (command.kind, command.number) == ("turn_community", 2):
            return Refusal("stuck", "Stuck.")
        return honest(table, command)

    monkeypatch.setattr(legal, "_step", stuck)
    assert "the script leads on" == wrecked().promise


def without(kind: str) -> Any:
    """Return the effects of steps, with the money of one kind of step forgotten."""
    honest = amounts.chips
    return lambda table, step: iter(()) if step.kind == kind else honest(table, step)


PLANTED = {
    "the stake is never given back": (amounts, "chips", without("return_stake"), "the felt is clear after a round"),
    "winners are never paid": (amounts, "chips", without("pay"), "the felt is clear after a round"),
    "uncovered wagers stay on the felt": (amounts, "chips", without("return_wager"), "the felt is clear after a round"),
    "the win cap is ignored": (banking._Bank, "can_collect", lambda _: 10**9, "the bank is limited by its stake"),
    "the bank never goes round": (agenda, "bank_candidates", lambda t: tuple(n for n, s in t.seats.items() if s.player and not s.sitting_out and n not in t.declined), "the bank goes round"),
    "betting is never closed": (bets, "refuse_close", lambda t: Refusal("x", "X.") if t.round > 1 else None, "the script leads on"),
}  # fmt: skip


@pytest.mark.usefixtures("unshortened")
@pytest.mark.parametrize(("where", "name", "bug", "promise"), PLANTED.values(), ids=list(PLANTED))
def test_a_bank_that_goes_wrong_is_found(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, bug: Any, promise: str
) -> None:
    monkeypatch.setattr(where, name, bug)
    assert promise == wrecked("california-1").promise


def only_the_felt(table: Any, step: Any) -> Any:
    """What a void round gives back when what was taken, paid and charged before is forgotten."""
    seat = table.seats[step.seat]
    for name in seat.wagers:
        spot = f"felt:{step.seat}:{name}"
        if table.cents(spot):
            yield Transfer(spot, amounts.purse_of(step.seat, seat.medium), table.cents(spot))


def undone_on_the_felt(table: Any, step: Any) -> Any:
    """What steps move where a void round gives back no more than that."""
    return (only_the_felt if step.kind in {"return_bets", "forfeit_bets"} else PAID)(table, step)


TROUBLE = {
    "a void round keeps what was taken and paid": (amounts, "chips", undone_on_the_felt, "every result is paid", "washington-1"),
    "a void round keeps the fees": (amounts, "chips", undone_on_the_felt, "a void round costs nothing", "california-1"),
    "a discarded card is nowhere": (effects, "_mending_moves", lambda *_: iter(()), "the script leads on", "nsw-1"),
    "a void hand is dealt in": (evolve, "_ruled", lambda t, e: replace(HONEST(t, e), seats=t.seats), "never an exception", "nsw-1"),
}  # fmt: skip
HONEST, PAID = evolve._ruled, amounts.chips


@pytest.mark.usefixtures("unshortened")
@pytest.mark.parametrize("planted", TROUBLE)
def test_a_ruling_that_goes_wrong_is_found(monkeypatch: pytest.MonkeyPatch, planted: str) -> None:
    where, name, bug, promise, ref = TROUBLE[planted]
    monkeypatch.setattr(where, name, bug)
    found = fuzz(ready_rules(ref), 60_000, seed=1)
    assert isinstance(found, Wreck)
    assert found.promise == promise


def test_the_command_tells_what_it_did() -> None:
    done = run("fuzz", "--rulebook", "nsw-1", "--commands", "1e3", "--seed", "7", "--json")
    (book,) = json.loads(done.stdout)["books"]
    assert (0, 1_000, "nsw-1") == (done.returncode, book["commands"], book["rulebook"])
    assert "every promise held" in run("fuzz", "--rulebook", "california-1", "--commands", "500").stdout


@pytest.mark.parametrize("count", ["0", "-5", "1.5", "many", "1e99", "nan"])
def test_a_bad_number_of_commands_is_refused(count: str) -> None:
    done = run("fuzz", "--commands", count)
    assert (2, 1) == (done.returncode, done.stderr.count("\n"))
    assert "expected a whole number of commands" in done.stderr


def test_fuzzing_finds_a_book_that_cannot_be_dealt() -> None:
    rules = ready_rules("nsw-1")
    for values in BLIND, {**BLIND, "burn.when": "after_bet_1"}:
        found = fuzz(dealt_by(rules, values), 600, seed=3)
        assert isinstance(found, Wreck)
        assert found.promise in {DECIDED, SHOWN, SETTLED}
