"""The outside checker: it finds nothing in a house that is killed, and it notices whatever could be lost."""

from __future__ import annotations

import asyncio
import copy
import json
from collections import defaultdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from benchmarks.torture import proof_check
from benchmarks.torture.__main__ import as_json
from benchmarks.torture.decks import Decks
from benchmarks.torture.history import Asked, History
from benchmarks.torture.ledger import Ledger, TableModel
from benchmarks.torture.torture import Found, Run, Wanted

SIT = {"type": "Sit", "seat": 1, "player": "", "cents": 500}
SAT = ["player-sat/1", {"seat": 1, "player": "A", "chips": [{"source": "wallet:A", "target": "stack:1", "cents": 500}]}]
RULES = ["table-opened/1", {"chips": [], "rules": {"book": {"rules": {"decks": 1}}}}]


class Books:
    """A made-up database of one table, in which anything can be made wrong."""

    def __init__(self, *rows: tuple[str, list[Any]]) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self.transfers: list[tuple[Any, ...]] = [(1, "t", 0, "cage", "wallet:A", 10_000)]
        self.shuffles: list[tuple[str]] = []
        for command, events in (("", [RULES]), *rows):
            self.add(command, events)

    def add(self, command: str, events: list[Any], *, moved: bool = True) -> None:
        """Write one more row, and its money if so wished."""
        number, previous = len(self.rows) + 1, self.rows[-1][-1] if self.rows else "0" * 64
        body = json.dumps(events).encode()
        head = json.dumps(["t", number, 5, "seat:1", command, 1, previous], separators=(",", ":"))
        hashed = sha256(b"letitride-journal/1\n" + head.encode() + b"\n" + body).hexdigest()
        self.rows.append((number, 5, "seat:1", command, 1, body, previous, hashed))
        for _, event in events:
            for chip in event["chips"] if moved else ():
                self.transfers.append((len(self.transfers) + 1, "t", number, *chip.values()))

    def query(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        """Answer as the database would."""
        if "FROM game_tables" in sql:
            return [("t", len(self.rows), self.rows[-1][-1])]
        if "FROM journal" in sql:
            return self.rows[values["after"] :]
        if "table_id = :table" in sql:
            return [(one[0], *one[2:]) for one in self.transfers[1:] if one[0] > values["after"]]
        if "table_id IS NULL" in sql:
            return [(one[0], *one[3:]) for one in self.transfers[:1]]
        if "FROM accounts" in sql:
            held: defaultdict[tuple[str, str], int] = defaultdict(int)
            for _, table, _, source, target, cents in self.transfers:
                for name, change in ((source, -cents), (target, cents)):
                    held["" if name == "cage" or name.startswith("wallet") else table, name] += change
            return [(*key, cents) for key, cents in held.items()]
        return list(self.shuffles)


def history_of(books: Books, *answers: dict[str, Any], known: int = 0) -> list[str]:
    """Return what is found wrong where one command was sent, got these answers, and the books say what they say."""
    history, ledger = History(), Ledger()
    history.send(Asked("torture-1", "t", "A", SIT, known))
    for answer in answers:
        history.answer({"command": "torture-1", "code": "", **answer})
    wrong = ledger.look(books.query)
    history.compare(ledger, float("inf"), final=True)
    return wrong + history.losses


def accepted(version: int) -> dict[str, Any]:
    return {"accepted": True, "version": version}


def test_a_house_that_does_what_it_says_loses_nothing() -> None:
    there, empty = Books(("torture-1", [SAT])), Books()
    assert history_of(there, accepted(1)) == []
    assert history_of(there, accepted(1), accepted(1)) == []
    assert history_of(there) == []  # nobody knows, and it was carried out
    assert history_of(empty) == []  # nobody knows, and it was not
    assert history_of(empty, {"accepted": False, "version": 0, "code": "no"}) == []


@pytest.mark.parametrize(
    ("rows", "answers", "known", "found"),
    [
        ([], [accepted(1)], 0, "acknowledged at version 1 and is not there"),
        ([SAT], [accepted(2)], 0, "made version 1, not 2"),
        ([SAT], [accepted(1), accepted(2)], 0, "accepted at version 1, then at 2"),
        ([SAT], [accepted(1), {"accepted": False, "version": 1, "code": "taken"}], 0, "then taken"),
        ([SAT], [{"accepted": False, "version": 1, "code": "taken"}], 0, "was refused as taken, and row 2 has it"),
        ([SAT], [accepted(1)], 1, "made version 1, after 1 was told"),
        ([], [{"accepted": False, "version": 3, "code": "no"}], 4, "refused at version 3, after 4 was told"),
        ([["sat-out/1", {"seat": 1, "out": True, "chips": []}]], [accepted(1)], 0, "Sit became sat-out/1"),
        ([[SAT[0], {**SAT[1], "seat": 2}]], [accepted(1)], 0, "asked for seat 1, and got 2"),
    ],
)
def test_every_answer_that_cannot_be_true_is_a_loss(
    rows: list[Any], answers: list[dict[str, Any]], known: int, found: str
) -> None:
    losses = history_of(Books(*(("torture-1", [row]) for row in rows)), *answers, known=known)
    assert any(found in loss for loss in losses), losses


def test_a_command_that_is_carried_out_twice_is_a_loss() -> None:
    losses = history_of(Books(("torture-1", [SAT]), ("torture-1", [SAT])), accepted(1))
    assert any("carried out twice" in loss for loss in losses), losses


def test_a_cent_off_or_a_changed_row_is_a_loss() -> None:
    lost = Books()
    lost.add("", [SAT], moved=False)
    assert any("the transfers are not those" in loss for loss in history_of(lost))
    more = Books(("", [SAT]))
    more.transfers[-1] = (*more.transfers[-1][:-1], 501)
    assert any("the transfers are not those" in loss for loss in history_of(more))
    changed = Books(("", [SAT]))
    changed.rows[1] = (*changed.rows[1][:2], "seat:2", *changed.rows[1][3:])
    assert any("has not the hash" in loss for loss in history_of(changed))
    owing = ["wagers-placed/1", {"seat": 1, "chips": [{"source": "stack:1", "target": "felt:1:base-1", "cents": 501}]}]
    assert any("leaves -1 cents in stack:1" in loss for loss in history_of(Books(("", [SAT]), ("", [owing]))))


def test_what_a_view_shows_is_held_against_the_journal() -> None:
    books, ledger = Books(("", [SAT])), Ledger()
    assert ledger.look(books.query) == []
    seat = {"player": "A", "stack_cents": 500, "tokens_cents": 0}
    history = History()
    history.known["t"] = 1
    history.saw("t", {"version": 1, "round": 0, "seats": {"1": seat}}, 1)
    history.compare(ledger, 0.0)
    assert history.losses == []
    history.saw("t", {"version": 1, "round": 0, "seats": {"1": {**seat, "stack_cents": 499}}}, None)
    history.saw("t", {"version": 0, "round": 0, "seats": {}}, 1)
    history.saw("t", {"version": 9, "round": 0, "seats": {}}, None)
    history.compare(ledger, 0.0, final=True)
    found = " ".join(history.losses)
    assert "the view says ('A', 499, 0)" in found
    assert "a new connection showed version 0, after 1 was told" in found
    assert "version 9 was shown, and the journal ends before it" in found


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Found]:
    """A short run against a real server: killed once, and every connection dropped once."""
    wanted = Wanted(acts=2, seconds=600, seed=8, players=3, only=("kill", "hang up"), books=("shufflemaster-1",))

    async def torture() -> tuple[Run, Found]:
        one = Run(wanted, tmp_path_factory.mktemp("torture"), lambda _: None)
        return one, await one.run()

    return asyncio.run(torture())


