"""Own wagers: a small wager file of each kind, and a house's book that offers some of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from letitride.rules.catalog import ready_rules
from letitride.rules.table_rules import TableRules

LIMITS = "\n[keys]\ncents_min = 100\ncents_max = 10000\n"
RED_BLACK = (
    """
id = "red_black"
title = "Red Black"
judged_on = "own_three"
award = "to_one"
first_wins = true
pays = { red_run = 9, all_red = 3, all_black = "3/2" }
[[rank]]
id = "red_run"
when = { colour = "red", in_sequence = 3 }
[[rank]]
id = "all_red"
when = { colour = "red" }
[[rank]]
id = "all_black"
when = { colour = "black" }
[[rank]]
id = "mixed"
"""
    + LIMITS
)
FOUR_KIN = (
    """
id = "four_kin"
title = "Four Kin"
judged_on = "own_four"
award = "to_one"
first_wins = true
pays = { suited_run = 200, four_suited = 20, trips = 10, high_run = 8, small = 1 }
[[rank]]
id = "suited_run"
when = { same_suit = 4, in_sequence = 4 }
[[rank]]
id = "four_suited"
when = { same_suit = 4 }
[[rank]]
id = "trips"
when = { same_rank = 3 }
[[rank]]
id = "high_run"
when = { in_sequence = 3, pips_min = 25 }
[[rank]]
id = "small"
when = { pips_max = 14, ranks = ["A", "2", "3", "4", "5", "6", "7"] }
[[rank]]
id = "rest"
"""
    + LIMITS
)
MARRIAGE = (
    """
id = "marriage"
title = "Marriage"
judged_on = "own_three"
award = "to_one"
first_wins = true
pays = { court = 500, hearts = 100, spades = 40, black_ace = 2 }
[[rank]]
id = "court"
when = { includes = ["Kh", "Qh", "Jh"] }
[[rank]]
id = "hearts"
when = { includes = ["Kh", "Qh"] }
[[rank]]
id = "spades"
when = { includes = ["Qs", "Ks"], pips_max = 25 }
[[rank]]
id = "black_ace"
when = { includes = ["As"], colour = "black" }
[[rank]]
id = "rest"
"""
    + LIMITS
)
ROUGH_FIVE = (
    """
id = "rough_five"
title = "Rough Five"
judged_on = "own_five"
award = "to_one"
first_wins = true
pays = { one_colour_run = 60, one_suit = 20, four_run = 4, one_colour = 3, low = 1 }
[[rank]]
id = "one_colour_run"
when = { colour = "one", in_sequence = 4 }
[[rank]]
id = "one_suit"
when = { same_suit = 5 }
[[rank]]
id = "four_run"
when = { in_sequence = 4 }
[[rank]]
id = "one_colour"
when = { colour = "one" }
[[rank]]
id = "low"
when = { pips_max = 20 }
[[rank]]
id = "rest"
"""
    + LIMITS
)
LUCKY = (
    """
id = "lucky"
title = "Lucky"
judged_on = "own_five"
award = "to_one"
first_wins = true
pays = { red_queens = 50, ace_run = 20, ace = 2 }
[[rank]]
id = "red_queens"
when = { includes = ["Qh", "Qd"] }
[[rank]]
id = "ace_run"
when = { includes = ["As"], in_sequence = 4 }
[[rank]]
id = "ace"
when = { includes = ["As"], same_suit = 2 }
[[rank]]
id = "rest"
"""
    + LIMITS
)
TWINS = """
id = "twins"
title = "Twins"
judged_on = "community"
award = "total_award"
first_wins = true
pays = { red_queens = 300, twins = 10, suited_run = 5 }
[[rank]]
id = "red_queens"
when = { includes = ["Qh", "Qd"] }
[[rank]]
id = "twins"
when = { same_rank = 2 }
[[rank]]
id = "suited_run"
when = { same_suit = 2, in_sequence = 2 }
[[rank]]
id = "rest"
[keys]
cents = 200
"""
EVERY_PAIR = (
    """
id = "every_pair"
title = "Every Pair"
judged_on = "own_five"
ranking = "poker"
award = "to_one"
pays_from = "low_pair"
[pays]
royal_flush = 100
straight_flush = 50
four_of_a_kind = 20
full_house = 10
flush = 8
straight = 6
three_of_a_kind = 3
two_pair = 2
tens_or_better = 1
low_pair = 0
"""
    + LIMITS
)
SECOND_FIVE = (
    EVERY_PAIR.replace("every_pair", "second_five")
    .replace("Every Pair", "Second Five")
    .replace('pays_from = "low_pair"', 'pays_from = "tens_or_better"')
    .replace("low_pair = 0\n", "")
)
SECOND_THREE = (
    """
id = "second_three"
title = "Second Three"
judged_on = "own_three"
ranking = "poker"
award = "to_one"
[pays]
mini_royal = 60
straight_flush = 40
three_of_a_kind = 30
straight = 6
flush = 3
pair = 1
"""
    + LIMITS
)
KINDS = {
    "own_three": RED_BLACK,
    "own_four": FOUR_KIN,
    "own_five": ROUGH_FIVE,
    "community": TWINS,
    "single cards": MARRIAGE,
    "single cards of five": LUCKY,
    "low pairs": EVERY_PAIR,
    "five cards": SECOND_FIVE,
    "three cards": SECOND_THREE,
}


def book_file(folder: Path, wagers: Iterable[str], extends: str = "nsw-1") -> Path:
    """Write a book that offers wagers of these texts beside those of another book."""
    names = []
    for number, text in enumerate(wagers):
        (folder / f"wager-{number}.toml").write_text(text, encoding="utf-8")
        names.append(f"wager-{number}.toml")
    file = folder / "book.toml"
    listed = json.dumps(names)
    file.write_text(
        f'id = "own"\ntitle = "Own"\nextends = "{extends}"\nwagers = {listed}\n[rules]\nodds.wording = ["to", "win"]\n',
        encoding="utf-8",
    )
    return file


def own_table(folder: Path, wagers: Iterable[str], extends: str = "nsw-1") -> TableRules:
    """Return a table by such a book."""
    return ready_rules(str(book_file(folder, wagers, extends)))
