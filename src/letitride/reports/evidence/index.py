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
from letitride.simulation.figures import CONFIDENCE, LEAST_EXPECTED, PACK_CONFIDENCE, Category, Verdict, WagerFigures
from letitride.simulation.game import BLOCK
from letitride.simulation.shuffle_tests import Family
from letitride.version import __version__

_SMALL = 0.0001


def index(evidence: Evidence) -> Dossier:
    """Return the index of an evidence pack."""
    book = evidence.plan.table.book
    return Dossier(
        title=f"Evidence pack {book.id}",
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
    """Return the verdict of a pack."""
    tests, failed = evidence.shuffles.tests, evidence.shuffles.failed
    wagers = f"all {len(evidence.wagers)} wagers" if len(evidence.wagers) > 1 else "the one wager there is"
    rounds = decimal(evidence.tallies.rounds, 0)
    if evidence.consistent and (few := next(filter(None, (one.verdict.caution for one in evidence.simulations)), "")):
        return f"Undecided: {few}. Nothing in {rounds} simulated rounds contradicts the exact values of {wagers}."
    if evidence.consistent:
        return (
            f"Consistent: {rounds} simulated rounds agree with the exact values of "
            f"{wagers}, and generator and draw pass all {len(tests)} shuffle tests, each family at "
            f"{PACK_CONFIDENCE:.2%}."
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
        said.append(f"{len(failed)} of {len(tests)} shuffle tests failed ({named})")
    return f"Not consistent: {'; '.join(said)}."


def _judgement(verdict: Verdict) -> str:
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
    yield "Documents behind it", ", ".join(catalog.documents(table.book)) or "none"
    yield "SHA-256 of the book", table.book.digest
    yield "SHA-256 of the game arrays", game.digest
    yield "Seats simulated", f"{game.seats}, {_who(evidence)}"
    yield "Deck", words.DECK
    yield "Bets of a seat", " and then ".join(_bets(one) for one in evidence.simulations)
    yield "Play", PLAY
    yield "Rounds simulated", decimal(evidence.tallies.rounds, 0)
    yield "Seed", ", ".join(str(one.seed) for one in evidence.simulations)
    yield "Generator", GENERATOR
    yield "Made by", f"letitride {__version__}"
    yield from evidence.sign_off.lines()


def _who(evidence: Evidence) -> str:
    return "the opponents of a bank that covers every bet" if evidence.opponents_of_bank else "against the house"


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
    yield Part("The book at this table", tuple(_book(evidence)))
    yield Part("Paytables in force", (_paytables(evidence),))
    yield from price_parts(evidence.game)
    for one in evidence.simulations:
        yield Part(f"Simulation beside the exact values, {_bets(one)}", (Text(tuple(_simulated(one))), _means(one)))
        for names, figures in _by_hands(one):
            yield Part(f"{names}: hand by hand", (_categories(one, figures),))
    yield protection_part(evidence.game)
    yield Part("Shuffle tests", (Text(tuple(_tested(evidence))), tests_grid(evidence.shuffles)))
    yield from chance_parts(evidence.build, collected=evidence.collected)
    yield from rule_parts(evidence.game)
    yield Part("Clauses behind the book", tuple(_clauses(evidence)))
    yield Part("Versions", (_pairs("What this pack was made with", evidence.versions.items(), ("Part", "Version")),))
    yield Part(
        "Files", (_pairs("SHA-256 of the par sheets", evidence.files.items(), ("File", "SHA-256")), Text(_FILES))
    )
    yield Part("What this pack is not", (Text(_NOT, listed=True),))


_FILES = (
    "evidence.json holds everything on these pages in full precision, with the tallies themselves.",
    "SHA256SUMS names every file of the pack: “sha256sum -c SHA256SUMS” in its folder checks them all.",
)
_NOT = (
    "It is what letitride says of itself, with what is needed to check it; it is not the opinion of a test lab.",
    "A statistical test can reject a bad source; it cannot prove a good one.",
    "The tests on these pages are of the simulation's own generator, never of a shuffling machine.",
    "The generator of live tables is tested in live-shuffle.html, where the pack has it: that cannot be repeated.",
    "The exact values come by counting and do not rest on the simulation; the par sheets say what confirms them.",
)


def _reading(evidence: Evidence) -> Iterator[str]:
    yield (
        "Exact values are fractions found by counting every case. Simulated values come from dealing rounds at random "
        "by the same rules; both must agree within what chance explains."
    )
    yield (
        f"A family of tests is judged at {PACK_CONFIDENCE:.2%} over all of its tests together (Bonferroni): each fails "
        "a sound machine in one pack of ten thousand. A failure that another seed does not repeat is of that kind."
    )
    yield (
        "The same book, values, seats, rounds, number of shuffled decks and seed give the same figures on any machine; "
        "with the same versions these pages are the same to the byte."
    )
    if evidence.opponents_of_bank:
        seats = evidence.plan.table.rules.seats
        yield (
            f"By this book a player banks. The base game is simulated as if the bank covered every bet, with "
            f"{evidence.plan.game.seats} of the {seats} seats as his opponents. What a bank of limited stake covers, "
            "and its risk, is not part of this pack: letitride bank tells it."
        )


def _book(evidence: Evidence) -> Iterator[Text | Grid]:
    origins = evidence.origins
    told = (
        f"{sum(origins.values())} keys apply at this table: {origins['document']} are ruled by the book or a document "
        f"behind it, {origins['house']} are house defaults where these are silent or leave it open, and "
        f"{origins['table']} are values of this table. evidence.json lists every one."
    )
    yield Text((told,))
    book = evidence.plan.table.book
    rows = [
        (Cell(name), Cell(in_words(book.keys[name], book.value(name))), Cell(who))
        for values, who in (
            (evidence.stated, "stated by letitride, since the book ships no value"),
            (evidence.chosen, "set for this pack"),
        )
        for name in values
    ]
    if rows:
        caption = "Values of this table's own; another value may give another game"
        yield Grid(caption, ("Key", "Value", "Whose"), tuple(rows), words=(0, 1, 2))


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
    columns = ("Paytable", "Pays here", "SHA-256 of what it pays")
    return Grid("Each has its par sheet in this pack, as PDF and as JSON", columns, rows, words=(0, 1, 2))


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
    return Grid("Won less lost, in units of one bet; fractions are exact", columns, rows, shares=(0,) * len(columns))


def _as_paid(one: Simulated) -> Iterator[str]:
    """Yield what is said where a maximum payout is counted over several hands."""
    for pooled in (wager.pooled for wager in one.wagers if wager.pooled is not None):
        yield (
            f"The base bets stand in the table as those of each hand alone. With the maximum payout of "
            f"{dollars(pooled.most_cents)} counted over {pooled.hands_together} hands together they came to "
            f"{decimal(pooled.mean, 6, signed=True)} of one bet, standard error {decimal(pooled.se, 6)}; the maximum "
            f"was reached in {decimal(100 * pooled.bound.mean, 4)}% of rounds."
        )


def _simulated(one: Simulated) -> Iterator[str]:
    verdict = one.verdict
    yield from _as_paid(one)
    yield (
        f"{decimal(one.tallies.rounds, 0)} rounds of {one.plan.game.seats} hands, seed {one.seed}, in blocks of "
        f"{BLOCK:,} rounds, each with a generator of its own. The seats of a round share cards, so the round is what "
        "is sampled: the standard error takes the exact variance of a hand and the sampled covariance of the seats."
    )
    yield (
        f"Verdict over {verdict.tests} tests, a mean and a chi-square for each wager: every z within "
        f"±{decimal(verdict.z_limit, 2)}, and no p-value under {decimal(verdict.p_limit, 7)}: "
        f"{_judgement(verdict)}."
    )
    yield (
        "Variances are of one hand, in units of one bet squared. The rarest awards make most of them, so a sample that "
        "lacks one lies below."
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
        f"degrees of freedom, p = {_chance(found.p_value)}; hands expected fewer than {LEAST_EXPECTED} times are taken "
        "together"
    )
    counts = ("Count", "Expected") if once else ("Count, all seats", "First seat", "Expected there")
    all_seats = () if once else (Cell(decimal(sum(row.count for row in rows), 0)),)
    total = Cell(decimal(sum(row.first_seat for row in rows), 0))
    foot = (Cell("all"), *all_seats, total, Cell(decimal(rounds, 1)), Cell("1"), Cell(""))
    return Grid(caption, ("Hand", *counts, "Probability", "Exactly"), tuple(lines), foot=foot)


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
    columns = ("Test", "Would notice", "Sample", "Statistic", "Under chance", "p-value")
    caption = (
        "Under chance: chi-square with so many degrees of freedom, or Poisson with such a mean; p-values are two-sided"
    )
    return Grid(caption, columns, rows, words=(0, 1))


def _tested(evidence: Evidence) -> Iterator[str]:
    family, dealt = evidence.shuffles, 3 * evidence.plan.game.seats + 2
    yield (
        f"The words of the generator, and {decimal(evidence.shuffle_decks, 0)} decks of the simulation's first rounds. "
        f"The deck stays as it lies from round to round, and the {dealt} cards that are dealt are drawn anew in each: "
        "these places are tested, against chance and against the round before."
    )
    yield (
        f"Verdict over {len(family.tests)} tests, no p-value under {decimal(family.p_limit, 7)}: "
        f"{'consistent' if family.consistent else 'not consistent'}."
    )


def _clauses(evidence: Evidence) -> Iterator[Grid | Text]:
    found = evidence.clauses
    if not found:
        yield Text(("No published document stands behind this book, so no clause does.",))
        return
    told = [
        ("clauses in the register", [one.clauses for one in found]),
        ("of these, demand something: the others define or remark", [one.demanding for one in found]),
        ("replaced by another document behind the book", [one.replaced for one in found]),
        ("do not arise at such a table", [len(one.not_arising) for one in found]),
        ("departed from by the book", [len(one.departed) for one in found]),
        ("in force", [one.in_force for one in found]),
        *((f"carried by {said}", [one.carried[name] for one in found]) for name, said in CARRIERS.items()),
        ("carried by nothing", [len(one.open) for one in found]),
    ]
    rows = [(Cell(name), *(Cell(str(count)) for count in counts)) for name, counts in told]
    proofs = all(one.proven is not None for one in found)
    if proofs:
        rows.append((Cell("of those in force, proven by tests"), *(Cell(str(one.proven)) for one in found)))
    caption = "Clauses of each document, by the prefix of its clause ids; one clause may be carried by several things"
    yield Grid(caption, ("What", *(one.document for one in found)), tuple(rows))
    if proofs:
        yield Text(("Proven are clauses whose marked tests all ran and passed, in the run whose result was given.",))
    else:
        yield Text((f"How many are proven by tests: {NO_PROOFS}.",))
    yield Text(("clauses.csv lists each with its status, what carries it, and the tests that prove it where known.",))
    for one in found:
        if one.departed:
            yield Text((f"Departed from: {', '.join(one.departed)}.",))
        if one.open:
            yield Text((f"Carried by nothing: {', '.join(one.open)}.",))


def _pairs(caption: str, pairs: Iterable[tuple[str, str]], columns: tuple[str, str]) -> Grid:
    rows = tuple((Cell(name), Cell(value)) for name, value in pairs)
    return Grid(caption, columns, rows, words=(0, 1))
