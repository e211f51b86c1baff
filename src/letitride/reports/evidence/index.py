"""Evidence index: the page that opens an evidence pack; rounds for print, and holds no time of day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite

from letitride.analysis.rounding import decimal, fraction
from letitride.reports.evidence.coverage import CARRIERS
from letitride.reports.evidence.game_parts import chance_parts, price_parts, protection_part, rule_parts
from letitride.reports.evidence.pack import GENERATOR, NO_PROOFS, PLAY, Evidence, Simulated, ranked
from letitride.reports.paper import words
from letitride.reports.paper.model import Cell, Dossier, Grid, Part, Text
from letitride.reports.par.wager import figure
from letitride.rules import catalog
from letitride.rules.explain import in_words
from letitride.rules.money import dollars
from letitride.rules.wager_table import BASE, BASE_SPOTS
from letitride.rules.words import quantity
from letitride.simulation.figures import CONFIDENCE, LEAST_EXPECTED, PACK_CONFIDENCE, Category, Verdict, WagerFigures
from letitride.simulation.game import BLOCK
from letitride.simulation.shuffle_tests import Family
from letitride.version import __version__

_SMALL = 0.0001


def index(evidence: Evidence) -> Dossier:
    """Return the index of an evidence pack."""
    book = evidence.plan.table.book
    return Dossier(
        title="Evidence pack",
        subtitle=book.title,
        footer=f"{book.id} · sha256 {book.digest[:12]}",
        version=__version__,
        date=evidence.sign_off.date,
        keywords=(book.id, *(one.id for one in evidence.paytables)),
        consistent=evidence.consistent,
        verdict=verdict_sentence(evidence),
        identity=tuple(_identity(evidence)),
        parts=tuple(_parts(evidence)),
    )


def verdict_sentence(evidence: Evidence) -> str:
    """Return the result of a pack in a sentence."""
    tests, failed = evidence.shuffles.tests, evidence.shuffles.failed
    wagers = f"all {len(evidence.wagers)} wagers" if len(evidence.wagers) > 1 else "the only wager"
    rounds = decimal(evidence.tallies.rounds, 0)
    if evidence.consistent and (few := next(filter(None, (one.verdict.caution for one in evidence.simulations)), "")):
        return f"Undecided: {few}. Nothing in {rounds} simulated rounds contradicts the exact values of {wagers}."
    if evidence.consistent:
        return (
            f"Consistent: {rounds} simulated rounds agree with the exact values of "
            f"{wagers}, and the generator and the shuffle pass all {len(tests)} tests, each family at "
            f"{PACK_CONFIDENCE:.2%} confidence."
        )
    said = []
    if not evidence.verdict.consistent:
        off = ", ".join(one.wager.title for one in evidence.wagers if _off(evidence.verdict, one))
        said.append(f"the simulation does not agree with the exact values ({off})")
    highest = evidence.at_highest
    if highest is not None and not highest.verdict.consistent:
        off = ", ".join(one.wager.title for one in highest.wagers if _off(highest.verdict, one))
        said.append(f"the simulation at the highest stakes does not agree with the exact values ({off})")
    if failed:
        named = ", ".join(test.name for test in failed)
        said.append(f"{len(failed)} of {quantity(len(tests), 'shuffle test')} failed ({named})")
    return f"Not consistent: {'; '.join(said)}."


def _judgment(verdict: Verdict) -> str:
    if not verdict.consistent:
        return "not consistent"
    return f"undecided, {verdict.caution}" if verdict.caution else "consistent"


def _off(verdict: Verdict, one: WagerFigures) -> bool:
    return (one.judged and abs(one.z) > verdict.z_limit) or one.agreement.p_value < verdict.p_limit


def _identity(evidence: Evidence) -> Iterator[tuple[str, str]]:
    table, game = evidence.plan.table, evidence.plan.game
    yield "Rule book", table.book.id
    yield "Title", table.book.title
    if table.book.edition:
        yield "Edition", table.book.edition
    yield "Source documents", ", ".join(catalog.documents(table.book)) or "none"
    yield "SHA-256 of the book", table.book.digest
    yield "SHA-256 of the simulation tables", game.digest
    yield "Seats simulated", f"{game.seats}, {_who(evidence)}"
    yield "Deck", words.DECK
    yield "Bets per seat", " and then ".join(_bets(one) for one in evidence.simulations)
    yield "Play", PLAY
    yield "Rounds simulated", decimal(evidence.tallies.rounds, 0)
    yield "Seed", ", ".join(str(one.seed) for one in evidence.simulations)
    yield "Generator", GENERATOR
    yield "Made by", f"letitride {__version__}"
    yield from evidence.sign_off.lines()


def _who(evidence: Evidence) -> str:
    return "playing against a bank that covers every bet" if evidence.opponents_of_bank else "playing against the house"


def _bets(one: Simulated) -> str:
    stakes = one.plan.stakes
    base = f"three of {dollars(stakes[BASE.spot])}"
    rest = [
        f"{one.plan.table.by_spot[name].title} {dollars(cents)}"
        for name, cents in stakes.items()
        if name not in BASE_SPOTS
    ]
    return ", ".join([base, *rest])


def _parts(evidence: Evidence) -> Iterator[Part]:
    yield Part("How to read this pack", (Text(tuple(_reading(evidence)), listed=True),))
    yield Part("Rules at this table", tuple(_book(evidence)))
    yield Part("Paytables in force", (_paytables(evidence),))
    yield from price_parts(evidence.game)
    for one in evidence.simulations:
        yield Part(f"Simulation and exact values: {_bets(one)}", (Text(tuple(_simulated(one))), _means(one)))
        for names, figures in _by_hands(one):
            yield Part(f"{names}: hand by hand", (_categories(one, figures),))
    yield protection_part(evidence.game)
    yield Part("Shuffle tests", (Text(tuple(_tested(evidence))), tests_grid(evidence.shuffles)))
    yield from chance_parts(evidence.build, collected=evidence.collected)
    yield from rule_parts(evidence.game)
    yield Part("Clauses of the source documents", tuple(_clauses(evidence)))
    yield Part(
        "Versions", (_pairs("Software this pack was made with", evidence.versions.items(), ("Part", "Version")),)
    )
    yield Part(
        "Files", (_pairs("SHA-256 of the par sheets", evidence.files.items(), ("File", "SHA-256")), Text(_FILES))
    )
    yield Part("Limits of this pack", (Text(_NOT, listed=True),))


_FILES = (
    "evidence.json holds every figure on these pages in full precision, and the tallies they come from.",
    "SHA256SUMS lists every file of the pack; run “sha256sum -c SHA256SUMS” in its folder to check them all.",
)
_NOT = (
    "This pack is letitride's own statement, with what is needed to check it. It is not a test lab's report.",
    "A statistical test can reject a bad generator; it cannot prove that one is good.",
    "The tests on these pages are of the simulation's own generator, not of a shuffler.",
    "The generator of live tables is tested in live-shuffle.html, where the pack has it. That test cannot be repeated.",
    "The exact values come from counting, not from the simulation. The par sheets say what confirms them.",
)


def _reading(evidence: Evidence) -> Iterator[str]:
    yield (
        "Exact values are fractions found by counting every case. Simulated values come from rounds dealt at random by "
        "the same rules. The two must agree within sampling error."
    )
    yield (
        f"Each family of tests is judged at {PACK_CONFIDENCE:.2%} over all of its tests (Bonferroni): a sound "
        "implementation fails it in one pack of ten thousand. Another seed does not repeat such a failure."
    )
    yield (
        "The same book, values, seats, rounds, number of shuffled decks and seed give the same figures on any machine. "
        "With the same software versions, these pages are identical to the byte."
    )
    if evidence.opponents_of_bank:
        seats = evidence.plan.table.rules.seats
        yield (
            f"Under these rules a player banks. The base game is simulated as if the bank covered every bet, with "
            f"{evidence.plan.game.seats} of the {seats} seats playing against it. What a limited bank covers, and its "
            "risk, is not part of this pack: use letitride bank."
        )


def _book(evidence: Evidence) -> Iterator[Text | Grid]:
    origins = evidence.origins
    told = (
        f"{sum(origins.values())} keys of the rule book apply at this table. {origins['document']} are set by the book "
        f"or its source documents. {origins['house']} are house defaults where these are silent or leave it open. "
        f"{origins['table']} are set for this table. evidence.json lists them all."
    )
    yield Text((told,))
    book = evidence.plan.table.book
    rows = [
        (Cell(name), Cell(in_words(book.keys[name], book.value(name))), Cell(who))
        for values, who in (
            (evidence.stated, "letitride, because the book gives no value"),
            (evidence.chosen, "the author of this pack"),
        )
        for name in values
    ]
    if rows:
        caption = "Values set for this table; other values may change the figures"
        yield Grid(caption, ("Key", "Value", "Set by"), tuple(rows), words=(0, 1, 2))


def _paytables(evidence: Evidence) -> Grid:
    names, wagers = evidence.plan.table.paytables, evidence.plan.table.wagers
    rows = tuple(
        (
            Cell(one.id),
            Cell(", ".join(wagers[wager].title for wager, name in names.items() if name == one.id)),
            Cell(one.digest),
        )
        for one in evidence.paytables
    )
    columns = ("Paytable", "Wagers", "SHA-256 of the pays")
    return Grid("Each paytable has a par sheet in this pack, as PDF and JSON", columns, rows, words=(0, 1, 2))


def _means(simulated: Simulated) -> Grid:
    rows = tuple(
        (
            Cell(one.wager.title),
            Cell(decimal(one.mean, 6, signed=True)),
            Cell(decimal(one.se, 6)),
            Cell(" to ".join(decimal(end, 6, signed=True) for end in one.interval)),
            figure(one.exact, decimal(one.exact, 6, signed=True)),
            Cell(decimal(one.z, 2, signed=True) if isfinite(one.z) else "infinite"),
            Cell(decimal(one.sampled_variance)),
            Cell(decimal(one.variance)),
        )
        for one in simulated.wagers
    )
    interval = f"{CONFIDENCE:.0%} interval"
    columns = (
        "Wager", "Mean result", "Standard error", interval, "Exact", "z", "Variance", "Exact variance",
    )  # fmt: skip
    return Grid(
        "Player's net result in units of one bet; fractions are exact", columns, rows, shares=(0,) * len(columns)
    )


def _as_paid(one: Simulated) -> Iterator[str]:
    """Yield what is said where a maximum payout is counted over several hands."""
    for pooled in (wager.pooled for wager in one.wagers if wager.pooled is not None):
        yield (
            f"The table lists the base bets of each hand alone. With the maximum payout of "
            f"{dollars(pooled.most_cents)} counted over {pooled.hands_together} hands together, the mean result is "
            f"{decimal(pooled.mean, 6, signed=True)} of one bet, standard error {decimal(pooled.se, 6)}; the maximum "
            f"was reached in {decimal(100 * pooled.bound.mean, 4)}% of rounds."
        )


def _simulated(one: Simulated) -> Iterator[str]:
    verdict = one.verdict
    yield from _as_paid(one)
    yield (
        f"{decimal(one.tallies.rounds, 0)} rounds of {one.plan.game.seats} hands, seed {one.seed}, in blocks of "
        f"{BLOCK:,} rounds, each with its own generator. Seats of a round share cards, so the sampling unit is the "
        "round: the standard error uses the exact variance of a hand and the sampled covariance of the seats."
    )
    yield (
        f"Result of {quantity(verdict.tests, 'test')}, a mean and a chi-square for each wager: {_judgment(verdict)}. "
        f"The limits are ±{decimal(verdict.z_limit, 2)} for z and {decimal(verdict.p_limit, 7)} for p-values."
    )
    yield (
        "Variances are of one hand, in units of one bet squared. The rarest awards make up most of the variance, so a "
        "sample without one shows less."
    )


def _by_hands(evidence: Simulated) -> Iterator[tuple[str, WagerFigures]]:
    """Yield the wagers with different hands; those that go by the same hands stand together."""
    groups: dict[tuple[Category, ...], list[WagerFigures]] = {}
    for one in evidence.wagers:
        groups.setdefault(ranked(one), []).append(one)
    for same in groups.values():
        first, *rest = (one.wager.title for one in same)
        yield " and ".join((first, *rest)), same[0]


def _categories(evidence: Simulated, one: WagerFigures) -> Grid:
    rounds, rows = evidence.tallies.rounds, ranked(one)
    once = all(row.count == row.first_seat for row in rows)  # one seat, or a wager on the whole table
    lines = [
        (
            Cell(row.label),
            *(() if once else (Cell(decimal(row.count, 0)),)),
            Cell(decimal(row.first_seat, 0)),
            Cell(decimal(row.probability * rounds, 1)),
            Cell(decimal(row.probability, 10)),
            Cell(fraction(row.probability)),
        )
        for row in rows
    ]
    found = one.agreement
    caption = (
        f"Chi-square of the {'rounds' if once else 'first seat'}: {decimal(found.statistic, 2)} with {found.freedom} "
        f"degrees of freedom, p = {_chance(found.p_value)}; hands expected fewer than {LEAST_EXPECTED} times are pooled"
    )
    counts = ("Count", "Expected") if once else ("Count, all seats", "First seat", "Expected, first seat")
    all_seats = () if once else (Cell(decimal(sum(row.count for row in rows), 0)),)
    total = Cell(decimal(sum(row.first_seat for row in rows), 0))
    foot = (Cell("all"), *all_seats, total, Cell(decimal(rounds, 1)), Cell("1"), Cell(""))
    return Grid(caption, ("Hand", *counts, "Probability", "Exact"), tuple(lines), foot=foot)


def _chance(value: float) -> str:
    return f"< {_SMALL}" if value < _SMALL else decimal(value, 4)


def tests_grid(family: Family) -> Grid:
    """Return a family of shuffle tests as a table."""
    rows = tuple(
        (
            Cell(one.name),
            Cell(one.what),
            Cell(f"{decimal(one.sample, 0)} {one.unit}"),
            Cell(decimal(one.statistic, 0 if one.distribution == "Poisson" else 2)),
            Cell(f"{'χ²' if one.distribution == 'chi-square' else 'Poisson'} {decimal(one.parameter, 0)}"),
            Cell(_chance(one.p_value)),
        )
        for one in family.tests
    )
    columns = ("Test", "Detects", "Sample", "Statistic", "Null distribution", "p-value")
    caption = (
        "Under the null hypothesis: chi-square with these degrees of freedom, or Poisson with this mean; two-sided "
        "p-values"
    )
    return Grid(caption, columns, rows, words=(0, 1))


def _tested(evidence: Evidence) -> Iterator[str]:
    family, dealt = evidence.shuffles, 3 * evidence.plan.game.seats + 2
    yield (
        f"The words of the generator, and {decimal(evidence.shuffle_decks, 0)} decks of the simulation's first rounds. "
        f"The deck is kept as it lies from round to round, and the {dealt} cards dealt are drawn anew each round. "
        f"These places are tested against chance and against the round before."
    )
    yield (
        f"Result of {quantity(len(family.tests), 'test')}, no p-value below {decimal(family.p_limit, 7)}: "
        f"{'consistent' if family.consistent else 'not consistent'}."
    )


def _clauses(evidence: Evidence) -> Iterator[Grid | Text]:
    found = evidence.clauses
    if not found:
        yield Text(("This book has no published source document, so it has no clauses.",))
        return
    told = [
        ("clauses in the register", [one.clauses for one in found]),
        ("of these, with a requirement; the others define or comment", [one.demanding for one in found]),
        ("replaced by another source document", [one.replaced for one in found]),
        ("not applicable at this table", [len(one.not_arising) for one in found]),
        ("departed from by the book", [len(one.departed) for one in found]),
        ("in force", [one.in_force for one in found]),
        *((f"implemented by {said}", [one.carried[name] for one in found]) for name, said in CARRIERS.items()),
        ("not implemented", [len(one.open) for one in found]),
    ]
    rows = [(Cell(name), *(Cell(str(count)) for count in counts)) for name, counts in told]
    proofs = all(one.proven is not None for one in found)
    if proofs:
        rows.append((Cell("of those in force, proven by tests"), *(Cell(str(one.proven)) for one in found)))
    caption = "Clauses of each document, by the prefix of its clause ids; a clause may be implemented in several places"
    yield Grid(caption, ("What", *(one.document for one in found)), tuple(rows))
    if proofs:
        yield Text(
            ("A clause is proven if all tests marked with it ran and passed, in the run whose result was given.",)
        )
    else:
        yield Text((f"Clauses proven by tests: {NO_PROOFS}.",))
    yield Text(
        ("clauses.csv lists each clause: its status, where it is implemented, and the tests that prove it if known.",)
    )
    for one in found:
        if one.departed:
            yield Text((f"Departed from: {', '.join(one.departed)}.",))
        if one.open:
            yield Text((f"Not implemented: {', '.join(one.open)}.",))


def _pairs(caption: str, pairs: Iterable[tuple[str, str]], columns: tuple[str, str]) -> Grid:
    rows = tuple((Cell(name), Cell(value)) for name, value in pairs)
    return Grid(caption, columns, rows, words=(0, 1))
