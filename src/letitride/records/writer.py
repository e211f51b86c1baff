"""Writer: writes a round record as text that the reader reads back to the same record."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from letitride.engine import commands
from letitride.records import floor_lines
from letitride.records.floor_lines import written_cents
from letitride.records.record import Action, Dealt, Record
from letitride.rules.wager_table import BASE_SPOTS


def write_record(record: Record) -> str:
    """Return a record as text, one action a line."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Record) -> Iterator[str]:
    yield write_rulebook(record.rulebook, record.digest)
    yield from (f"set {setting.key} = {setting.value}" for setting in record.settings)
    yield "dealer auto" if record.auto else "dealer by hand"
    yield from map(write_action, record.opening)
    for one in record.rounds:
        yield ""
        yield "round"
        yield from _dealt(one.dealt)
        if one.redealt is not None:
            yield "redeal"
            yield from _dealt(one.redealt)
        yield from map(write_action, one.actions)


def write_rulebook(rulebook: str, digest: str = "") -> str:
    """Return a record's first line."""
    return f"rulebook {rulebook} sha256:{digest}" if digest else f"rulebook {rulebook}"


def _dealt(dealt: Dealt) -> Iterator[str]:
    if dealt.order:
        yield f"deck {' '.join(dealt.order)}"
    yield from (f"hand {seat} {' '.join(cards)}" for seat, cards in dealt.hands)
    if dealt.community:
        yield f"community {' '.join(dealt.community)}"
    if dealt.burn:
        yield f"burn {' '.join(dealt.burn)}"
    if dealt.missing:
        yield f"missing {' '.join(dealt.missing)}"
    if dealt.dice:
        yield f"dice {dealt.dice}"


def write_action(action: Action) -> str:
    """Return one action as a line of a record."""
    expected = f" => {action.refused}" if action.refused else ""
    expected += f" => ruled {' '.join(action.ruled)}" if action.ruled else ""
    return write_command(action.command) + expected


def write_command(command: commands.AnyCommand) -> str:
    """Return one command as a line of a record."""
    if isinstance(command, commands.Do):
        return _step(command)
    if isinstance(command, floor_lines.OfTheTable):
        return floor_lines.write(command)
    by = "" if command.by == f"seat:{command.seat}" else f"by {command.by} "
    return f"seat {command.seat} {by}{_act(command)}"


def _step(command: commands.Do) -> str:
    parts = [command.by, command.kind]
    parts += [f"seat {command.seat}"] if command.seat else []
    parts += [f"wager {command.wager}"] if command.wager else []
    parts += [f"number {command.number}"] if command.number else []
    parts += [f"cut {command.cut}"] if command.cut else []
    parts += [f"throw {command.throw}"] if command.throw else []
    parts += [f"meter {wager} {written_cents(cents)}" for wager, cents in commands.readings_of(command).items()]
    parts += ["face-up"] if command.face_up else []
    parts += [f"order {' '.join(command.order)}"] if command.order else []
    return " ".join(parts)


def _act(command: commands.SeatCommand) -> str:
    match command:
        case commands.Sit():
            return f"sits {command.player} {written_cents(command.cents)}"
        case commands.SitOut():
            return "sits out" if command.out else "rejoins"
        case commands.BuyChips():
            return f"buys {written_cents(command.cents)}"
        case commands.ExchangeVoucher():
            return f"exchanges {written_cents(command.cents)} {command.into}"
        case commands.Leave():
            return "leaves"
        case commands.LookOver():
            return "inspects"
        case commands.Look():
            return "looks"
        case commands.Choose():
            return f"{'rides' if command.choice == 'ride' else 'withdraws'} {command.bet}"
        case commands.TakeBack():
            return f"withdraws {command.wager}"
        case commands.TakeBank():
            return f"banks {written_cents(command.cents)}"
        case commands.DeclineBank():
            return "declines"
        case commands.Tuck():
            return "tucks"
        case commands.Claim():
            return "claims" if command.shown else "waves"
        case commands.PlaceWagers():
            return _bets(command)
        case _:
            return floor_lines.write_seat_act(command)


def _bets(command: commands.PlaceWagers) -> str:
    wagers = dict(command.wagers)
    spots = zip(("1", "2", "$"), BASE_SPOTS, strict=True)
    base = {name: written_cents(wagers.pop(spot)) for name, spot in spots if spot in wagers}
    even = len(base) == 3 and len(set(base.values())) == 1
    parts = ["bets", *(set(base.values()) if even else (f"{name}={cents}" for name, cents in base.items()))]
    parts += [f"{name} {written_cents(cents)}" for name, cents in wagers.items()]
    parts += ["nothing"] if not command.wagers else []
    parts += [f"with {command.medium}"] if command.medium != "chips" else []
    parts += ["spoken"] if command.spoken else []
    parts += [f"match-play {written_cents(command.coupon_cents)}"] if command.coupon_cents is not msgspec.UNSET else []
    return " ".join(parts)
