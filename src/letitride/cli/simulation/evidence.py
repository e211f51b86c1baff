"""The `evidence` command: writes the evidence pack of a rule book for a test lab, whole or not at all."""

from __future__ import annotations

import json
import platform
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Annotated, Final

import typer

from letitride.autoplay.dealable import check_table
from letitride.chance.live import Live
from letitride.cli.io.files import read_text
from letitride.cli.io.output import Json, heading, json_text, print_json, print_lines, print_table
from letitride.cli.io.values import Set, given_date, parse_values, parse_whole
from letitride.cli.simulation.evidence_gather import Asked, gather, tell
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.money import dollars
from letitride.rules.table_rules import TableRules
from letitride.rules.words import quantity

# What simulates and typesets is loaded when needed: `letitride --help` does not wait for it.
if TYPE_CHECKING:
    from letitride.reports.evidence.coverage import Proofs
    from letitride.reports.evidence.data import LiveEvidence, PackData
    from letitride.reports.evidence.pack import Evidence

SUMS: Final = "SHA256SUMS"
LIVE: Final = "live-shuffle.html"
RAW: Final = "rng-raw.bin"
DECKS: Final = "rng-decks.txt"
SEEDS: Final = 2**48
"""Seeds of packs that name none are drawn among so many."""
TEXT_MAX: Final = 200
ROUNDS_MIN: Final = 1_000


