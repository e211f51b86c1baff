"""Printed: the figures of a simulation as text, for people; it computes no figure."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from letitride.cli.io.output import heading, print_lines, print_table
from letitride.cli.simulation.figures import Found
from letitride.cli.simulation.printed_meters import meter_lines
from letitride.rules.money import dollars
from letitride.rules.words import quantity
from letitride.simulation.collusion import Collusion
from letitride.simulation.figures import CONFIDENCE, WagerFigures, reach
from letitride.simulation.series import Estimate, SessionFigures

PACE = 40
"""Rounds per hour, to give sessions in hours."""


def print_found(result: Found, seconds: float, done: int) -> None:
    """Print the figures for people."""
    print_lines(heading(result.title))
    if result.wagers:
        _print_wagers(result.wagers)
    if result.bank is not None:
        print_lines(*_bank_lines(result))
    if result.sessions is not None:
        print_lines(*_session_lines(result.sessions))
    if result.shared is not None:
        print_lines(*_shared_lines(result.shared))
    if stated := result.data.game.stated:
        print_lines(f"{stated}.")
    print_lines(f"{result.remark}.")
    if seconds > 0:
        unit = "sessions" if result.sessions is not None else "rounds"
        print_lines(f"Done: {done:,} {unit} in {seconds:,.1f} s, {done / seconds:,.0f} per second.")


def _print_wagers(wagers: tuple[WagerFigures, ...]) -> None:
    rows = [
        [
            one.wager.title,
            f"{one.hands:,}",
            f"{one.mean:+.6f}",
            f"{one.se:.6f}",
            f"{one.interval[0]:+.6f} to {one.interval[1]:+.6f}",
            f"{float(one.exact):+.6f}",
            f"{one.z:+.2f}",
        ]
        for one in wagers
    ]
    print_table(["wager", "hands", "mean", "std. error", f"{CONFIDENCE:.0%} interval", "exact", "z"], rows, firm=7)
    print_lines(*(f"  {one.wager.title}: {one.wager.assumed}" for one in wagers if one.wager.assumed))
    told: list[list[tuple[str, int]]] = []
    for one in wagers:
        agreement = one.agreement
        print_lines(
            heading(
                f"{one.wager.title}: chi-square {agreement.statistic:.2f}, {agreement.freedom} degrees of freedom, "
                f"p-value {agreement.p_value:.4f}"
            )
        )
        counts = [(line.label, line.count) for line in one.categories]
        if counts in told:
            print_lines("  The same hands as above.", "")
            continue
        told.append(counts)
        total = sum(count for _, count in counts)
        lines = [
            [
                line.label,
                f"{line.count:,}",
                f"{line.count / total:.8f}",
                f"{float(line.probability):.8f}",
            ]
            for line in one.categories
        ]
        print_table(["hand", "count", "frequency", "exact"], lines, firm=4)
    for one in wagers:
        print_lines(*_pooled_lines(one), *meter_lines(one))


def _pooled_lines(one: WagerFigures) -> Iterator[str | Text]:
    if (pooled := one.pooled) is None:
        return
    many = f"over {pooled.hands_together} hands"
    yield heading(
        f"{one.wager.title}: as paid under a maximum payout of {dollars(pooled.most_cents)} {many}; "
        "the table above has each hand alone"
    )
    far = reach(pooled.se)
    interval = f"{CONFIDENCE:.0%} interval {pooled.mean - far:+.6f} to {pooled.mean + far:+.6f}"
    yield _line("mean", f"{pooled.mean:+.6f} ± {pooled.se:.6f}, {interval}")
    yield _line("std. deviation, hand", f"{pooled.deviation:.4f}")
    yield _line("lost to other hands", f"{pooled.cut:.6f} of a bet per hand")
    yield _line("maximum reached", f"in {_share(pooled.bound)} of rounds")
    yield ""


def _money(one: Estimate) -> str:
    shown = f"{one.mean / 100:+,.4f} ± {one.se / 100:.4f} dollars"
    if one.exact is not None:
        shown += f"; exactly {float(one.exact) / 100:+,.4f}" + (f", z {one.z:+.2f}" if one.z is not None else "")
    return shown


def _share(one: Estimate) -> str:
    shown = f"{one.mean:.5%} ± {one.se:.5%}"
    if one.exact is not None:
        shown += f"; exactly {float(one.exact):.5%}" + (f", z {one.z:+.2f}" if one.z is not None else "")
    return shown


def _line(name: str, value: str) -> str:
    return f"  {name:<22} {value}"


def _bank_lines(result: Found) -> Iterator[str]:
    bank = result.bank
    if bank is None:
        return
    yield _line("bank's win per round", _money(bank.result))
    yield _line("with all bets covered", _money(bank.if_covered))
    yield _line("rounds not covered", _share(bank.uncovered))
    yield _line("wagers", ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in bank.wagers.items()))
    for level, cents, share in bank.cover:
        yield _line(f"stake to cover {level:.2%}", f"{dollars(cents)} covers {share:.4%} of rounds")
    for place, one in enumerate(bank.places, 1):
        yield _line(f"action position {place}", f"{one.mean:+.5f} ± {one.se:.5f} of one bet, before the fee")
    for seat, one in enumerate(bank.turns, 1):
        yield _line(f"seat {seat} per orbit", f"{_money(one)}, after fees")


def _session_lines(one: SessionFigures) -> Iterator[str]:
    yield _line("sessions", f"{one.sessions:,} of up to {quantity(one.rounds, 'round')}")
    yield _line("result", _money(one.result))
    yield _line("chance of being ahead", _share(one.ahead))
    if one.ruined is not None:
        yield _line("risk of ruin", _share(one.ruined))
    hours = f"{one.played.mean / PACE:,.1f} hours at {PACE} rounds per hour"
    yield _line("time on device", f"{one.played.mean:,.1f} rounds, {hours}")
    yield _line("largest drawdown", f"${one.drawdown.mean / 100:,.2f} on average")
    for (level, cents), (_, fall) in zip(one.result_quantiles, one.drawdown_quantiles, strict=True):
        yield _line(f"{level:.0%} of sessions", f"result {dollars(cents)} or less, drawdown {dollars(fall)} or less")


def _shared_lines(one: Collusion) -> Iterator[str]:
    yield _line("sharing all cards", f"{one.shared.mean:+.6f} ± {one.shared.se:.6f} of one bet per hand")
    yield _line(
        "alone, same cards", f"{one.alone.mean:+.6f} ± {one.alone.se:.6f}; exactly {float(one.alone.exact or 0):+.6f}"
    )
    yield _line("gain as dealt", f"{one.gain.mean:+.6f} ± {one.gain.se:.6f}")
    yield _line(
        "expected gain", f"{one.expected_gain.mean:+.6f} ± {one.expected_gain.se:.6f}, without the luck of the draw"
    )
    yield _line("remaining house edge", f"{one.house_edge.mean:.4%} ± {one.house_edge.se:.4%} of one bet")
    for name, rides in (("bet 1", one.bet1), ("bet 2", one.bet2)):
        yield _line(
            f"{name} rides", f"{rides.shared:,} sharing, {rides.alone:,} alone, {rides.changed:,} decisions differ"
        )
