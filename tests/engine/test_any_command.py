"""Any command, in any phase, from anybody: events or a refusal; never an exception, never a lost chip or card."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from letitride.engine import commands, places
from letitride.engine.decide import decide, open_table, play
from letitride.engine.evolve import evolve
from letitride.engine.legal import Refusal, legal
from letitride.engine.places import CardObject
from letitride.engine.script import script
from letitride.engine.state import Table
from letitride.engine.steps import KINDS
from letitride.engine.view import VIEWERS, view
from letitride.rules import catalog
from letitride.rules.cards import DECK
from letitride.rules.settlement import WAGER_NAMES

HOUSE_BANKED = [book for book in catalog.rulebook_ids() if catalog.rulebook(book).rules.bank.mode == "house"]
TABLES = [*HOUSE_BANKED, *(f"{b}+{v}" for b in HOUSE_BANKED for v in catalog.rulebook(b).variants)]
FACES = [str(card) for card in DECK]


def some_command(table: Table, rng: random.Random) -> commands.AnyCommand:
    """Return a command: often the next step or what a player may do, often nonsense."""
    step = table.next_step
    seat = rng.choice([*table.seats, *table.seats, 0, 99])
    by = rng.choice([f"seat:{seat}"] * 6 + ["dealer", "floor", "seat:3", "spectator", "", "nobody"])
    if step and rng.random() < 0.75:
        if step.kind == "await_choice":
            choice: Any = rng.choice(["ride", "withdraw"])
            return commands.Choose(by=f"seat:{step.seat}", seat=step.seat, bet=step.number, choice=choice)  # type: ignore[arg-type]
        if KINDS[step.kind].actor != "player":
            deck = rng.sample(FACES, 52)
            return commands.Do(
                by=KINDS[step.kind].actor,
                kind=step.kind,
                seat=step.seat,
                wager=step.wager,
                number=step.number,
                order=tuple(deck),
                cut=rng.choice([0, 9, 10, 26, 51, 52]),
                face_up=rng.random() < 0.5,
            )
    amounts = [0, 1, 99, 100, 500, 1_000, 2_500, 10**9, -100]
    wagers: Any = {name: rng.choice(amounts) for name in rng.sample([*WAGER_NAMES, "base-4"], rng.randrange(6))}
    good: Any = dict.fromkeys(("base-1", "base-2", "base-$"), 1_000)
    candidates: list[commands.AnyCommand] = [
        commands.Do(by=by, kind=rng.choice([*KINDS, "nothing"]), seat=seat, number=rng.randrange(4)),
        commands.Do(by="dealer", kind=step.kind if step else "", order=("Ah",) * 52, cut=-1),
        commands.Sit(by=by, seat=seat, player=rng.choice(["Ann", "Bob", "", "\n", "Di"]), cents=rng.choice(amounts)),
        commands.BuyChips(by=by, seat=seat, cents=rng.choice(amounts)),
        commands.ExchangeVoucher(by=by, seat=seat, cents=rng.choice(amounts), into=rng.choice(["chips", "tokens"])),  # type: ignore[arg-type]
        commands.Leave(by=by, seat=seat),
        commands.SitOut(by=by, seat=seat, out=rng.random() < 0.3),
        commands.PlaceWagers(
            by=by, seat=seat, wagers=wagers, medium=rng.choice(["chips", "cash", "tokens", "plaques"])
        ),  # type: ignore[arg-type]
        commands.PlaceWagers(by=by, seat=seat, wagers=good),
        commands.PlaceWagers(by=by, seat=seat, wagers={**good, "bonus": 100, "three_card": 500, "cover_all": 200}),
        commands.LookOver(by=by, seat=seat),
        commands.Look(by=by, seat=seat),
        commands.Choose(by=by, seat=seat, bet=rng.choice([0, 1, 2, 3]), choice=rng.choice(["ride", "withdraw", "x"])),  # type: ignore[arg-type]
        commands.Tuck(by=by, seat=seat),
        commands.Claim(by=by, seat=seat, shown=rng.random() < 0.5),
    ]
    return rng.choice(candidates)


def check_promises(table: Table) -> None:
    """Assert what must hold after every command."""
    assert sum(table.accounts.values()) == 0
    for account, cents in table.accounts.items():
        if account.startswith(("stack", "felt", "tokens")):
            assert cents >= 0, account
    cards = Counter((card.deck, card.serial) for held in table.cards.values() for card in held)
    assert len(cards) == 52 * table.rules.rules.decks
    assert set(cards.values()) == {1}


def swapped(table: Table, viewer: str, rng: random.Random) -> Table:
    """Return another world: every card whose face a viewer may not see has traded faces with another such card."""
    shown = str(view(table, viewer))
    hidden = [
        (place, index)
        for place, held in sorted(table.cards.items())
        for index, card in enumerate(held)
        if not card.up and not (place.startswith("hand:") and str(card.face) in shown)
    ]
    order = hidden[:]
    rng.shuffle(order)
    cards = {place: list(held) for place, held in table.cards.items()}
    for (place, index), (other, there) in zip(hidden, order, strict=True):
        face = table.cards[other][there].face
        held = table.cards[place][index]
        cards[place][index] = CardObject(held.deck, held.serial, face, held.up)
    return replace(table, cards={place: tuple(held) for place, held in cards.items()})


@pytest.mark.parametrize("ref", TABLES)
def test_anything_may_be_tried_and_every_promise_holds(ref: str) -> None:
    rng = random.Random(ref)
    rules = catalog.table_rules(ref)
    table, opened = open_table(rules)
    live = list(opened)
    rounds = 0
    for turn in range(2_000):
        command = some_command(table, rng)
        refused = legal(table, command)
        after, outcome = play(table, command)
        assert isinstance(outcome, Refusal) == (refused is not None)
        if isinstance(outcome, Refusal):
            assert after is table
            assert outcome.code.replace("_", "").isalpha()
            assert outcome.sentence.endswith(".")
        else:
            live += outcome
            check_promises(after)
        table = after
        rounds = max(rounds, table.round)
        if turn % 50 == 0:
            for viewer in (*VIEWERS, *(f"seat:{seat}" for seat in table.seats)):
                seen = view(table, viewer)
                assert msgspec.json.encode(seen) == msgspec.json.encode(view(swapped(table, viewer, rng), viewer))
                for offer in seen["offers"]:
                    offered = msgspec.convert(offer, commands.AnyCommand)  # type: ignore[arg-type]
                    assert not isinstance(decide(table, offered), Refusal)
    assert rounds >= 1
    assert replayed(live) == table


def replayed(live: list[Any]) -> Table:
    """Return the table that its events alone give."""
    table, _ = open_table(live[0].rules)
    for event in live[1:]:
        table = evolve(table, event) if event is not live[1] else table
    return table


@pytest.mark.parametrize("ref", TABLES)
def test_the_script_alone_leads_to_the_end_of_a_round_and_names_its_clauses(ref: str) -> None:
    table, _ = open_table(catalog.table_rules(ref))
    rng = random.Random(1)
    told = []
    while table.round < 2:
        if table.phase == "idle" and table.next_step is None:
            table, _ = play(table, commands.Sit(by="seat:4", seat=4, player="Ann", cents=100_000))
            continue
        if table.phase == "betting" and not table.seats[4].wagers:
            table, outcome = play(
                table,
                commands.PlaceWagers(by="seat:4", seat=4, wagers={"base-1": 1_000, "base-2": 1_000, "base-$": 1_000}),
            )
            assert not isinstance(outcome, Refusal)
        line = script(table)[0]
        told.append(line)
        if line.step.kind == "await_inspection":
            command: commands.AnyCommand = commands.LookOver(by="seat:4", seat=4)
        elif line.step.kind == "await_choice":
            command = commands.Choose(by="seat:4", seat=4, bet=line.step.number, choice="ride")  # type: ignore[arg-type]
        else:
            deck = tuple(rng.sample(FACES, 52))
            fields = msgspec.structs.asdict(line.step)
            command = commands.Do(by=line.actor, **fields, order=deck, cut=26)
        table, outcome = play(table, command)
        assert not isinstance(outcome, Refusal), line
    documents = set(catalog.documents(catalog.rulebook(ref)))
    cited = {clause.partition(":")[0] for line in told for clause in line.clauses}
    assert cited <= documents
    assert sum(bool(line.clauses) for line in told) > len(told) / 2
    assert all(line.text and "{" not in line.text for line in told)


def test_a_table_never_holds_more_than_its_decks_and_its_players_money() -> None:
    table, _ = open_table(catalog.table_rules("nsw-1"))
    assert len(table.at(places.CHEST)) == 52
    assert table.accounts == {}
