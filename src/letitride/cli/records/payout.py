"""The `payout` command: what every spot of a real round is paid, step by step."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

import typer

from letitride.cli.io.files import read_text
from letitride.cli.io.output import Json, heading, print_json, print_lines, print_table
from letitride.cli.io.values import Set
from letitride.errors import InvalidData
from letitride.rules.money import dollars

if TYPE_CHECKING:
    from letitride.records.payout import RoundPaid

_SEAT: Final = re.compile(
    r"(?P<seat>\d+)\s+(?P<cards>\S+\s+\S+\s+\S+)\s+(?:bets\s+)?(?P<bets>.+?)(?:\s+rides\s+(?P<rides>[12](?:[\s,]+2)?))?$"
)
_BANK: Final = re.compile(r"(?P<seat>\d+)\s+(?P<dollars>\S+)")
WHERE: Final = "the round"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paid:
    """A round that is paid, and its record."""

    paid: RoundPaid
    record: str


def payout(  # noqa: PLR0917 - the options of a command
    file: Annotated[str, typer.Argument(help="A round record; - reads standard input.", metavar="RECORD")] = "",
    book: Annotated[
        str,
        typer.Option("--rulebook", help="The rule book; with RECORD, the file of its own rule book.", metavar="BOOK"),
    ] = "",
    seats: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            help="A seat, such as '1 Th Td 4c bets 25 bonus 1 rides 1 2'; may be repeated.",
            metavar="SEAT",
        ),
    ] = None,
    community: Annotated[
        str, typer.Option("--community", help="Both community cards, such as 'Ks 2d'.", metavar="CARDS")
    ] = "",
    bank: Annotated[
        str,
        typer.Option("--bank", help="The seat that banks and its stake in dollars, such as '7 300'.", metavar="BANK"),
    ] = "",
    values: Set = None,
    save: Annotated[
        str | None, typer.Option("--save", help="Write the round as a round record.", metavar="FILE")
    ] = None,
    as_json: Json = False,
) -> None:
    """Pay a real round, spot by spot.

    Give a round record, or the round by options: each seat with its cards, bets and decisions, and the community cards.
    """
    from letitride.records.payout import pay_record
    from letitride.records.reader import read_record
    from letitride.records.writer import write_record
    from letitride.reports.paper.files import place, write_all

    if bool(file) == bool(seats):
        raise InvalidData("expected a round record, or a round by --rulebook, --seat and --community, got both or none")
    where = file or WHERE
    text = read_text(file, "round records") if file else _text(book, seats or [], community, bank, values or [])
    record = read_record(text, where)
    paid = pay_record(record, where, book if file else "")
    written = write_record(record)
    if save is not None:
        write_all({place(save, "--save"): written.encode()})
    if as_json:
        print_json(Paid(paid=paid, record=written))
        return
    _print(paid)


def _text(book: str, seats: list[str], community: str, bank: str, values: list[str]) -> str:
    """Return a round given by options as the text of a round record."""
    from letitride.records.real_round import check_dealt

    if not book or not community:
        raise InvalidData("expected --rulebook and --community with --seat, got one or none of them")
    found = [(_SEAT.fullmatch(one.strip()), one) for one in seats]
    for match, one in found:
        if match is None:
            raise InvalidData(f"expected a seat like '1 Th Td 4c bets 25 rides 1 2' after --seat, got '{one}'")
    every = [match for match, _ in found if match is not None]
    dealt = [(f"seat {one['seat']}", tuple(one["cards"].split()), 3) for one in every]
    check_dealt([*dealt, ("the community cards", tuple(community.split()), 2)])
    lines = [f"rulebook {book}", *(f"set {one.replace('=', ' = ', 1)}" for one in values)]
    chips = 1_000_000
    banks = _BANK.fullmatch(bank.strip()) if bank else None
    if bank and banks is None:
        raise InvalidData(f"expected a seat and dollars like '7 300' after --bank, got '{bank}'")
    taken = sorted({*(int(one["seat"]) for one in every), *([int(banks["seat"])] if banks else [])})
    lines += [f"seat {seat} sits Seat-{seat} {chips}" for seat in taken]
    lines += ["round", *(f"hand {one['seat']} {one['cards']}" for one in every), f"community {community}"]
    if banks:
        before = [seat for seat in taken if seat < int(banks["seat"])]
        lines += [*(f"seat {seat} declines" for seat in before), f"seat {banks['seat']} banks {banks['dollars']}"]
    lines += [f"seat {one['seat']} bets {one['bets']}" for one in every]
    for bet in "12":
        lines += [
            f"seat {one['seat']} {'rides' if bet in (one['rides'] or '') else 'withdraws'} {bet}" for one in every
        ]
    return "\n".join(lines) + "\n"


def _print(paid: RoundPaid) -> None:
    print_lines(heading(f"{paid.title} · community {' '.join(paid.community)}"))
    rows = [
        [
            f"{hand.seat} {' '.join(hand.cards)}" if at == 0 else "",
            spot.name,
            dollars(spot.stake_cents),
            "; ".join(spot.steps),
            dollars(spot.paid_cents),
            dollars(spot.net_cents),
        ]
        for hand in paid.hands
        for at, spot in enumerate(hand.spots)
    ]
    print_table(["seat", "spot", "bet", "how", "pay", "net"], rows, firm=3)
    for hand in paid.hands:
        fee = f", after a collection fee of {dollars(hand.fee_cents)}" if hand.fee_cents else ""
        print_lines(f"Seat {hand.seat}: {hand.hand}. Net {dollars(hand.net_cents)}{fee}.")
    if paid.bank_fee_cents:
        print_lines(f"The bank pays a collection fee of {dollars(paid.bank_fee_cents)}.")
