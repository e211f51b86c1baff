"""The long proofs as a command: what is printed of one that failed, and what is left of one that the budget cut."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from scripts import prove


def python(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def test_a_proof_that_failed_is_told_with_its_command_its_beginning_and_its_end() -> None:
    program = "import sys; print('a loss'); sys.stderr.write('first ' + 'x' * 9_000 + ' last\\n'); sys.exit(3)"
    with pytest.raises(prove.ProofFailed) as failed:
        prove.run(python(program), 300, PYTEST_TIMEOUT="0").must_pass()
    told = failed.value.told(1_000)
    assert told.startswith("run it again: PYTEST_TIMEOUT=0 python -c ")
    assert "\nfirst xxx" in told
    assert told.endswith("xxx last\na loss\n\nexit code 3")
    assert len(told) < 1_300


def test_a_proof_ended_by_a_signal_says_which() -> None:
    with pytest.raises(prove.ProofFailed, match="ended by SIGKILL"):
        prove.run(python("import os; os.kill(os.getpid(), 9)"), 300).must_pass()


def test_a_proof_that_the_budget_cuts_is_cut_and_not_failed() -> None:
    with pytest.raises(prove.ProofCut, match="it had 0 s"):
        prove.run(python("import time; time.sleep(3600)"), 0.01)


def test_a_proof_that_lacks_a_package_index_is_neither_held_nor_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prove, "run", lambda *_: prove.Done(["x"], {}, 75, "", "no index answers\n"))
    monkeypatch.setattr(prove, "PROOFS", {"floors hold": prove.floors_hold, "two": lambda _: "all there"})
    monkeypatch.setattr(sys, "argv", ["prove", "--minutes", "5"])
    with pytest.raises(SystemExit) as ended:
        prove.main()
    assert 0 == ended.value.code
    said = capsys.readouterr().out
    assert "UNTRIED floors hold: no index answers\n" in said
    assert "1 held, 0 failed, 0 cut by the budget of 5 minutes, 1 not tried here" in said


def test_a_proof_that_is_cut_clears_up_after_itself(tmp_path: Path) -> None:
    cleared = tmp_path / "cleared"
    program = (
        "import pathlib, subprocess, time\n"
        "left = subprocess.Popen(['sleep', '3600'])\n"
        "try:\n    print(left.pid, flush=True); time.sleep(3600)\n"
        f"finally:\n    pathlib.Path({str(cleared)!r}).touch()"
    )
    process = subprocess.Popen(
        python(program), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert process.stdout is not None
    left = psutil.Process(int(process.stdout.readline()))
    prove._end(process)
    process.stdout.close()
    assert cleared.exists()
    psutil.wait_procs([left], timeout=300)
    assert not left.is_running() or left.status() == psutil.STATUS_ZOMBIE


def test_all_that_failed_is_said_once_more_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(_: float) -> str:
        raise prove.ProofFailed("lost: 17\n" + "y" * 5_000 + "\nthe reason", "python -m one")

    def cuts(_: float) -> str:
        raise prove.ProofCut("no time")

    proofs = {"one": fails, "two": lambda _: "all there", "three": cuts, "four": fails}
    monkeypatch.setattr(prove, "PROOFS", proofs)
    monkeypatch.setattr(sys, "argv", ["prove", "--minutes", "5"])
    with pytest.raises(SystemExit) as ended:
        prove.main()
    assert 1 == ended.value.code
    end = capsys.readouterr().out[-3_000:]
    assert "1 held, 2 failed, 1 cut by the budget of 5 minutes" in end
    for name in ("one", "four"):
        assert f"FAILED  {name}\nrun it again: python -m one\nlost: 17\nyyy" in end
    assert end.endswith("the reason\n")
