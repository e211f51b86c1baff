"""Shift page: a shift report as a document to print; rounds for print, and computes no figure of the game."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction

from letitride.analysis.rounding import decimal, fraction, money, percent
from letitride.reports.paper.model import Cell, Dossier, Grid, Part, Text
from letitride.reports.shift.figures import Shift, Told
from letitride.reports.shift.theory import BANDS, HANDS_NEEDED
from letitride.rules.wager_table import BASE_SPOTS
from letitride.rules.words import quantity
from letitride.version import __version__

_SPOTS = dict(zip(BASE_SPOTS, ("Base, bet 1", "Base, bet 2", "Base, bet $"), strict=True))


def page(shift: Shift, name: str = "", made_ms: int | None = None) -> Dossier:
    """Return a shift report as a document; `name` is what the house calls the table, `made_ms` the time by a clock."""
    return Dossier(
        title=f"Shift report {shift.table}",
        subtitle=f"{name or shift.table}: {_span(shift)}",
        footer=f"{shift.table} · {_span(shift)}",
        version=__version__,
        date="",
        keywords=(shift.table, *shift.rulebooks),
        consistent=shift.zero_sum and (not shift.theory.enough or _within(shift, 99)),
        verdict=verdict(shift),
        identity=tuple(_identity(shift, name, made_ms)),
        parts=tuple(_parts(shift)),
        template="shift",
    )


def verdict(shift: Shift) -> str:
    """Return what a supervisor wants to know first, in a sentence or two."""
    who = "The house" if shift.banked_by == "house" else "The players' banks"
    won = f"{who} {'won' if shift.win_cents >= 0 else 'lost'} {money(abs(shift.win_cents))}"
    theory = shift.theory
    money_sentence = "All accounts come to nothing." if shift.zero_sum else "The accounts do not come to nothing."
    if not theory.hands:
        return f"{won}; no hand was settled in this time. {money_sentence}"
    expected = money(theory.as_played_cents)
    if not theory.enough:
        judged = f"too few hands to judge by, {theory.hands:,} where {HANDS_NEEDED:,} are needed"
        return f"{won}; {expected} was to be expected as the hands were played: {judged}. {money_sentence}"
    if _within(shift, 95):
        judged = "within the 95% band"
    elif _within(shift, 99):
        judged = "outside the 95% band but within the 99% band"
    else:
        judged = "outside the 99% band: look into it"
    return f"{won}; {expected} was to be expected as the hands were played, and that is {judged}. {money_sentence}"


def _within(shift: Shift, confidence: int) -> bool:
    z = shift.theory.z(shift.theory.as_played_cents)
    return z is None or abs(z) <= BANDS[confidence]


def _span(shift: Shift) -> str:
    return f"{_moment(_first(shift), 'the opening')} to {_moment(_last(shift), 'now')}"


def _first(shift: Shift) -> int | None:
    return shift.first_ms if shift.from_ms is None else shift.from_ms


def _last(shift: Shift) -> int | None:
    return shift.last_ms if shift.to_ms is None else shift.to_ms


def _moment(at_ms: int | None, otherwise: str) -> str:
    if at_ms is None or not -(10**13) < at_ms < 2 * 10**14:
        return otherwise
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _edge(asked_ms: int | None, found_ms: int | None, what: str) -> str:
    """Return an edge of the time; where nobody asked for one, what it is and when that was."""
    if asked_ms is not None or found_ms is None:
        return _moment(asked_ms, what)
    return f"{_moment(found_ms, what)}, {what}"


def _identity(shift: Shift, name: str, made_ms: int | None) -> Iterator[tuple[str, str]]:
    yield "Table", f"{shift.table}{f' ({name})' if name and name != shift.table else ''}"
    yield "From", _edge(shift.from_ms, shift.first_ms, "the opening of the table")
    yield "To", _edge(shift.to_ms, shift.last_ms, "the end of the journal")
    yield "Rule book", ", ".join(shift.rulebooks) or "none played by"
    yield "Paytables", ", ".join(f"{shift.title(wager)}: {table}" for wager, table in shift.paytables.items()) or "none"
    yield "Banked by", "the house" if shift.banked_by == "house" else "players"
    yield "Rounds", f"{shift.rounds:,}, of them void {shift.void_rounds:,}"
    yield "Hands settled", f"{shift.hands:,} of {quantity(len(shift.players), 'player')}"
    yield "Made", " ".join(part for part in (_moment(made_ms, ""), f"by letitride {__version__}") if part)


def _parts(shift: Shift) -> Iterator[Part]:
    yield Part("The shift in short", (_short(shift),))
    yield Part("Wagers", (_wagers(shift),))
    if shift.meters:
        yield Part("Meters", (_meters(shift),))
    yield Part("Against theory", (_theory(shift), *_remarks(shift)))
    yield Part("Irregularities", (_ruled(shift),))
    yield Part("Orders", (_ordered(shift),))
    yield Part("Disputes", (_disputes(shift),))
    yield Part("Accounts", (_accounts(shift), *_edges(shift)))
    yield Part(
        "Conventions",
        (Text(tuple(f"{name.replace('_', ' ')}: {said}." for name, said in shift.conventions.items()), True),),
    )


def _short(shift: Shift) -> Grid:
    found, drop, handle = shift.money, shift.hold(shift.money.drop_cents), shift.hold(shift.handle_cents)
    average = money(Fraction(shift.base_cents, shift.base_hands)) if shift.base_hands else "–"
    rows = [
        ("Handle", money(shift.handle_cents)),
        ("Put up in all", money(shift.placed_cents)),
        ("Drop", f"{money(found.drop_cents)} in {quantity(found.purchases, 'purchase')}"),
        ("Cashed out", money(found.cashed_out_cents)),
        ("Win" if shift.banked_by == "house" else "Win of the players' banks", money(shift.win_cents)),
        ("of it forfeited bets", money(shift.forfeited_cents)),
        ("Hold, of the drop", percent(drop, 2) if drop is not None else "–"),
        ("Hold, of the handle", percent(handle, 2) if handle is not None else "–"),
        ("Fees", money(found.fees_cents)),
        ("Awards on complaints", money(found.awards_cents)),
        ("Vouchers and tokens given", money(found.vouchers_cents)),
        ("Average base bet", average),
        ("Rounds with irregularities", f"{shift.rounds_with_trouble:,}"),
    ]
    return Grid("Figures of the shift", ("Figure", "Amount"), tuple((Cell(name), Cell(text)) for name, text in rows))


def _wagers(shift: Shift) -> Grid:
    rows = tuple(
        (
            Cell(_SPOTS.get(spot) or shift.by_spot[spot].title),
            Cell(f"{line.bets:,}"),
            Cell(money(line.placed_cents)),
            Cell(money(line.handle_cents)),
            Cell(money(line.paid_cents)),
            Cell(money(line.win_cents)),
        )
        for spot, line in shift.lines
    )
    total = ("All", "", *map(money, (shift.placed_cents, shift.handle_cents, *_sums(shift))))
    columns = ("Wager", "Bets", "Put up", "Handle", "Paid", "Win")
    return Grid("By wager", columns, rows, tuple(map(Cell, total)))


def _meters(shift: Shift) -> Grid:
    shared = any(line.shared for line in shift.meters.values())
    columns = ("Jackpot", "Opening", "Fed", "Seeded", "Paid", *(("Other tables",) if shared else ()), "Closing")
    rows = []
    for wager, line in shift.meters.items():
        here = (line.opening_cents, line.fed_cents, line.seeded_cents, line.paid_cents)
        cents = (*here, *((line.elsewhere_cents,) if shared else ()), line.closing_cents)
        rows.append((Cell(shift.title(wager)), *(Cell(money(one)) for one in cents)))
    return Grid("What the jackpots hold", columns, tuple(rows))


def _sums(shift: Shift) -> tuple[int, int]:
    return sum(line.paid_cents for line in shift.wagers.values()), shift.win_cents


def _theory(shift: Shift) -> Grid:
    theory = shift.theory
    rows = [
        (f"Expected win, {shift.title(wager)}", money(cents), fraction(cents / 100))
        for wager, cents in theory.expected.items()
    ]
    rows += [
        ("Expected win at best play", money(theory.expected_cents), fraction(theory.expected_cents / 100)),
        (
            f"Given away in {theory.mistakes:,} of {theory.decisions:,} choices",
            money(theory.given_away),
            fraction(theory.given_away / 100),
        ),
        ("Expected win as played", money(theory.as_played_cents), fraction(theory.as_played_cents / 100)),
        (f"Win on the {quantity(theory.hands, 'hand')} judged", money(theory.won_cents), ""),
        ("Standard deviation", money(theory.standard_deviation), ""),
    ]
    for confidence in BANDS:
        low, high = theory.band(confidence, theory.as_played_cents)
        rows.append((f"{confidence}% band, as played", f"{money(low)} to {money(high)}", ""))
    for said, expected in (("at best play", theory.expected_cents), ("as played", theory.as_played_cents)):
        z = theory.z(expected)
        rows.append((f"z {said}", decimal(z, 2, signed=True) if z is not None else "–", ""))
    return Grid(
        "Win beside its exact expectation, in dollars",
        ("Figure", "Amount"),
        tuple((Cell(name), Cell(text, exact)) for name, text, exact in rows),
    )


def _remarks(shift: Shift) -> Iterator[Text]:
    if shift.banked_by != "house":
        yield Text(("Where a player banks, the expectation is that of a bank that covers every bet.",))
    if shift.theory.hands and not shift.theory.enough:
        yield Text((f"Of fewer than {HANDS_NEEDED:,} hands the bands say little: results are far from normal.",))


def _ruled(shift: Shift) -> Grid | Text:
    if not shift.irregularities:
        return Text(("No irregularity was reported.",))
    rows = tuple(
        (Cell(one.sentence), Cell(_clauses(one)), Cell(f"{one.count:,}"))
        for one in sorted(shift.irregularities, key=lambda one: one.name)
    )
    return Grid("What was ruled", ("What", "Clauses", "Times"), rows, words=(0, 1))


def _ordered(shift: Shift) -> Grid | Text:
    """Each order by itself: two that differ in what they say are two."""
    if not shift.orders:
        return Text(("Nothing was ordered.",))
    rows = tuple(
        (Cell(_moment(one.at_ms[0], "–")), Cell(one.sentence), Cell(_clauses(one)), Cell(one.by.replace("_", " ")))
        for one in shift.orders
    )
    return Grid("What was ordered", ("When", "What", "Clauses", "By"), rows, words=(0, 1, 2, 3))


def _clauses(one: Told) -> str:
    return ", ".join(one.clauses) or "house default"


def _disputes(shift: Shift) -> Grid:
    rows = (
        ("Complaints raised", shift.disputes_raised),
        ("Decisions for the player", shift.disputes_upheld),
        ("Decisions against", shift.disputes_rejected),
    )
    return Grid("Complaints", ("What", "Times"), tuple((Cell(name), Cell(f"{count:,}")) for name, count in rows))


def _accounts(shift: Shift) -> Grid:
    before, after = shift.accounts_before or {}, shift.accounts_after
    rows = tuple(
        (
            Cell("wallets of players" if name == "wallet" else name),
            Cell(money(before.get(name, 0))),
            Cell(money(after.get(name, 0))),
            Cell(money(after.get(name, 0) - before.get(name, 0))),
        )
        for name in sorted({*before, *after})
    )
    sums = [sum(before.values()), sum(after.values())]
    foot = tuple(map(Cell, ("All together", *map(money, (*sums, sums[1] - sums[0])))))
    return Grid("Accounts of the table, before and after", ("Account", "Before", "After", "Change"), rows, foot)


def _edges(shift: Shift) -> Iterator[Text]:
    if shift.straddling_cents:
        moved = money(shift.straddling_cents)
        yield Text((f"Of the tray's change {moved} is of rounds that are not wholly within the time.",))
