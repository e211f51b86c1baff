"""Shift page: a shift report as a document to print; rounds for print, and computes no figure itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from fractions import Fraction

from letitride.analysis.rounding import decimal, fraction, money, percent
from letitride.ledger.accounts import parse
from letitride.records.account_names import account_name
from letitride.reports.paper.model import Cell, Dossier, Grid, Part, Text
from letitride.reports.shift.figures import Shift, Told
from letitride.reports.shift.theory import BANDS, HANDS_NEEDED
from letitride.rules.wager_table import BASE_SPOTS, bet_name
from letitride.rules.words import quantity
from letitride.version import __version__

_CONVENTIONS = {
    "placed": "bets placed",
    "meter": "jackpots",
    "hold_of_drop": "hold %",
    "hold_of_handle": "win % of handle",
    "expected_win": "theoretical win, best play",
    "expected_win_as_played": "theoretical win, as played",
    "z": "z-score",
    "verdict": "judgment",
}
"""What a convention is called where its key says it in other words."""


def page(shift: Shift, name: str = "", made_ms: int | None = None) -> Dossier:
    """Return a shift report as a document; `name` is what the house calls the table, `made_ms` the time by a clock."""
    return Dossier(
        title=f"Shift report: {name or shift.table}",
        subtitle=_span(shift),
        footer=f"{name or shift.table} · {_span(shift)}",
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
    balance = "All accounts balance." if shift.zero_sum else "The accounts do not balance."
    if not theory.hands:
        return f"{won}; no hand was settled. {balance}"
    against = f"{won} against a theoretical win of {money(theory.as_played_cents)} as played"
    if not theory.enough:
        hands = f"{quantity(theory.hands, 'hand')} {'is' if theory.hands == 1 else 'are'}"
        return f"{against}. {hands} too few to judge the win; {HANDS_NEEDED:,} are needed. {balance}"
    if _within(shift, 95):
        judged = "within the 95% band"
    elif _within(shift, 99):
        judged = "outside the 95% band but within the 99% band"
    else:
        judged = "outside the 99% band; investigate"
    return f"{against}: {judged}. {balance}"


def _within(shift: Shift, confidence: int) -> bool:
    z = shift.theory.z(shift.theory.as_played_cents)
    return z is None or abs(z) <= BANDS[confidence]


def _span(shift: Shift) -> str:
    first, last = _moment(_first(shift), "table opening"), _moment(_last(shift), "now")
    same_day = first.endswith("UTC") and first[:10] == last[:10]
    return f"{first.removesuffix(' UTC')} to {last[11:]}" if same_day else f"{first} to {last}"


def _first(shift: Shift) -> int | None:
    return shift.first_ms if shift.from_ms is None else shift.from_ms


def _last(shift: Shift) -> int | None:
    return shift.last_ms if shift.to_ms is None else shift.to_ms


def _moment(at_ms: int | None, otherwise: str) -> str:
    if at_ms is None or not -(10**13) < at_ms < 2 * 10**14:
        return otherwise
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _edge(asked_ms: int | None, found_ms: int | None, what: str) -> str:
    """Return the start or end of the time asked for; where none was asked for, when it was and what it is."""
    if asked_ms is not None or found_ms is None:
        return _moment(asked_ms, what)
    return f"{_moment(found_ms, what)} ({what})"


def _identity(shift: Shift, name: str, made_ms: int | None) -> Iterator[tuple[str, str]]:
    yield "Table", name or shift.table
    if name and name != shift.table:
        yield "Journal", shift.table
    yield "From", _edge(shift.from_ms, shift.first_ms, "table opened")
    yield "To", _edge(shift.to_ms, shift.last_ms, "last entry in the journal")
    yield "Rule book", "; ".join(shift.rulebooks.values()) or "none: no round was played"
    yield "Paytables", ", ".join(f"{shift.title(wager)}: {table}" for wager, table in shift.paytables.items()) or "none"
    yield "Banked by", "the house" if shift.banked_by == "house" else "players"
    yield "Rounds", f"{shift.rounds:,}, {f'{shift.void_rounds:,}' if shift.void_rounds else 'none'} of them void"
    yield "Hands settled", f"{shift.hands:,}, {quantity(len(shift.players), 'player')}"
    yield "Prepared", " ".join(part for part in (_moment(made_ms, ""), f"by letitride {__version__}") if part)


def _parts(shift: Shift) -> Iterator[Part]:
    yield Part("Summary", (_short(shift),))
    yield Part("Wagers", (_wagers(shift),))
    if shift.meters:
        yield Part("Jackpots", (_meters(shift),))
    yield Part("Win against theoretical win", (_theory(shift), *_remarks(shift)))
    yield Part("Irregularities", (_ruled(shift),))
    yield Part("Orders", (_ordered(shift),))
    yield Part("Disputes", (_disputes(shift),))
    yield Part("Accounts", (_accounts(shift), *_edges(shift)))
    yield Part(
        "Conventions",
        (Text(tuple(f"{_convention(name)}: {said}." for name, said in shift.conventions.items()), True),),
    )


def _convention(name: str) -> str:
    return _CONVENTIONS.get(name, name.replace("_", " "))


def _short(shift: Shift) -> Grid:
    found, drop, handle = shift.money, shift.hold(shift.money.drop_cents), shift.hold(shift.handle_cents)
    average = money(Fraction(shift.base_cents, shift.base_hands)) if shift.base_hands else "–"
    rows = [
        ("Bets placed", money(shift.placed_cents)),
        ("Handle", money(shift.handle_cents)),
        ("Drop", f"{money(found.drop_cents)} from {quantity(found.purchases, 'purchase')}"),
        ("Cashed out", money(found.cashed_out_cents)),
        ("Win" if shift.banked_by == "house" else "Bank win", money(shift.win_cents)),
        ("Forfeited bets, included in win", money(shift.forfeited_cents)),
        ("Hold %", percent(drop, 2) if drop is not None else "–"),
        ("Win % of handle", percent(handle, 2) if handle is not None else "–"),
        ("Collection fees", money(found.fees_cents)),
        ("Awarded on disputes", money(found.awards_cents)),
        ("Vouchers and tokens issued", money(found.vouchers_cents)),
        ("Average base bet", average),
        ("Rounds with irregularities", f"{shift.rounds_with_trouble:,}"),
    ]
    return Grid(
        "Money, bets and rounds of the shift",
        ("Figure", "Amount"),
        tuple((Cell(name), Cell(text)) for name, text in rows),
    )


def _wagers(shift: Shift) -> Grid:
    rows = tuple(
        (
            Cell(f"Base game, {bet_name(spot)}" if spot in BASE_SPOTS else shift.by_spot[spot].title),
            Cell(f"{line.bets:,}"),
            Cell(money(line.placed_cents)),
            Cell(money(line.handle_cents)),
            Cell(money(line.paid_cents)),
            Cell(money(line.win_cents)),
        )
        for spot, line in shift.lines
    )
    total = ("Total", "", *map(money, (shift.placed_cents, shift.handle_cents, *_sums(shift))))
    columns = ("Wager", "Bets", "Placed", "Handle", "Paid", "Win")
    return Grid("Bets, handle and win by wager", columns, rows, tuple(map(Cell, total)))


def _meters(shift: Shift) -> Grid:
    shared = any(line.shared for line in shift.meters.values())
    columns = ("Jackpot", "Opening", "From bets", "Seeded", "Paid", *(("Other tables",) if shared else ()), "Closing")
    rows = []
    for wager, line in shift.meters.items():
        here = (line.opening_cents, line.fed_cents, line.seeded_cents, line.paid_cents)
        cents = (*here, *((line.elsewhere_cents,) if shared else ()), line.closing_cents)
        rows.append((Cell(shift.title(wager)), *(Cell(money(one)) for one in cents)))
    return Grid("Jackpot meters", columns, tuple(rows))


def _sums(shift: Shift) -> tuple[int, int]:
    return sum(line.paid_cents for line in shift.wagers.values()), shift.win_cents


def _theory(shift: Shift) -> Grid:
    theory = shift.theory
    rows = [
        (f"Theoretical win, {shift.title(wager)}", money(cents), fraction(cents / 100))
        for wager, cents in theory.expected.items()
    ]
    rows += [
        ("Theoretical win, best play", money(theory.expected_cents), fraction(theory.expected_cents / 100)),
        (
            f"Player mistakes: {theory.mistakes:,} of {quantity(theory.decisions, 'decision')}",
            money(theory.given_away),
            fraction(theory.given_away / 100),
        ),
        ("Theoretical win, as played", money(theory.as_played_cents), fraction(theory.as_played_cents / 100)),
        (f"Win on {quantity(theory.hands, 'hand')} judged", money(theory.won_cents), ""),
        ("Standard deviation", money(theory.standard_deviation), ""),
    ]
    for confidence in BANDS:
        low, high = theory.band(confidence, theory.as_played_cents)
        rows.append((f"{confidence}% band, as played", f"{money(low)} to {money(high)}", ""))
    for said, expected in (("best play", theory.expected_cents), ("as played", theory.as_played_cents)):
        z = theory.z(expected)
        rows.append((f"z-score, {said}", decimal(z, 2, signed=True) if z is not None else "–", ""))
    return Grid(
        "Win beside its exact expectation",
        ("Figure", "Amount"),
        tuple((Cell(name), Cell(text, exact)) for name, text, exact in rows),
    )


def _remarks(shift: Shift) -> Iterator[Text]:
    if shift.banked_by != "house":
        yield Text(("Players bank at this table: the theoretical win is that of a bank that covers every bet.",))
    if shift.theory.hands and not shift.theory.enough:
        yield Text(
            (f"With fewer than {HANDS_NEEDED:,} hands, results are far from normal and the bands are no guide.",)
        )


def _ruled(shift: Shift) -> Grid | Text:
    if not shift.irregularities:
        return Text(("No irregularity was reported.",))
    rows = tuple(
        (Cell(_sentence(one)), Cell(_clauses(one)), Cell(f"{one.count:,}"))
        for one in sorted(shift.irregularities, key=lambda one: one.name)
    )
    return Grid(
        "Irregularities and rulings",
        ("Irregularity and ruling", "Clauses", "Times"),
        rows,
        words=(0, 1),
        shares=(5, 3, 0),
    )


def _ordered(shift: Shift) -> Grid | Text:
    """Each order by itself: two that differ in what they say are two."""
    if not shift.orders:
        return Text(("No order was given.",))
    rows = tuple(
        (Cell(_moment(one.at_ms[0], "–")), Cell(_sentence(one)), Cell(_clauses(one)), Cell(one.by.replace("_", " ")))
        for one in shift.orders
    )
    return Grid("Orders given", ("When", "Order", "Clauses", "By"), rows, words=(0, 1, 2, 3))


def _sentence(one: Told) -> str:
    return one.sentence[:1].upper() + one.sentence[1:]


def _clauses(one: Told) -> str:
    return ", ".join(one.clauses) or "house default"


def _disputes(shift: Shift) -> Grid:
    rows = (
        ("Disputes raised", shift.disputes_raised),
        ("Ruled for the player", shift.disputes_upheld),
        ("Ruled against the player", shift.disputes_rejected),
    )
    return Grid(
        "Disputes and rulings", ("Disputes", "Times"), tuple((Cell(name), Cell(f"{count:,}")) for name, count in rows)
    )


def _accounts(shift: Shift) -> Grid:
    before, after = _by_name(shift, shift.accounts_before or {}), _by_name(shift, shift.accounts_after)
    rows = tuple(
        (
            Cell(name),
            Cell(money(before.get(name, 0))),
            Cell(money(after.get(name, 0))),
            Cell(money(after.get(name, 0) - before.get(name, 0))),
        )
        for name in dict.fromkeys((*after, *before))
    )
    sums = [sum(before.values()), sum(after.values())]
    foot = tuple(map(Cell, ("Total", *map(money, (*sums, sums[1] - sums[0])))))
    return Grid("Accounts of the table, before and after", ("Account", "Before", "After", "Change"), rows, foot)


def _by_name(shift: Shift, accounts: Mapping[str, int]) -> dict[str, int]:
    """Return balances by what people call an account, seats first; all bets of a seat are one."""
    found: dict[tuple[bool, int, str], int] = {}
    for account, cents in accounts.items():
        seat, name = parse(account).seat, account_name(account, shift.by_spot, bets_of_a_seat=True)
        place = (not seat, seat, f"{name[0].upper()}{name[1:]}")
        found[place] = found.get(place, 0) + cents
    return {place[2]: found[place] for place in sorted(found)}


def _edges(shift: Shift) -> Iterator[Text]:
    if shift.straddling_cents:
        moved = money(shift.straddling_cents)
        yield Text((f"Of the change in the chip tray, {moved} is from rounds that began or ended outside the shift.",))
