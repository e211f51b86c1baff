"""Shift page: a shift report as a document to print; rounds for print, and computes no figure of the game."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction

from letitride import __version__
from letitride.reports import words
from letitride.reports.model import Cell, Dossier, Grid, Part, Text
from letitride.reports.rounding import MINUS, decimal, fraction, percent
from letitride.reports.shift import CONVENTIONS, Shift, Told
from letitride.reports.shift_theory import BANDS
from letitride.rules.settlement import WAGER_NAMES

_SPOTS = {"base-1": "Base, bet 1", "base-2": "Base, bet 2", "base-$": "Base, bet $"}


def page(shift: Shift, name: str = "") -> Dossier:
    """Return a shift report as a document; `name` is what the house calls the table."""
    return Dossier(
        title=f"Shift report {shift.table}",
        subtitle=f"{name or shift.table}: {_span(shift)}",
        footer=f"{shift.table} · {_span(shift)}",
        version=__version__,
        date="",
        keywords=(shift.table, *shift.rulebooks),
        consistent=shift.zero_sum and _within(shift, 99),
        verdict=verdict(shift),
        identity=tuple(_identity(shift, name)),
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


def money(cents: Fraction | float) -> str:
    """Return an amount in dollars and cents."""
    text = decimal(Fraction(cents) / 100, 2)
    return f"{MINUS}${text.removeprefix(MINUS)}" if text.startswith(MINUS) else f"${text}"


def _span(shift: Shift) -> str:
    return f"{_moment(shift.from_ms, 'the opening')} to {_moment(shift.to_ms, 'now')}"


def _moment(at_ms: int | None, otherwise: str) -> str:
    if at_ms is None or not -(10**13) < at_ms < 2 * 10**14:
        return otherwise
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _identity(shift: Shift, name: str) -> Iterator[tuple[str, str]]:
    yield "Table", f"{shift.table}{f' ({name})' if name and name != shift.table else ''}"
    yield "From", _moment(shift.from_ms, "the opening of the table")
    yield "To", _moment(shift.to_ms, "the end of the journal")
    yield "Rule book", ", ".join(shift.rulebooks) or "none played by"
    yield "Paytables", ", ".join(f"{wager}: {table}" for wager, table in shift.paytables.items()) or "none"
    yield "Banked by", "the house" if shift.banked_by == "house" else "players"
    yield "Rounds", f"{shift.rounds:,}, of them void {shift.void_rounds:,}"
    yield "Hands settled", f"{shift.hands:,} of {len(shift.players):,} players"
    yield "Made by", f"letitride {__version__}"


def _parts(shift: Shift) -> Iterator[Part]:
    yield Part("The shift in short", (_short(shift),))
    yield Part("Wagers", (_wagers(shift),))
    yield Part("Against theory", (_theory(shift), *_remarks(shift)))
    yield Part("Irregularities", (_told(shift.irregularities, "What was ruled", "No irregularity was reported."),))
    yield Part("Orders", (_told(shift.orders, "What was ordered", "Nothing was ordered."),))
    yield Part("Disputes", (_disputes(shift),))
    yield Part("Accounts", (_accounts(shift), *_edges(shift)))
    yield Part(
        "Conventions", (Text(tuple(f"{name.replace('_', ' ')}: {said}." for name, said in CONVENTIONS.items()), True),)
    )


def _short(shift: Shift) -> Grid:
    found, drop, handle = shift.money, shift.hold(shift.money.drop_cents), shift.hold(shift.handle_cents)
    average = money(Fraction(shift.base_cents, shift.base_hands)) if shift.base_hands else "–"
    rows = [
        ("Handle", money(shift.handle_cents)),
        ("Put up in all", money(shift.placed_cents)),
        ("Drop", f"{money(found.drop_cents)} in {found.purchases:,} purchases"),
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
            Cell(_SPOTS.get(name) or words.NAMES[name]),  # type: ignore[index]
            Cell(f"{line.bets:,}"),
            Cell(money(line.placed_cents)),
            Cell(money(line.handle_cents)),
            Cell(money(line.paid_cents)),
            Cell(money(line.win_cents)),
        )
        for name in WAGER_NAMES
        if (line := shift.wagers.get(name)) is not None
    )
    total = ("All", "", *map(money, (shift.placed_cents, shift.handle_cents, *_sums(shift))))
    columns = ("Wager", "Bets", "Put up", "Handle", "Paid", "Win")
    return Grid("By wager", columns, rows, tuple(map(Cell, total)))


def _sums(shift: Shift) -> tuple[int, int]:
    return sum(line.paid_cents for line in shift.wagers.values()), shift.win_cents


def _theory(shift: Shift) -> Grid:
    theory = shift.theory
    rows = [
        (f"Expected win of {words.NAMES[wager].lower()}", money(cents), fraction(cents / 100))
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
        (f"Win on the {theory.hands:,} hands judged", money(theory.won_cents), ""),
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
    if 0 < shift.theory.hands < 1000:
        yield Text(("Of fewer than a thousand hands the bands say little: results are far from normal.",))


def _told(told: dict[str, Told], caption: str, none: str) -> Grid | Text:
    if not told:
        return Text((none,))
    rows = tuple(
        (Cell(one.sentence), Cell(", ".join(one.clauses) or "house default"), Cell(f"{one.count:,}"))
        for _, one in sorted(told.items())
    )
    return Grid(caption, ("What", "Clauses", "Times"), rows, words=(0, 1))


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
