"""Evidence, gather: does the work of an evidence pack: simulates, tests and prices a table, and makes its files."""

from __future__ import annotations

import csv
import io
import platform
import re
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib import resources
from importlib.metadata import version
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Final

from letitride.analysis.caps import Capped, table_cap
from letitride.cli.io.interrupts import kept_back
from letitride.cli.io.output import json_text
from letitride.errors import InvalidData
from letitride.reports.par.sheets import par_sheet
from letitride.rules import catalog
from letitride.rules.limits import side_limits, spot_limits
from letitride.rules.paytables import Paytable
from letitride.rules.table_rules import TableRules
from letitride.rules.values import Values
from letitride.rules.wager_table import BASE, BASE_SPOTS

# What simulates and typesets is loaded when needed: `letitride --help` does not wait for it.
if TYPE_CHECKING:
    from letitride.reports.evidence.coverage import Proofs, Trace
    from letitride.reports.evidence.pack import Evidence, Simulated
    from letitride.reports.evidence.signing import Build, SignOff
    from letitride.simulation.plan import Plan
    from letitride.simulation.tallies import Tallies

_LIBRARIES: Final = ("numpy", "numba", "typst", "matplotlib", "jinja2", "msgspec")
_OF_THE_BUILD: Final = (".py", ".toml", ".json", ".typ", ".jinja", ".css")


@dataclass(frozen=True, slots=True)
class Asked:
    """What goes into a pack."""

    ref: str
    rounds: int
    seed: int
    decks: int
    live: int
    rng_decks: int
    chosen: Values
    sign_off: SignOff


def gather(asked: Asked, table: TableRules, seats: int, proofs: Proofs | None) -> tuple[Evidence, dict[str, bytes]]:
    """Simulate, test and price; return the evidence and the files made from it."""
    from letitride.reports.evidence.coverage import coverage
    from letitride.reports.evidence.game import game_evidence
    from letitride.reports.evidence.pack import Evidence
    from letitride.simulation.figures import PACK_CONFIDENCE
    from letitride.simulation.generator import check_seed
    from letitride.simulation.plan import plan, stakes_of
    from letitride.simulation.shuffle_tests import simulation_tests

    check_seed(asked.seed)
    made = plan(table, seats, stakes_of(table))
    tables = _paytables(table)
    contents = _par_sheets(tables, table)
    lowest = _simulate(made, asked.seed, asked.rounds)
    highest = _at_highest(table, made, asked)
    tell(f"shuffle tests of {asked.decks:,} decks")
    shuffles = replace(simulation_tests(asked.seed, seats, asked.decks), confidence=PACK_CONFIDENCE)
    tell("exposure, game protection, clauses")
    game = game_evidence(table, seats, asked.seed, proofs)
    build = _build()
    contents["clauses.csv"] = _clause_rows(game.clauses)
    contents["code-digests.txt"] = "".join(f"{one}  {name}\n" for name, one in build.files.items()).encode()
    evidence = Evidence(
        plan=made,
        opponents_of_bank=table.rules.bank.mode == "player",
        stated=catalog.stated_values(asked.ref, asked.chosen),
        chosen=asked.chosen,
        paytables=tables,
        seed=asked.seed,
        tallies=lowest.tallies,
        wagers=lowest.wagers,
        verdict=lowest.verdict,
        shuffles=shuffles,
        shuffle_decks=asked.decks,
        clauses=coverage(table, proofs),
        files={name: sha256(content).hexdigest() for name, content in contents.items()},
        versions=versions(),
        game=game,
        build=build,
        sign_off=asked.sign_off,
        at_highest=highest,
        collected=bool(asked.live and asked.rng_decks),
    )
    return evidence, contents


def _at_highest(table: TableRules, lowest: Plan, asked: Asked) -> Simulated | None:
    """Simulate the highest stakes where a unit does not win there what it wins at the lowest."""
    from letitride.simulation.plan import plan

    stakes = dict.fromkeys(BASE_SPOTS, spot_limits(table.rules.limit).cents_max)
    stakes |= {one.spot: side_limits(one, table.terms(one.id)).cents_max for one in table.sides}
    try:
        made = plan(table, lowest.game.seats, stakes)
        _check_countable(made)
    except InvalidData:  # results too large to square where seats are summed: one seat has no such bound
        made = plan(table, 1, stakes)
    per_unit = [[one.mean / one.stake_cents for one in each.exact] for each in (lowest, made)]
    if per_unit[0] == per_unit[1] and lowest.game.seats == made.game.seats:
        return None
    return _simulate(made, asked.seed + 1 if asked.seed < 2**63 - 1 else 0, asked.rounds)


def _check_countable(made: Plan) -> None:
    from letitride.simulation.tallies import in_units, listed_in_units

    in_units(made.game)
    listed_in_units(made.game)


