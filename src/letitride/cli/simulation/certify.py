"""The `certify` command: writes the evidence pack of a rule book for a test lab, whole or not at all."""

from __future__ import annotations

import json
import platform
import re
import sys
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Annotated, Final

import typer

from letitride.cli.io.files import read_text
from letitride.cli.io.interrupts import kept_back
from letitride.cli.io.output import Json, heading, json_text, print_json, print_lines, print_table
from letitride.cli.io.values import Set, parse_values, parse_whole
from letitride.errors import InvalidData
from letitride.reports.par.sheets import par_sheet
from letitride.rules import catalog
from letitride.rules.paytables import Paytable
from letitride.rules.table_rules import TableRules
from letitride.rules.values import Values
from letitride.rules.wager_table import BASE

# What deals and what sets paper is loaded when it is needed: `letitride --help` does not wait for it.
if TYPE_CHECKING:
    from letitride.reports.evidence.data import LiveEvidence, PackData
    from letitride.reports.evidence.pack import Evidence
    from letitride.simulation.plan import Plan
    from letitride.simulation.tallies import Tallies

SUMS: Final = "SHA256SUMS"
LIVE: Final = "live-shuffle.html"
ROUNDS_MIN: Final = 1_000
_LIBRARIES: Final = ("numpy", "numba", "typst", "matplotlib", "jinja2", "msgspec")