def evidence(  # noqa: PLR0917 - the options of a command
    book: Annotated[str, typer.Argument(help="A rule book: its id, id+variant, or a TOML file.", metavar="BOOK")],
    out: Annotated[
        str | None, typer.Option("--out", help="The folder to write; evidence-BOOK by default.", metavar="FOLDER")
    ] = None,
    rounds: Annotated[str, typer.Option("--rounds", help="Rounds to simulate: 100000000 or 1e8.")] = "1e8",
    seats: Annotated[int | None, typer.Option("--seats", help="Seats to simulate; all by default.")] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="The same seed gives the same figures; random by default.")
    ] = None,
    decks: Annotated[str, typer.Option("--shuffle-decks", help="Decks for the shuffle tests: 1000000 or 1e6.")] = "1e6",
    live: Annotated[
        str,
        typer.Option("--live-decks", help="Decks to test from the live shuffle, not repeatable; 0 for none."),
    ] = "1e5",
    rng_decks: Annotated[
        str, typer.Option("--rng-decks", help="Live decks to include with their raw bytes; 0 for none.")
    ] = "1000",
    values: Set = None,
    prepared_by: Annotated[str, typer.Option("--prepared-by", help="Who prepared it.", metavar="NAME")] = "",
    reviewed_by: Annotated[str, typer.Option("--reviewed-by", help="Who reviewed it.", metavar="NAME")] = "",
    revision: Annotated[str, typer.Option("--revision", help="Which revision it is.", metavar="TEXT")] = "",
    day: Annotated[str, typer.Option("--date", help="The date on it.", metavar="YYYY-MM-DD")] = "",
    proofs: Annotated[
        str | None,
        typer.Option(
            "--clause-proofs", help="The output of 'scripts/clauses --json' in a source checkout.", metavar="FILE"
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write the evidence pack for a test lab.

    Par sheets, simulation, shuffle tests, clauses, versions and digests of a rule book, in one folder.
    """
    from letitride.reports.evidence.signing import SignOff

    names = {"--prepared-by": prepared_by, "--reviewed-by": reviewed_by, "--revision": revision}
    for option, text in names.items():
        if not text.isprintable() or len(text) > TEXT_MAX:
            raise InvalidData(
                f"expected a text on one line of {TEXT_MAX} characters at most after {option}, got another"
            )
    asked = Asked(
        ref=book,
        rounds=parse_whole(rounds, "rounds", "--rounds", ROUNDS_MIN),
        seed=Live().below(SEEDS) if seed is None else seed,
        decks=parse_whole(decks, "decks", "--shuffle-decks", 10_000),
        live=0 if live == "0" else parse_whole(live, "decks", "--live-decks", 10_000),
        rng_decks=0 if rng_decks == "0" else parse_whole(rng_decks, "decks", "--rng-decks", 1),
        chosen=parse_values(values or [], book),
        sign_off=SignOff(
            prepared_by=prepared_by,
            reviewed_by=reviewed_by,
            revision=revision,
            date=given_date(day, "--date") if day else "",
        ),
    )
    table = catalog.ready_rules(book, asked.chosen)
    check_table(table)  # a book that cannot be dealt is refused, however well its figures agree
    folder = _folder(f"evidence-{table.book.id}" if out is None else out)
    known = _proofs(proofs)
    start = time.monotonic()
    try:
        evidence, contents = gather(asked, table, _seats(table, seats), known)
        lively = _live(asked, contents)
        data = _finish(evidence, contents, lively, time.monotonic() - start)
    finally:
        tell("")
    _write(folder, contents)
    if as_json:
        print_json(data)
    else:
        _print(evidence)
        if lively:
            print_lines(lively.sentence)
    typer.echo(f"wrote {quantity(len(contents), 'file')} to {folder}; seed {asked.seed}", err=True)
    if not evidence.consistent or (lively is not None and not lively.consistent):
        raise typer.Exit(1)


def _seats(table: TableRules, asked: int | None) -> int:
    """Return how many seats are simulated: all, or all but the bank."""
    from letitride.simulation.banks import opponents_max

    rules = table.rules
    banked = rules.bank.mode == "player"
    most = opponents_max(rules.seats, separate=rules.bank.seat == "separate") if banked else rules.seats
    seats = most if asked is None else asked
    if not 1 <= seats <= most:
        beside = ", besides the bank" * (most < rules.seats)
        raise InvalidData(f"expected 1 to {most} seats under {table.book.id}{beside}, after --seats, got {seats}")
    return seats


def _proofs(file: str | None) -> Proofs | None:
    if file is None:
        return None
    from letitride.reports.evidence.coverage import read_proofs

    text = read_text(file, "clause counts")
    try:
        data = json.loads(text)
    except ValueError:
        raise InvalidData(f"{file}: expected what 'scripts/clauses --json' prints, got no JSON") from None
    return read_proofs(data, file)


def _live(asked: Asked, contents: dict[str, bytes]) -> LiveEvidence | None:
    """Test the generator of live tables, and add its page to the files; it stays out of those that can be repeated."""
    decks = asked.live
    if not decks:
        return None
    from letitride.cli.simulation.evidence_live import collect, live_tests
    from letitride.reports.evidence.live_generator import live_evidence, live_page
    from letitride.reports.paper import html

    tell(f"shuffle tests of {decks:,} live decks")
    samples = live_tests(decks)
    if asked.rng_decks:
        contents[RAW], contents[DECKS] = collect(asked.rng_decks)
    contents[LIVE] = html.as_html(live_page(samples, decks, f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"))
    return live_evidence(samples, decks)


def _finish(evidence: Evidence, contents: dict[str, bytes], lively: LiveEvidence | None, seconds: float) -> PackData:
    """Add the index, the data and the digests to the files; return the data."""
    from letitride.reports.evidence.data import RunEvidence
    from letitride.reports.evidence.index import index
    from letitride.reports.evidence.pack import pack_data
    from letitride.reports.paper import html, pdf
    from letitride.simulation.jobs import processors

    tell("index")
    page = index(evidence)
    indexes = {"index.html": html.as_html(page), "index.pdf": pdf.as_pdf(page)}
    beside = {name: contents[name] for name in (LIVE, RAW, DECKS) if name in contents}
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
    contents["evidence.json"] = json_text(data).encode()
    whole = {**contents, **indexes}
    contents[SUMS] = "".join(f"{sha256(content).hexdigest()}  {name}\n" for name, content in whole.items()).encode()
    contents |= indexes  # the index comes last: where it is, all it names is
    return data


def _folder(path: str) -> Path:
    """Return the folder of a pack, or refuse at once if none can be written there."""
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
    found = (
        re.fullmatch(r"[0-9a-f]{64}  (par-[A-Za-z0-9._-]+|live-shuffle\.html|rng-[a-z.]+)", line) for line in lines
    )
    return [match[1] for match in found if match]


def _print(evidence: Evidence) -> None:
    from letitride.reports.evidence.index import verdict_sentence

    print_lines(heading(verdict_sentence(evidence)))
    rows = [
        [
            one.wager.title,
            f"{one.mean:+.6f}",
            f"{one.se:.6f}",
            f"{float(one.exact):+.6f}",
            f"{one.z:+.2f}",
            f"{one.agreement.p_value:.4f}",
        ]
        for one in evidence.wagers
    ]
    print_table(["wager", "mean result", "standard error", "exact", "z", "p-value of hands"], rows)
    for one in evidence.at_highest.wagers if evidence.at_highest is not None else ():
        print_lines(
            f"{one.wager.title} at {dollars(one.stake_cents)} a bet: mean {one.mean:+.6f}, "
            f"exact {float(one.exact):+.6f}, z {one.z:+.2f}"
        )
    least = min(evidence.shuffles.tests, key=lambda test: test.p_value)
    print_lines(
        f"{len(evidence.shuffles.tests)} shuffle tests: lowest p-value {least.p_value:.4f} ({least.name}), "
        f"limit {evidence.shuffles.p_limit:.7f}."
    )
