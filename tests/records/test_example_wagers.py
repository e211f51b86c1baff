"""The wagers of `examples/`: each is played at a table, and costs what its file and the documents say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from letitride.analysis.par import sheets
from letitride.analysis.progressive import progressive
from letitride.analysis.rounding import percent
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.rules import catalog
from letitride.rules.settlement import WagerResult

ROOT = Path(__file__).parents[2]
EXAMPLES = {file.stem: file for file in sorted((ROOT / "examples" / "wagers").glob("*.toml"))}
HANDS = """
hand 1 Ah Kh Qh
hand 2 2c 7d 9s
community Jh Th
"""
PLAYED = {
    # A royal flush in seat 1, nothing in seat 2; what each stake of each bet comes to.
    "four_card": (500, WagerResult("four_card", 500, "won", 200 * 500, 500), WagerResult("four_card", 500, "lost")),
    "jackpot": (100, WagerResult("jackpot", 100, "won", 1_000_000), WagerResult("jackpot", 100, "lost", 100_000)),
    "pairs_plus": (500, WagerResult("pairs_plus", 500, "won", 50 * 500, 500), WagerResult("pairs_plus", 500, "lost")),
    "red_black": (500, WagerResult("red_black", 500, "won", 100 * 500, 500), WagerResult("red_black", 500, "lost")),
    "second_chance": (
        500,
        WagerResult("second_chance", 500, "won", 500 * 500, 500),
        WagerResult("second_chance", 500, "withdrawn", back_cents=250),
    ),
    "two_community": (
        400,
        WagerResult("two_community", 400, "won", 5 * 400, 400),
        WagerResult("two_community", 400, "won", 5 * 400, 400),
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_played_at_a_table(tmp_path: Path, name: str) -> None:
    cents, first, second = PLAYED[name]
    book = tmp_path / "room.toml"
    words = "" if name != "jackpot" else '[rules]\nodds.wording = ["to", "win"]\n'
    book.write_text(
        f'id = "room-1"\ntitle = "Room"\nextends = "nsw-1"\nwagers = ["{EXAMPLES[name]}"]\n{words}', "utf-8"
    )
    sits = "".join(f"seat {n} sits P{n} 900\n" for n in (1, 2))
    bets = "".join(f"seat {n} bets 5 {name} {cents / 100:g}\n" for n in (1, 2))
    back = "seat 2 withdraws second_chance\n" if name == "second_chance" else ""
    chosen = f"seat 1 rides 1\n{back}seat 2 withdraws 1\nseat 1 rides 2\nseat 2 withdraws 2\n"
    done = replay(read_record(f"rulebook {book}\ndealer auto\n{sits}\nround{HANDS}{bets}{chosen}", "one"), "one")
    found = {seat: {row.wager: row for row in rows} for seat, rows in done.outcomes[0].results.items()}
    assert (found[1][name], found[2][name]) == (first, second)
    assert sum(done.table.accounts.values()) == 0


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name != "jackpot"])
def test_an_example_costs_what_its_file_says(name: str) -> None:
    (sheet,) = sheets(catalog.paytable(str(EXAMPLES[name])))
    assert f"House edge: {percent(sheet.house_edge, 2)}." in EXAMPLES[name].read_text(encoding="utf-8")


def test_the_prices_of_the_documents_are_those_of_the_files() -> None:
    text = (ROOT / "docs" / "wager-format.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `examples/wagers/(\w+)\.toml` \| .* \| ([\d.]+%) \|$", text, re.MULTILINE)
    assert [name for name, _ in rows] == list(EXAMPLES)
    for name, printed in rows:
        table = catalog.paytable(str(EXAMPLES[name]))
        pays = table.pays[name]
        edge = progressive(pays, 100).long_run_edge if pays.wager.meter else sheets(table)[0].house_edge
        assert edge is not None
        assert printed == percent(edge, 2)