def certify(  # noqa: PLR0917 - the options of a command
    book: Annotated[str, typer.Argument(help="A rule book: an id, a variant or a path.", metavar="BOOK")],
    out: Annotated[
        str | None, typer.Option("--out", help="The folder to write; evidence-BOOK by default.", metavar="FOLDER")
    ] = None,
    rounds: Annotated[str, typer.Option("--rounds", help="Rounds to simulate: 100000000 or 1e8.")] = "1e8",
    seats: Annotated[
        int | None, typer.Option("--seats", help="Seats to simulate; all that the book has by default.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same figures.")] = 1,
    decks: Annotated[str, typer.Option("--shuffle-decks", help="Decks for the shuffle tests: 1000000 or 1e6.")] = "1e6",
    live: Annotated[
        str,
        typer.Option("--live-decks", help="Decks of the live tables' own shuffle to test, not repeatable; 0 for none."),
    ] = "1e5",
    values: Set = None,
    proofs: Annotated[
        str | None,
        typer.Option("--proofs", help="What 'scripts/clauses --json' printed, of the source.", metavar="FILE"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write the evidence pack of a rule book: par sheets, simulation, shuffle tests, clauses, versions and digests."""
    asked = _Asked(
        ref=book,
        rounds=parse_whole(rounds, "rounds", "--rounds", ROUNDS_MIN),
        seed=seed,
        decks=parse_whole(decks, "decks", "--shuffle-decks", 10_000),
        live=0 if live == "0" else parse_whole(live, "decks", "--live-decks", 10_000),
        chosen=parse_values(values or [], book),
    )
    table = catalog.ready_rules(book, asked.chosen)
    folder = _folder(f"evidence-{table.book.id}" if out is None else out)
    known = _proofs(proofs)
    start = time.monotonic()
    try:
        evidence, contents = _gather(asked, table, _seats(table, seats), known)
        lively = _live(asked.live, contents)
        data = _finish(evidence, contents, lively, time.monotonic() - start)
    finally:
        _tell("")
    _write(folder, contents)
    if as_json:
        print_json(data)
    else:
        _print(evidence)
        if lively:
            print_lines(lively.sentence)
    typer.echo(f"wrote {folder}: {len(contents)} files; seed {seed}", err=True)
    if not evidence.consistent or (lively is not None and not lively.consistent):
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a pack is to hold."""

    ref: str
    rounds: int
    seed: int
    decks: int
    live: int
    chosen: Values


def _seats(table: TableRules, asked: int | None) -> int:
    """Return how many seats are simulated: all, or all but the one that banks."""
    from letitride.simulation.banks import opponents_max

    rules = table.rules
    banked = rules.bank.mode == "player"
    most = opponents_max(rules.seats, separate=rules.bank.seat == "separate") if banked else rules.seats
    seats = most if asked is None else asked
    if not 1 <= seats <= most:
        beside = ", beside the one that banks" * (most < rules.seats)
        raise InvalidData(f"expected 1 to {most} seats by {table.book.id}{beside}, after --seats, got {seats}")
    return seats


def _proofs(file: str | None) -> Mapping[str, int] | None:
    if file is None:
        return None
    from letitride.reports.evidence.coverage import read_proofs

    text = read_text(file, "clause counts")
    try:
        data = json.loads(text)
    except ValueError:
        raise InvalidData(f"{file}: expected what 'scripts/clauses --json' prints, got no JSON") from None
    return read_proofs(data, file)


def _gather(
    asked: _Asked, table: TableRules, seats: int, proofs: Mapping[str, int] | None
) -> tuple[Evidence, dict[str, bytes]]:
    """Do the work: simulate, test, price; return what was found and the files made so far."""
    from letitride.reports.evidence.coverage import coverage
    from letitride.reports.evidence.pack import Evidence
    from letitride.simulation.figures import verdict, wager_figures
    from letitride.simulation.generator import check_seed
    from letitride.simulation.plan import plan, stakes_of
    from letitride.simulation.shuffle_tests import simulation_tests

    check_seed(asked.seed)
    made = plan(table, seats, stakes_of(table))
    tables = _paytables(table)
    contents = _par_sheets(tables, table, made.stakes[BASE.spot])
    tallies = _simulate(made, asked)
    _tell(f"shuffle tests of {asked.decks:,} decks")
    wagers = wager_figures(made, tallies)
    evidence = Evidence(
        plan=made,
        opponents_of_bank=table.rules.bank.mode == "player",
        stated=catalog.stated_values(asked.ref, asked.chosen),
        chosen=asked.chosen,
        paytables=tables,
        seed=asked.seed,
        tallies=tallies,
        wagers=wagers,
        verdict=verdict(wagers),
        shuffles=simulation_tests(asked.seed, seats, asked.decks),
        shuffle_decks=asked.decks,
        clauses=coverage(table, proofs),
        files={name: sha256(content).hexdigest() for name, content in contents.items()},
        versions=_versions(),
    )
    return evidence, contents


def _live(decks: int, contents: dict[str, bytes]) -> LiveEvidence | None:
    """Test the generator of live tables, and add its page to the files; it stays out of those that can be repeated."""
    if not decks:
        return None
    from letitride.cli.simulation.certify_live import live_tests
    from letitride.reports.evidence.live_generator import live_evidence, live_page
    from letitride.reports.paper import html

    _tell(f"shuffle tests of {decks:,} live decks")
    samples = live_tests(decks)
    contents[LIVE] = html.as_html(live_page(samples, decks, f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"))
    return live_evidence(samples, decks)


def _simulate(made: Plan, asked: _Asked) -> Tallies:
    from letitride.simulation.jobs import on_threads, processors
    from letitride.simulation.run import rounds_job

    job = rounds_job(made.game, asked.seed, asked.rounds, meters=made.meters)
    total, start = job.begin(), time.monotonic()
    _tell(f"simulation of {asked.rounds:,} rounds")
    parts = on_threads(job, 0, processors())
    with kept_back() as stop_if_interrupted, closing(parts):
        for _, part in parts:
            stop_if_interrupted()
            total = job.add(total, part)
            rate = total.rounds / max(time.monotonic() - start, 1e-9)
            left = (asked.rounds - total.rounds) / rate
            _tell(f"{total.rounds:,} of {asked.rounds:,} rounds, {rate:,.0f} a second, {left:,.0f} s left")
    return total


def _tell(sentence: str) -> None:
    """Say how far the work is, where a person watches; the next sentence takes the place of the last."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{sentence}")
        sys.stderr.flush()


def _paytables(table: TableRules) -> tuple[Paytable, ...]:
    names = dict.fromkeys(table.paytables.values())
    return tuple(table.book.paytables.get(name) or catalog.paytable(name) for name in names)


def _par_sheets(tables: tuple[Paytable, ...], table: TableRules, stake_cents: int) -> dict[str, bytes]:
    """Return the par sheets of the paytables in force, under the table's maximum payout where it has one."""
    from letitride.analysis.caps import cap
    from letitride.analysis.par import sheets
    from letitride.reports.paper import pdf
    from letitride.reports.par import document as report

    contents: dict[str, bytes] = {}
    payout = table.rules.payout
    for one in tables:
        _tell(f"par sheet {one.id}")
        priced = (one, sheets(one, "withdraw"))
        capped = None
        if payout.cap == "maximum" and payout.cents_max is not None and table.paytables[BASE.id] == one.id:
            many = table.rules.hands_per_player
            capped = cap(table.base_pays, stake_cents, payout.cents_max, payout.scope, hands_per_player=many)
        name = _file_name(one.id, contents)
        contents[f"{name}.pdf"] = pdf.as_pdf(report.table_report(priced, "withdraw", "", capped))
        contents[f"{name}.json"] = _json(par_sheet(*priced, "withdraw", capped))
    return contents


def _file_name(table_id: str, taken: Mapping[str, bytes]) -> str:
    """Return a name for the files of a paytable, whatever signs its id has."""
    name = "par-" + (re.sub(r"[^A-Za-z0-9._-]+", "-", table_id).strip("-.") or "table")[:80]
    while f"{name}.pdf" in taken:
        name += "-"
    return name


def _json(data: object) -> bytes:
    return json_text(data).encode()


def _versions() -> dict[str, str]:
    from letitride.version import __version__

    found = {"letitride": __version__, "Python": f"{platform.python_implementation()} {platform.python_version()}"}
    return found | {name: version(name) for name in _LIBRARIES} | {"platform": platform.platform()}


def _finish(evidence: Evidence, contents: dict[str, bytes], lively: LiveEvidence | None, seconds: float) -> PackData:
    """Add the index, the data and the digests to the files; return the data."""
    from letitride.reports.evidence.data import RunEvidence
    from letitride.reports.evidence.index import index
    from letitride.reports.evidence.pack import pack_data
    from letitride.reports.paper import html, pdf
    from letitride.simulation.jobs import processors

    _tell("index")
    page = index(evidence)
    indexes = {"index.html": html.as_html(page), "index.pdf": pdf.as_pdf(page)}
    beside = {name: contents[name] for name in (LIVE,) if name in contents}
    digests = {name: sha256(content).hexdigest() for name, content in (indexes | beside).items()}
    run = RunEvidence(
        finished=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=round(seconds, 1),
        threads=processors(),
        processor=platform.machine(),
        versions=evidence.versions,
        live_shuffle_tests=lively,
    )
    data = pack_data(evidence, digests, run)
    contents["evidence.json"] = _json(data)
    whole = {**contents, **indexes}
    contents[SUMS] = "".join(f"{sha256(content).hexdigest()}  {name}\n" for name, content in whole.items()).encode()
    contents |= indexes  # the index comes last: where it is, all it names is
    return data


def _folder(path: str) -> Path:
    """Return the folder of a pack, or say at once why none can be written there."""
    if not path or not path.isprintable():
        raise InvalidData(f"expected a folder after --out, got {path!r}")
    folder = Path(path)
    try:
        if folder.exists() and not folder.is_dir():
            raise InvalidData(f"expected a folder after --out, got '{path}', a file")
        if not folder.exists() and not folder.parent.is_dir():
            raise InvalidData(f"expected a folder within one that exists after --out, got '{path}'")
        if folder.exists() and any(folder.iterdir()) and not _is_pack(folder):
            raise InvalidData(f"expected a new folder, an empty one or an earlier pack after --out, got '{path}'")
        with TemporaryFile(dir=folder if folder.exists() else folder.parent):  # known now, not after a long run
            pass
    except OSError as error:
        raise InvalidData(
            f"expected a folder that can be written after --out, got '{path}': {error.strerror}"
        ) from None
    return folder


def _is_pack(folder: Path) -> bool:
    from letitride.reports.evidence.pack import KIND

    try:
        data = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(data, dict) and data.get("kind") == KIND


def _write(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write the pack; files of an earlier one that it does not have go, anything else in the folder stays."""
    from letitride.reports.paper.files import write_all

    made, old = not folder.exists(), set(_named(folder / SUMS))
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise InvalidData(
            f"expected a folder that can be written after --out, got '{folder}': {error.strerror}"
        ) from None
    try:
        write_all({folder / name: content for name, content in contents.items()})
    except BaseException:
        if made:
            with suppress(OSError):
                folder.rmdir()
        raise
    for name in old - set(contents):
        with suppress(OSError):
            (folder / name).unlink(missing_ok=True)


def _named(sums: Path) -> list[str]:
    """Return the files of a pack's own making that its list of digests names."""
    try:
        lines = sums.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return []
    found = (re.fullmatch(r"[0-9a-f]{64}  (par-[A-Za-z0-9._-]+|live-shuffle\.html)", line) for line in lines)
    return [match[1] for match in found if match]


def _print(evidence: Evidence) -> None:
    from letitride.reports.evidence.index import verdict_sentence

    print_lines(heading(verdict_sentence(evidence)))
    rows = [
        [
            str(one.wager),
            f"{one.mean:+.6f}",
            f"{one.se:.6f}",
            f"{float(one.exact):+.6f}",
            f"{one.z:+.2f}",
            f"{one.agreement.p_value:.4f}",
        ]
        for one in evidence.wagers
    ]
    print_table(["wager", "mean, units", "standard error", "exact", "z", "p of hands"], rows)
    least = min(evidence.shuffles.tests, key=lambda test: test.p_value)
    print_lines(
        f"{len(evidence.shuffles.tests)} shuffle tests: the lowest p-value is {least.p_value:.4f} ({least.name}), "
        f"the limit {evidence.shuffles.p_limit:.5f}."
    )
