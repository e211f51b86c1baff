"""The `wagers` commands, and a wager's own file wherever a paytable is taken."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from letitride.rules.wager_table import PUBLISHED
from tests.cli.command import read, run

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "wagers"
EDGES = {"pairs_plus": "118/5525", "red_black": "349/9996", "two_community": "1/17", "four_card": "10084/270725"}


def example(name: str) -> str:
    return str(EXAMPLES / f"{name}.toml")


def changed(folder: Path, old: str, new: str, name: str = "two_community") -> str:
    text = (EXAMPLES / f"{name}.toml").read_text(encoding="utf-8")
    assert old in text
    path = folder / "own.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return str(path)


def test_the_published_wagers_are_listed_and_those_that_are_named() -> None:
    listed = read("wagers", "list", example("two_community"))
    assert [*PUBLISHED, "two_community"] == [one["id"] for one in listed]
    assert ("community", "listed", False) == tuple(listed[-1][name] for name in ("judged_on", "ranking", "published"))
    shown = run("wagers", "list", example("two_community")).stdout
    for words in ("3 Card Bonus", "the best five-card hand at the table", "Two Up", "$2 to $50"):
        assert words in shown


@pytest.mark.parametrize("name", EDGES)
def test_an_example_fits_with_its_exact_house_edge(name: str) -> None:
    checked = read("wagers", "check", example(name))
    assert (True, EDGES[name]) == (checked["valid"], checked["figures"][0]["house_edge"]["exact"])
    sheet = read("par", example(name))
    assert (name, EDGES[name]) == (sheet["paytable"], sheet["wagers"][0]["house_edge"]["exact"])
    assert f"{name} is a valid wager. " in (said := run("wagers", "check", example(name)).stdout)
    assert f"({EDGES[name]})" in said


def test_a_wager_is_shown_with_the_count_of_each_rank_and_what_it_pays() -> None:
    shown = read("wagers", "show", example("two_community"))
    assert [("pair", 78, ["2"]), ("nothing", 780, [None])] == [
        (one["rank"], one["hands"], one["pays"]) for one in shown["ranks"] if one["rank"] in {"pair", "nothing"}
    ]
    assert {"same_suit": 2, "in_sequence": 2} == shown["ranks"][0]["when"]
    told = run("wagers", "show", example("two_community")).stdout
    for words in ("Two Up", "the two community cards", "5 to 1", "same_suit 2, in_sequence 2", "5.8824%", "$2 to $50"):
        assert words in told


def test_a_published_wager_is_shown_with_a_paytable_that_prices_it() -> None:
    three = read("wagers", "show", "three_card")
    assert ("3CB-1", "mini_royal") == (three["paytable"], three["ranks"][0]["rank"])
    bonus = read("wagers", "show", "bonus")
    assert (None, [], 2_598_960) == (bonus["paytable"], bonus["figures"], sum(one["hands"] for one in bonus["ranks"]))
    assert "total_award" == read("wagers", "show", "bonus", "--paytable", "LIRB-25")["award"]
    assert list(range(1, 8)) == [one["hands"] for one in read("wagers", "show", "cover_all")["figures"]]
    assert "element_of_risk" in read("wagers", "show", "base")["figures"][0]


def test_a_wagers_own_file_is_taken_where_paytables_are(tmp_path: Path) -> None:
    assert "Two Up: pays to one" in run("par", example("two_community")).stdout
    assert (
        "two_community,two_community,,suited sequence,52,1326,5,1,"
        in run("par", example("two_community"), "--csv").stdout
    )
    own = read("combined", "LIRX-01", "--side", f"{example('two_community')}=2", "--side", "3CB-1=5")
    assert {"two_community", "three_card"} == set(own["covariance_in_base_units"])
    assert "Two Up: suited sequence" in run("hand", "4h", "5h", "--paytable", example("two_community")).stdout
    assert "sequence" == read("hand", "4h", "5c", "--paytable", example("two_community"))["pays"][0]["rank"]
    page = tmp_path / "par.html"
    assert 0 == run("par", example("two_community"), "--html", str(page)).returncode
    text = page.read_text(encoding="utf-8")
    for words in ("Two Up", "The ranks, best first: suited sequence, pair, sequence, suited, nothing.", "5.8824%"):
        assert words in text


CLUB = """
id = "club"
title = "Club Award"
judged_on = "own_three"
ranking = "poker"
award = "fixed_dollars"
pays = { mini_royal = 500, straight_flush = 200, three_of_a_kind = "75/2" }
keys = { cents_min = 200, cents_max = 2500, cents_step = 100 }
"""


def test_awards_in_dollars_are_priced_at_a_stake_that_is_named(tmp_path: Path) -> None:
    path, page = tmp_path / "club.toml", tmp_path / "par.html"
    path.write_text(CLUB, encoding="utf-8")
    (lowest,) = read("par", path)["wagers"]
    (five,) = read("par", path, "--stake", "5")["wagers"]
    assert (200, 500, "fixed_dollars") == (lowest["stake_cents"], five["stake_cents"], five["award"])
    won = Fraction(4 * 50_000 + 44 * 20_000 + 52 * 3_750, 22_100)
    assert [str(1 - won / 200), str(1 - won / 500)] == [one["house_edge"]["exact"] for one in (lowest, five)]
    told = run("par", path, "--stake", "5", "--html", str(page)).stdout + run("par", path, "--stake", "5").stdout
    assert "Club Award: awards in dollars, bet not returned, at a stake of $5" in told
    assert "$37.50" in told
    text = page.read_text(encoding="utf-8")
    for words in (
        "awards in dollars, at a stake of $5",
        "N dollars in total, whatever was bet; the stake is not returned.",
    ):
        assert words in text
    assert "at a stake of $2" in run("wagers", "check", path).stdout
    for stake, sentence in (("30", "$2 to $25"), ("2.50", "$2 and steps of $1")):
        for words in (("par", path, "--stake", stake), ("combined", "LIRX-01", "--side", f"{path}={stake}")):
            done = run(*words)
            assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
            assert f"{words[2]}: expected {sentence} for Club Award, got $" in done.stderr


def test_a_par_sheet_combines_side_bets_with_the_base_as_the_combined_command_does(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(CLUB, encoding="utf-8")
    words = ("--stake", "25", "--ties", "ride")
    for side in (f"{path}=5", f"{example('jackpot')}=1"):
        one = run("par", "LIRX-01", "--combined", side, *words, "--combined", "3CB-1=2").stdout
        assert one == run("combined", "LIRX-01", "--side", side, *words, "--side", "3CB-1=2").stdout
    assert "assumes                Jackpot: meter at its seed of $10,000, no envy won" in one
    data = read("par", "LIRX-01", "--combined", f"{path}=5", "--combined", f"{example('jackpot')}=1", "--stake", "25")
    assert {"jackpot": "meter at its seed of $10,000, no envy won"} == data["assumed"]
    for more, sentence in (
        (("--combined", f"{example('jackpot')}=2"), "--combined: expected $1 for Jackpot, got $2"),
        (("--combined", "3CB-1=2", "--csv"), "expected --combined with one base paytable or --rulebook"),
        (("--combined", "base=2"), "expected a side bet after --combined, got Base game"),
    ):
        done = run("par", "LIRX-01", *more)
        assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
        assert sentence in done.stderr


REFUSED = {
    'in_sequence = 2 }\n\n[[rank]]\nid = "pair"': (
        'in_sequence = 5 }\n\n[[rank]]\nid = "pair"',
        "rank 1: when.in_sequence: expected a whole number from 2 to 2, got 5",
    ),
    "first_wins = true\n": ("", "rank: expected one rank for each hand, or first_wins = true, got 'suited_sequence' and"),
    '[[rank]]\nid = "nothing"\n': ("", "rank: expected a rank for every hand, got none for"),
    "same_rank = 2": ("same_colour = 2", "got the unknown key 'same_colour'"),
    "pair = 2": ("pair = 6", "pays.suited_sequence: expected at least the 6 of the lesser pair, got 5"),
    "cents_min = 200\n": ("cents = 200\n", "keys: expected cents, or cents_min and cents_max, got both"),
    "cents_min = 200": ("cents_min = 0", "cents_min: expected a whole number, 1 or more, got 0"),
}  # fmt: skip


@pytest.mark.parametrize("old", REFUSED, ids=[sentence[:50] for _, sentence in REFUSED.values()])
def test_a_file_that_does_not_fit_gets_one_sentence_and_exit_2(old: str, tmp_path: Path) -> None:
    new, sentence = REFUSED[old]
    done = run("wagers", "check", changed(tmp_path, old, new))
    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert "own.toml: " in done.stderr
    assert sentence in done.stderr


PROGRESSIVE = {
    "royal_flush = 100\n": ("royal_flush = 101\n", "meter.takes.royal_flush: expected a percentage from 1 to 100"),
    "[envy]\n": ("[envy]\nhigh_card = 5\n", "envy.high_card: expected a hand that wins, got one that does not pay"),
    "[keys]\n": ('[keys]\nvoid_on = ["fire"]\n', "void_on: expected a list, each one of 'exposed_card'"),
}


@pytest.mark.parametrize("old", PROGRESSIVE, ids=[sentence[:20] for _, sentence in PROGRESSIVE.values()])
def test_a_progressive_that_does_not_fit_gets_one_sentence_and_exit_2(old: str, tmp_path: Path) -> None:
    new, sentence = PROGRESSIVE[old]
    done = run("wagers", "check", changed(tmp_path, old, new, "jackpot"))
    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert "own.toml: " in done.stderr
    assert sentence in done.stderr


def test_a_bet_alone_is_refused_by_a_book_that_makes_the_base_bets_compulsory(tmp_path: Path) -> None:
    changed(tmp_path, "[keys]\n", "[keys]\nalone = true\n")
    book = tmp_path / "room.toml"
    head = 'id = "room"\ntitle = "Room"\nextends = "nsw-1"\nwagers = ["own.toml"]\n'
    book.write_text(head, encoding="utf-8")
    assert 0 == run("rules", "check", book).returncode
    book.write_text(f'{head}rules.bet.lone_side = "never"\n', encoding="utf-8")
    done = run("rules", "check", book)
    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert "room.toml: two_community.alone: expected false, because the three base bets are compulsory" in done.stderr
    went = "got true; bet.lone_side = 'never' does not go with it: bet.lone_side = 'by_wager' would\n"
    assert done.stderr.endswith(went)


def test_a_check_tells_the_digest_of_how_a_bet_is_played_and_that_of_its_pays(tmp_path: Path) -> None:
    checked = read("wagers", "check", example("two_community"))
    paid = read("wagers", "check", changed(tmp_path, "suited_sequence = 5", "suited_sequence = 6"))
    assert checked["sha256"] == paid["sha256"]
    assert checked["pays_sha256"] != paid["pays_sha256"] == read("par", tmp_path / "own.toml")["sha256"]
    assert f"sha256 of pays: {paid['pays_sha256']}" in run("wagers", "check", tmp_path / "own.toml").stdout


def test_a_bet_on_the_best_hand_that_cannot_be_priced_is_refused_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "best.toml"
    path.write_text(
        'id = "best"\ntitle = "Best"\njudged_on = "table_best"\nranking = "poker"\naward = "to_one"\n'
        "[keys]\ncents = 100\n[pays]\n" + "".join(f"{name} = [1, 1, 1, 1, 1, 1, 1]\n" for name in POKER)
    )
    done = run("wagers", "check", str(path))
    assert (2, 1) == (done.returncode, done.stderr.count("\n"))
    assert "best.toml: " in done.stderr
    assert "pays: expected three_of_a_kind or better" in done.stderr


POKER = (
    *("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind"),
    "two_pair",
)


def test_only_a_file_is_checked_and_an_unknown_wager_is_refused() -> None:
    for words, sentence in (
        (("wagers", "check", "bonus"), "expected a path ending in .toml, got 'bonus'"),
        (("wagers", "list", "bonus"), "expected a path ending in .toml, got 'bonus'"),
        (("wagers", "show", "bonsu"), "got 'bonsu'; did you mean 'bonus'?"),
        (("wagers", "show", "bonus", "--paytable", "LIRX-01"), "expected a paytable that prices the bonus wager"),
    ):
        done = run(*words)
        assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n")), words
        assert sentence in done.stderr


def test_a_wager_that_gives_money_away_fits_and_says_so(tmp_path: Path) -> None:
    path = changed(tmp_path, "suited_sequence = 5", "suited_sequence = 50")
    assert "Note: this wager pays the player" in run("wagers", "check", path).stdout
    assert read("wagers", "check", path)["remarks"]


def test_the_contribution_that_leaves_the_house_an_edge_is_told_and_gives_it(tmp_path: Path) -> None:
    asked = ("wagers", "show", example("jackpot"), "--players", "3", "--house-edge", "20")
    exact = Fraction(read(*asked)["meter"]["contribution_for_house_edge"]["exact"])
    assert f"contribution_ppm = {int(1_000_000 * exact):_}" in run(*asked).stdout
    path = Path(changed(tmp_path, "contribution_ppm = 200000", "contribution_ppm = 270000", "jackpot"))
    own = ("wagers", "show", str(path), "--players", "3")
    edge = Fraction(read(*own)["meter"]["long_run_edge"]["exact"])
    told = read(*own, "--house-edge", f"{float(100 * edge):.9f}")["meter"]["contribution_for_house_edge"]
    assert told["value"] == pytest.approx(0.27, abs=1e-9)
    far = run("wagers", "show", example("jackpot"), "--house-edge", "90")
    assert (far.returncode, "expected a house edge that a contribution of 0 to 100% gives" in far.stderr) == (2, True)
    none = run("wagers", "show", example("red_black"), "--house-edge", "20")
    assert (none.returncode, "expected a progressive wager for --meter" in none.stderr) == (2, True)
