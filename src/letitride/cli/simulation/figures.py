"""What a simulation found, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from letitride.cli.io.output import heading, print_lines, print_table
from letitride.rules.money import dollars
from letitride.rules.words import quantity
from letitride.simulation.banks import BankFigures, bank_figures
from letitride.simulation.collusion import Collusion, exact_gain_of_two, linear_pays, sharing
from letitride.simulation.collusion import figures as collusion_figures
from letitride.simulation.figures import CONFIDENCE, WagerFigures, verdict, wager_figures
from letitride.simulation.series import Estimate, Series, SessionFigures, agree, exact_session, session_figures
from letitride.simulation.tasks import Task

PACE = 40
"""Rounds an hour, where sessions are told in hours."""
CONVENTIONS = {
    "mean": "what a hand wins of a unit bet, won less lost; of the base game, of one of its three equal bets",
    "se": (
        "standard error of the mean; the round is the sampling unit, as its seats share cards; where the exact value "
        "is known, the variance of one hand is the exact one"
    ),
    "z": "how many standard errors the mean is above the exact value",
    "chi_square": "over the first seat of every round, whose hands are independent; Cover All over all rounds",
    "verdict": (
        "each mean and each chi-square is one test, and all of them together err about once in a hundred runs; a mean "
        "that one hand could move by more than its error is not judged"
    ),
}


@dataclass(frozen=True, slots=True)
class Found:
    """The figures of a run, and the same as data."""

    title: str
    data: dict[str, Any]
    consistent: bool | None
    """None where there is no exact value to compare with."""
    remark: str
    wagers: tuple[WagerFigures, ...] = ()
    bank: BankFigures | None = None
    sessions: SessionFigures | None = None
    shared: Collusion | None = None


def found(task: Task, part: Any, stated: str = "") -> Found:
    """Return what a task came to; `stated` says what was taken where the book leaves something open."""
    match task.kind:
        case "bank":
            result = _bank(task, part)
        case "sessions" | "bank sessions":
            result = _sessions(task, part)
        case "shared cards":
            result = _shared(task, part)
        case _:
            result = _rounds(task, part)
    result.data["game"]["stated"] = stated
    return result


def _title(task: Task) -> str:
    seats = task.plan.game.seats
    tables = ", ".join(dict.fromkeys(task.plan.table.paytables.values()))
    who = "opponent" if task.bank_stake_cents else "seat"
    return f"{task.plan.table.book.id} with {tables}: {quantity(seats, who)}, seed {task.seed}"


def _agreement(estimates: tuple[Estimate | None, ...], nothing: str) -> tuple[bool | None, str]:
    """Return whether estimates agree with their exact values, and how that is said."""
    consistent, limit = agree(estimates)
    if all(one is None or one.exact is None for one in estimates):
        return None, f"{nothing}: the errors are stated"
    if consistent is None:
        return None, "too few to judge by the exact values: the errors are stated"
    said = "consistent" if consistent else "NOT consistent"
    return consistent, f"{said} with the exact values at {CONFIDENCE:.0%}: every |z| within {limit:.2f} is asked"


def _if_covered(task: Task) -> str:
    """Return what is said where a player banks and nobody asked about his stake."""
    banked = task.plan.table.rules.bank.mode == "player" and not task.bank_stake_cents
    return "; without --bank-stake every bet counts as covered in full" if banked else ""


def _game(task: Task) -> dict[str, Any]:
    table = task.plan.table
    return {
        "kind": task.kind,
        "rulebook": table.book.id,
        "paytables": {str(wager): name for wager, name in table.paytables.items()},
        "seats": task.plan.game.seats,
        "stake_cents": dict(task.plan.stakes),
        "sha256": task.digest,
    }


def _rounds(task: Task, tallies: Any) -> Found:
    wagers = wager_figures(task.plan, tallies)
    said = verdict(wagers)
    remark = (
        f"consistent with the exact values at {CONFIDENCE:.0%} over all {len(wagers)} wagers"
        if said.consistent
        else f"NOT consistent with the exact values at {CONFIDENCE:.0%} over all {len(wagers)} wagers"
    )
    remark += f": every |z| within {said.z_limit:.2f}, every p-value above {said.p_limit:.4f} is asked"
    remark += f"; {said.caution}" if said.caution else ""
    remark += _if_covered(task)
    data = {
        "game": _game(task),
        "conventions": CONVENTIONS,
        "tallies": tallies.as_data(),
        "wagers": [_wager_data(one) for one in wagers],
        "verdict": {"remark": remark, **asdict(said)},
    }
    return Found(_title(task), data, said.consistent, remark, wagers=wagers)


def _wager_data(one: WagerFigures) -> dict[str, Any]:
    low, high = one.interval
    return {
        "wager": str(one.wager),
        "stake_cents": one.stake_cents,
        "hands": one.hands,
        "mean": one.mean,
        "se": one.se,
        "interval": {"confidence": CONFIDENCE, "low": low, "high": high},
        "exact": float(one.exact),
        "exact_fraction": str(one.exact),
        "z": one.z,
        "categories": [
            {
                "category": line.label,
                "count": line.count,
                "first_seat": line.first_seat,
                "probability": {"exact": str(line.probability), "value": float(line.probability)},
            }
            for line in one.categories
        ],
        "chi_square": asdict(one.agreement),
    }


def _bank(task: Task, tallies: Any) -> Found:
    setup = task.setup
    bank = bank_figures(setup, tallies)
    unit = setup.bet_cents * setup.opponents
    exact = None if bank.result.exact is None else -(bank.result.exact + setup.bank_fee) / unit
    base = Estimate(-(bank.result.mean + setup.bank_fee) / unit, bank.result.se / unit, exact)
    consistent, remark = _agreement(
        (bank.result, bank.if_covered, bank.uncovered), "no exact value is known against so many opponents"
    )
    data = {
        "game": {**_game(task), "bank_stake_cents": setup.stake_cents, "cover": task.plan.table.rules.bank.cover},
        "tallies": tallies.as_data(),
        "wagers": [{"wager": "base", "stake_cents": setup.bet_cents, **_flat(base)}],
        "bank": {
            "unit": "cents a round, fee paid",
            "fee_cents": setup.bank_fee,
            "opponent_fee_cents": setup.player_fee,
            "result": bank.result.as_data(),
            "if_all_were_covered": bank.if_covered.as_data(),
            "not_covered": bank.uncovered.as_data(),
            "wagers": bank.wagers,
            "order_of_action": [{"place": n, **one.as_data()} for n, one in enumerate(bank.places, 1)],
            "cover_by_stake": [
                {"rounds_covered_at_least": level, "stake_cents": cents, "covers": share}
                for level, cents, share in bank.cover
            ],
            "rotation": {
                "hands_each": task.plan.table.rules.bank.max_consecutive,
                "orbits": bank.orbits,
                "unit": "cents an orbit in which everybody banks in turn, fees paid",
                "seats": [{"seat": n, **one.as_data()} for n, one in enumerate(bank.turns, 1)],
            },
        },
        "verdict": {"consistent": consistent, "remark": remark},
    }
    return Found(_title(task), data, consistent, remark, bank=bank)


def _flat(one: Estimate) -> dict[str, Any]:
    return {"mean": one.mean, "se": one.se, "exact": None if one.exact is None else float(one.exact), "z": one.z}


def _sessions(task: Task, series: Series) -> Found:
    ruined, mean, ruin = None, None, None
    if task.bank_stake_cents:
        if task.bankroll_cents:
            left = task.bankroll_cents + series.results - task.setup.bank_fee
            ruined = int((left < task.setup.bet_cents).sum())
    else:
        mean, ruin = exact_session(task.plan, task.rounds, task.bankroll_cents, task.fee_cents)
        if task.bankroll_cents:
            ruined = int((task.bankroll_cents + series.results < task.need_cents).sum())
    figures = session_figures(series, task.rounds, ruined, mean, ruin)
    consistent, remark = _agreement((figures.result, figures.ruined), "no exact value is known for such sessions")
    remark += _if_covered(task)
    arrays = b"".join(part.tobytes() for part in (series.results, series.drawdowns, series.played))
    data = {
        "game": {**_game(task), "bankroll_cents": task.bankroll_cents, "bank_stake_cents": task.bank_stake_cents},
        "tallies": {
            "sessions": figures.sessions,
            "rounds": series.rounds,
            "result_cents": int(series.results.sum()),
            "ruined": ruined,
            "sha256": sha256(arrays).hexdigest(),
        },
        "wagers": [],
        "sessions": {
            "sessions": figures.sessions,
            "rounds_each": figures.rounds,
            "unit": "cents a session",
            "result": figures.result.as_data(),
            "ahead": figures.ahead.as_data(),
            "ruined": figures.ruined.as_data() if figures.ruined else None,
            "rounds_played": figures.played.as_data(),
            "drawdown": figures.drawdown.as_data(),
            "result_quantiles": _quantiles(figures.result_quantiles),
            "drawdown_quantiles": _quantiles(figures.drawdown_quantiles),
        },
        "verdict": {"consistent": consistent, "remark": remark},
    }
    return Found(_title(task), data, consistent, remark, sessions=figures)


def _quantiles(found: tuple[tuple[float, int], ...]) -> list[dict[str, float]]:
    return [{"probability": level, "cents": cents} for level, cents in found]


def _shared(task: Task, tallies: Any) -> Found:
    pays = linear_pays(task.plan.table, task.plan.game.seats)
    shared = collusion_figures(sharing(pays, task.plan.game.seats), task.seed, tallies)
    gain = shared.expected_gain
    if shared.seats == 2:
        gain = Estimate(gain.mean, gain.se, exact_gain_of_two(pays))
    consistent, remark = _agreement((shared.alone, gain), "")
    remark += "; base bets alone" + ("" if shared.seats == 2 else ", and of sharing by more than two nothing is exact")
    data = {
        "game": _game(task),
        "tallies": tallies.as_data(),
        "wagers": [{"wager": "base", **_flat(shared.shared)}],
        "shared_cards": {**shared.as_data(), "expected_gain": gain.as_data()},
        "verdict": {"consistent": consistent, "remark": remark},
    }
    return Found(_title(task), data, consistent, remark, shared=shared)


def print_found(result: Found, seconds: float, done: int) -> None:
    """Print what was found, for people."""
    print_lines(heading(result.title))
    if result.wagers:
        _print_wagers(result.wagers)
    if result.bank is not None:
        print_lines(*_bank_lines(result))
    if result.sessions is not None:
        print_lines(*_session_lines(result.sessions))
    if result.shared is not None:
        print_lines(*_shared_lines(result.shared))
    if stated := result.data["game"]["stated"]:
        print_lines(stated)
    print_lines(result.remark)
    if seconds > 0:
        print_lines(f"{done:,} in {seconds:,.1f} s, {done / seconds:,.0f} a second")


def _print_wagers(wagers: tuple[WagerFigures, ...]) -> None:
    rows = [
        [
            str(one.wager),
            f"{one.hands:,}",
            f"{one.mean:+.6f}",
            f"{one.se:.6f}",
            f"{one.interval[0]:+.6f} to {one.interval[1]:+.6f}",
            f"{float(one.exact):+.6f}",
            f"{one.z:+.2f}",
        ]
        for one in wagers
    ]
    print_table(["wager", "hands", "mean", "error", f"{CONFIDENCE:.0%} interval", "exact", "z"], rows, firm=7)
    told: list[list[tuple[str, int]]] = []
    for one in wagers:
        agreement = one.agreement
        print_lines(
            heading(
                f"{one.wager}: chi-square {agreement.statistic:.2f} with {agreement.freedom} degrees of freedom, "
                f"p {agreement.p_value:.4f}"
            )
        )
        counts = [(line.label, line.count) for line in one.categories]
        if counts in told:
            print_lines("  the same hands as above", "")
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
        print_table(["hand", "came", "share", "exact"], lines, firm=4)


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
    yield _line("the bank a round", _money(bank.result))
    yield _line("if all were covered", _money(bank.if_covered))
    yield _line("not covered in full", f"{_share(bank.uncovered)} of rounds")
    yield _line("wagers", ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in bank.wagers.items()))
    for level, cents, share in bank.cover:
        yield _line(f"to cover {level:.2%}", f"{dollars(cents)} (covers {share:.4%} of rounds)")
    for place, one in enumerate(bank.places, 1):
        yield _line(f"{place}. in action", f"{one.mean:+.5f} ± {one.se:.5f} of one bet, fee left out")
    for seat, one in enumerate(bank.turns, 1):
        yield _line(f"seat {seat} an orbit", f"{_money(one)}, fees paid")


def _session_lines(one: SessionFigures) -> Iterator[str]:
    yield _line("sessions", f"{one.sessions:,} of {one.rounds:,} rounds at most")
    yield _line("result", _money(one.result))
    yield _line("ahead", _share(one.ahead))
    if one.ruined is not None:
        yield _line("ruined", _share(one.ruined))
    hours = f"{one.played.mean / PACE:,.1f} hours at {PACE} rounds an hour"
    yield _line("time on device", f"{one.played.mean:,.1f} rounds, {hours}")
    yield _line("deepest fall", f"{one.drawdown.mean / 100:,.2f} dollars on average")
    for (level, cents), (_, fall) in zip(one.result_quantiles, one.drawdown_quantiles, strict=True):
        yield _line(f"{level:.0%} at most", f"result {dollars(cents)}, fall {dollars(fall)}")


def _shared_lines(one: Collusion) -> Iterator[str]:
    yield _line("sharing all cards", f"{one.shared.mean:+.6f} ± {one.shared.se:.6f} of one bet a hand")
    yield _line(
        "alone, same decks", f"{one.alone.mean:+.6f} ± {one.alone.se:.6f}; exactly {float(one.alone.exact or 0):+.6f}"
    )
    yield _line("gain as it came", f"{one.gain.mean:+.6f} ± {one.gain.se:.6f}")
    yield _line(
        "gain by value", f"{one.expected_gain.mean:+.6f} ± {one.expected_gain.se:.6f}: the luck of the draw left out"
    )
    yield _line("house edge left", f"{one.house_edge.mean:.4%} ± {one.house_edge.se:.4%} of one bet")
    for name, rides in (("bet 1", one.bet1), ("bet 2", one.bet2)):
        yield _line(
            f"{name} rides", f"{rides.shared:,} sharing, {rides.alone:,} alone, {rides.changed:,} choices differ"
        )
