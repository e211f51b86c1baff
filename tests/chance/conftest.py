"""The page's part in shuffles, and the program of fifty lines, for tests to call."""

from __future__ import annotations

import io
import json
import runpy
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from web import node_folder, packages  # noqa: E402 - the scripts are no package

EXPORTS = 'export { problems } from "./src/net/fair"; export { shares } from "./src/net/shares";'
PROGRAM = ROOT / "examples" / "check_deal.py"


@dataclass
class Page:
    """The page's modules in a process of their own."""

    words: IO[str]
    answers: IO[str]

    def __call__(self, name: str, *given: Any) -> Any:
        self.words.write(json.dumps([name, *given]) + "\n")
        self.words.flush()
        return json.loads(self.answers.readline())


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    packages(ROOT / "web")
    node, bundle = str(node_folder() / "bin" / "node"), tmp_path_factory.mktemp("page") / "page.mjs"
    build = [node, "node_modules/esbuild/bin/esbuild", "--bundle", "--format=esm", "--loader=ts", f"--outfile={bundle}"]
    subprocess.run(build, cwd=ROOT / "web", input=EXPORTS, text=True, check=True, capture_output=True)
    run = [node, str(Path(__file__).parent / "page.mjs"), str(bundle)]
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Page(process.stdin, process.stdout)
        process.stdin.close()


@pytest.fixture
def check_deal(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the program in this process, and return what it says: nothing where the proof holds."""

    def run(document: Any, *words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["check_deal.py", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(document)))
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(PROGRAM))
        return str(ended.value.code or "")

    return run
