"""Game parts: the game as configured, laid out for the index of a pack; rounds for print, and computes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from letitride.analysis.exact import Exact
from letitride.analysis.rounding import decimal, percent
from letitride.reports.evidence.configured import PricedWager
from letitride.reports.evidence.game import GameEvidence
from letitride.reports.evidence.signing import DIFFERENCES, GENERATORS, OUTPUTS, Build
from letitride.reports.paper.model import Cell, Grid, Part, Text
from letitride.reports.par.wager import figure
from letitride.rules.explain import KeyData
from letitride.rules.money import dollars
from letitride.rules.words import quantity


def price_parts(game: GameEvidence) -> Iterator[Part]:
    """Yield what the game is worth and what it may cost."""
    yield Part("Conventions", (_pairs("Definitions of the figures in this pack", game.conventions.items()),))
    in_force = tuple(one for one in game.prices if one.in_force)
    others = tuple(one for one in game.prices if not one.in_force)
    yield Part("The game as configured", (Text((_PRICED,)), _prices("Exact figures of every wager in force", in_force)))
    if others:
        caption = "Exact figures of every other paytable the book permits"
        yield Part("Other permitted paytables", (_prices(caption, others),))
    yield Part("Exposure", tuple(_exposure(game)))


_PRICED = (
    "Best play; a bet that neither gains nor loses by riding is taken back. Figures are for the lowest and the highest "
    "stake, with the maximum payout where the book has one. Where a line names two stakes, the figures per unit are "
    "the same at both. In between, a unit wins less only where a pay includes a fraction of a cent, which is not paid."
)


def _prices(caption: str, rows: tuple[PricedWager, ...]) -> Grid:
    lines = tuple(
        (
            Cell(one.title + (f", {quantity(one.hands, 'hand')}" if one.hands else "")),
            Cell(one.paytable),
            Cell(" to ".join(map(dollars, one.stakes_cents)) + (", capped" if one.capped else "")),
            _figure(one.house_edge, percent),
            _figure(one.element_of_risk, percent) if one.element_of_risk else Cell("as house edge"),
            Cell(percent(_fraction(one.hit_frequency))),
            Cell(decimal(_fraction(one.variance))),
            Cell(decimal(one.standard_deviation)),
        )
        for one in rows
    )
    columns = (
        "Wager", "Paytable", "Stake of one bet", "House edge", "Element of risk", "Hit frequency", "Variance",
        "Standard deviation",
    )  # fmt: skip
    return Grid(caption, columns, lines, words=(0, 1, 2), shares=(0,) * len(columns))


def _fraction(one: Exact) -> Fraction:
    return Fraction(one.exact)


def _figure(one: Exact | None, shown: Callable[[Fraction], str]) -> Cell:
    if one is None:
        return Cell("–")
    value = _fraction(one)
    return figure(value, shown(value))


def _exposure(game: GameEvidence) -> Iterator[Grid | Text]:
    rows = tuple(
        (
            Cell(one.of),
            Cell(dollars(one.cents)),
            Cell(" ".join(one.community)),
            Cell(" · ".join(one.dealt)),
        )
        for one in game.most_lost_in_a_round
    )
    columns = ("Players", "At most", "Community cards", "Hands")
    yield Grid(
        "The most one round can cost the house or the bank, with every bet at its maximum",
        columns,
        rows,
        words=(0, 2, 3),
    )
    yield Text((_SEARCHED,))
    for one in game.most_lost_in_a_round[-1:]:
        if one.upper_bound_for:
            named = ", ".join(one.upper_bound_for)
            yield Text((f"Taken at the best award without a search: {named}. The total is an upper bound.",))


_SEARCHED = (
    "Exact search over all community cards and all possible hands. Maximum payouts are applied. Returned stakes and "
    "promotional coupons are not counted, jackpots are at their seed, and a side bet that would lose is left out."
)


def rule_parts(game: GameEvidence) -> Iterator[Part]:
    """Yield where the rules come from, what departs, and how the game is played and ruled."""
    departed = [one for one in game.keys if one.departs_from]
    if departed:
        rows = tuple(
            (
                Cell(one.key),
                Cell(one.words),
                Cell(one.document_words or ""),
                Cell(", ".join(one.departs_from or ())),
                Cell(one.note or "no reason given"),
            )
            for one in departed
        )
        columns = ("Key", "This book", "Document", "Departs from", "Reason given")
        grid = Grid(
            "Keys that depart from a document, and why", columns, rows, words=(0, 1, 2, 3, 4), shares=(3, 4, 4, 3, 5)
        )
        said: tuple[Text | Grid, ...] = (Text((_DEPARTED,)), grid)
    else:
        said = (Text(("The book departs from no clause of its source documents.",)),)
    if game.own_wagers:
        named = ", ".join(game.own_wagers)
        said = (*said, Text((f"House wagers that are in no source document: {named}.",)))
    yield Part("Departures", said)
    yield Part("Rules of play", (_pairs("Every wager in words", game.rules_of_play.items()), _script(game)))
    yield Part("Irregularities and rulings", (_matrix(game),))
    yield Part("Source of every key", (_sources(game.keys),))


_DEPARTED = (
    "Clauses a key departs from are listed beside it. They are not counted as in force, and no step and no ruling "
    "cites them."
)


def _script(game: GameEvidence) -> Grid:
    rows = tuple(
        (Cell(str(number)), Cell(one.who), Cell(one.what), Cell(", ".join(one.clauses) or "house procedure"))
        for number, one in enumerate(game.script_of_a_round, 1)
    )
    caption = "One round at this table with two players: one lets both bets ride, the other takes both back"
    return Grid(caption, ("Step", "Who", "What", "Clauses"), rows, words=(0, 1, 2, 3), shares=(0, 0, 7, 5))


def _matrix(game: GameEvidence) -> Grid:
    rows = tuple(
        (Cell(one.what), Cell(one.when), Cell(one.ruling), Cell(", ".join(one.clauses) or "house rule"))
        for one in game.irregularities
    )
    caption = "Irregularities that can occur at this table, and their rulings"
    return Grid(caption, ("Irregularity", "When", "Ruling", "Clauses"), rows, words=(0, 1, 2, 3), shares=(4, 4, 6, 4))


def _sources(keys: tuple[KeyData, ...]) -> Grid:
    rows = tuple(
        (Cell(one.key), Cell(one.words), Cell(f"{one.book}: {_SOURCES[one.source]}"), Cell(_why(one))) for one in keys
    )
    caption = "Every key that applies: its value, the book that set it, its clauses and notes"
    columns = ("Key", "Value", "Set by", "Clauses and note")
    return Grid(caption, columns, rows, words=(0, 1, 2, 3), shares=(0, 4, 3, 7))


_SOURCES = {"document": "document", "house": "house default", "table": "this table", "own": "own rule"}


def _why(one: KeyData) -> str:
    parts = [", ".join(one.clauses)] if one.clauses else []
    parts += [f"departs from {', '.join(one.departs_from)}"] if one.departs_from else []
    return ". ".join([*parts, *([one.note] if one.note else [])])


def protection_part(game: GameEvidence) -> Part:
    """Return what early knowledge and collusion are worth."""
    found = game.protection
    rows = tuple((Cell(one.words), _figure(one.house_edge, percent), _figure(one.gain, percent)) for one in found.seen)
    grid = Grid(f"House edge against a player who sees more ({found.basis})", ("Sees", "House edge", "Gain"), rows)
    if found.gain_of_sharing is None or found.house_edge_against_sharing is None:
        return Part("Game protection", (grid,))
    gain, edge = found.gain_of_sharing, found.house_edge_against_sharing
    said = (
        f"{found.seats_sharing} seats that share all their cards gain {percent(gain.mean)} of one bet a hand "
        f"(standard error {percent(gain.se)}); the house edge against them is {percent(edge.mean)}. Simulated "
        f"over {decimal(found.rounds or 0, 0)} rounds with seed {found.seed}, by the exact value of every decision."
    )
    return Part("Game protection", (grid, Text((said,))))


def chance_parts(build: Build, *, collected: bool) -> Iterator[Part]:
    """Yield what is said of generators, their outputs, test and production, and the code."""
    outputs = (
        OUTPUTS
        if collected
        else ("This pack has no output of the live generator: it was made with --live-decks 0.", OUTPUTS[1])
    )
    yield Part("Random numbers", (Text(GENERATORS, listed=True), Text(outputs, listed=True)))
    yield Part("Test and production", (Text(DIFFERENCES, listed=True),))
    digests = {
        f"code ({sum(name.endswith('.py') for name in build.files)} files)": build.code_sha256,
        f"data ({sum(not name.endswith('.py') for name in build.files)} files)": build.data_sha256,
    }
    grid = _pairs("SHA-256 over the names and digests of all files; code-digests.txt lists each", digests.items())
    yield Part("Code and data", (grid,))


def _pairs(caption: str, pairs: Iterable[tuple[str, str]]) -> Grid:
    rows = tuple((Cell(name), Cell(value)) for name, value in pairs)
    return Grid(caption, ("Name", "What"), rows, words=(0, 1))