def test_a_house_that_is_killed_loses_nothing(run: tuple[Run, Found]) -> None:
    _, found = run
    assert found.losses == []
    assert sum(found.acts.values()) == 2
    assert found.commands["accepted"] > 5
    assert found.commands["views_compared"] > 5
    assert found.decks["proofs"] > 0


def test_every_change_of_a_published_proof_is_noticed(run: tuple[Run, Found]) -> None:
    torture, _ = run
    proofs = [deck.proof for deck in torture.decks.heard.values() if deck.proof is not None]
    proof = next(one for one in proofs if one["outcome"] == "dealt" and one["reveals"])
    assert proof_check.check(proof, proof["commitment"]["root"]) == []
    for path in _leaves(proof):
        if path[-1] in {"format", "outcome", "reason"}:
            continue
        other = copy.deepcopy(proof)
        _change(other, path)
        try:
            wrong = proof_check.check(other)
        except (ValueError, KeyError, OverflowError):
            continue  # it cannot be read any more
        assert wrong, path


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to every value of a document, of long lists to the first and the last."""
    if isinstance(value, dict):
        return [leaf for key, one in value.items() for leaf in _leaves(one, (*path, key))]
    if isinstance(value, list):
        return [leaf for at in {0, len(value) - 1} if value for leaf in _leaves(value[at], (*path, at))]
    return [path]


def _change(document: Any, path: tuple[Any, ...]) -> None:
    for key in path[:-1]:
        document = document[key]
    old = document[path[-1]]
    if isinstance(old, int):
        document[path[-1]] = old + 1
    elif len(old) == 2:  # a face
        document[path[-1]] = "2c" if old != "2c" else "3c"
    else:
        document[path[-1]] = ("1" if old[:1] == "0" else "0") + old[1:]


def test_a_deck_without_one_public_end_is_a_loss(run: tuple[Run, Found]) -> None:
    torture, _ = run
    proof = next(one.proof for one in torture.decks.heard.values() if one.proof and one.proof["outcome"] == "dealt")
    key = tuple(proof["commitment"][name] for name in ("table", "round", "shuffle"))
    table = TableModel(key[0], dealt=[tuple(proof["order"])])
    ledger = Ledger(tables={key[0]: table}, shuffles={key})

    def judged(*ends: dict[str, Any]) -> list[str]:
        decks = Decks(History())
        for end in ends:
            decks.ended(key, end)
        decks.compare(ledger, final=True)
        return decks.history.losses

    assert judged(proof) == []
    assert any("then void" in loss for loss in judged(proof, {**proof, "outcome": "void"}))
    table.decks = 0
    assert any("no public end" in loss for loss in judged())
    assert any("have no proof" in loss for loss in judged())
    table.dealt = []
    assert any("published as dealt that never was" in loss for loss in judged(proof))


def test_nothing_of_letitride_is_imported_by_the_checker() -> None:
    folder = Path(proof_check.__file__).parent
    lines = [line for path in folder.rglob("*.py") for line in path.read_text(encoding="utf-8").splitlines()]
    assert not [line for line in lines if line.strip().startswith(("import letitride", "from letitride"))]


def test_the_figures_of_a_run_are_json_with_every_count_under_its_name() -> None:
    found = Found(7)
    found.acts["kill"] += 3
    found.commands["acknowledged"] += 5
    told = json.loads(as_json(found, "again"))
    assert (told["seed"], told["acts"], told["commands"], told["again"]) == (
        7,
        {"kill": 3},
        {"acknowledged": 5},
        "again",
    )