def _simulate(made: Plan, seed: int, rounds: int) -> Simulated:
    from letitride.reports.evidence.pack import Simulated
    from letitride.simulation.figures import PACK_CONFIDENCE, verdict, wager_figures

    tallies = _rounds(made, seed, rounds)
    wagers = wager_figures(made, tallies)
    return Simulated(made, seed, tallies, wagers, verdict(wagers, PACK_CONFIDENCE))


def _rounds(made: Plan, seed: int, rounds: int) -> Tallies:
    from letitride.simulation.jobs import on_threads, processors
    from letitride.simulation.run import rounds_job

    job = rounds_job(made.game, seed, rounds, meters=made.meters)
    total, start = job.begin(), time.monotonic()
    tell(f"simulation of {rounds:,} rounds")
    parts = on_threads(job, 0, processors())
    with kept_back() as stop_if_interrupted, closing(parts):
        for _, part in parts:
            stop_if_interrupted()
            total = job.add(total, part)
            rate = total.rounds / max(time.monotonic() - start, 1e-9)
            left = (rounds - total.rounds) / rate
            tell(f"{total.rounds:,} of {rounds:,} rounds, {rate:,.0f} per second, {left:,.0f} s left")
    return total


def tell(sentence: str) -> None:
    """Show progress at a terminal; each sentence replaces the last."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{sentence}")
        sys.stderr.flush()


def _paytables(table: TableRules) -> tuple[Paytable, ...]:
    names = dict.fromkeys(table.paytables.values())
    return tuple(table.book.paytables.get(name) or catalog.paytable(name) for name in names)


def _par_sheets(tables: tuple[Paytable, ...], table: TableRules) -> dict[str, bytes]:
    """Return the par sheets of the paytables in force, under the table's maximum payout where it has one."""
    from letitride.analysis.par import sheets
    from letitride.reports.paper import pdf
    from letitride.reports.par import document as report

    contents: dict[str, bytes] = {}
    limits = spot_limits(table.rules.limit)
    for one in tables:
        tell(f"par sheet {one.id}")
        priced = (one, sheets(one, "withdraw"))
        capped: tuple[Capped, ...] = ()
        if table.paytables[BASE.id] == one.id:
            stakes = sorted({limits.cents_min, limits.cents_max})
            capped = tuple(found for stake in stakes if (found := table_cap(table, stake)) is not None)
        name = _file_name(one.id, contents)
        contents[f"{name}.pdf"] = pdf.as_pdf(report.table_report(priced, "withdraw", "", capped))
        contents[f"{name}.json"] = json_text(par_sheet(*priced, "withdraw", capped)).encode()
    return contents


def _file_name(table_id: str, taken: Mapping[str, bytes]) -> str:
    """Return a name for the files of a paytable, whatever characters its id has."""
    name = "par-" + (re.sub(r"[^A-Za-z0-9._-]+", "-", table_id).strip("-.") or "table")[:80]
    while f"{name}.pdf" in taken:
        name += "-"
    return name


def versions() -> dict[str, str]:
    """Return what a pack is made with."""
    from letitride.version import __version__

    found = {"letitride": __version__, "Python": f"{platform.python_implementation()} {platform.python_version()}"}
    return found | {name: version(name) for name in _LIBRARIES} | {"platform": platform.platform()}


def _clause_rows(rows: tuple[Trace, ...]) -> bytes:
    """Return the clauses as a table for a spreadsheet: what each demands, its status, its carriers and its tests."""
    text = io.StringIO()
    written = csv.writer(text, lineterminator="\n")
    written.writerow(["clause", "status", "carried_by", "proven", "tests", "demand"])
    for one in rows:
        proven = "not known" if one.proven is None else "yes" if one.proven else "no"
        written.writerow([one.clause, one.status, " ".join(one.carried_by), proven, " ".join(one.tests), one.demand])
    return text.getvalue().encode()


def _build() -> Build:
    """Return the digests of the code and the data that are running."""
    from letitride.reports.evidence.signing import Build

    found = dict(sorted(_digests(resources.files("letitride"), "letitride")))
    whole = {
        kind: sha256(
            "".join(f"{one}  {name}\n" for name, one in found.items() if name.endswith(".py") == code).encode()
        )
        for kind, code in (("code", True), ("data", False))
    }
    return Build(code_sha256=whole["code"].hexdigest(), data_sha256=whole["data"].hexdigest(), files=found)


def _digests(folder: Traversable, name: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for one in folder.iterdir():
        path = f"{name}/{one.name}"
        if one.is_dir():
            found += _digests(one, path)
        elif one.name.endswith(_OF_THE_BUILD):
            found.append((path, sha256(one.read_bytes()).hexdigest()))
    return found
