"""Audits the locks for known vulnerabilities by pip-audit, where a service that knows them answers; changes nothing."""

from __future__ import annotations

import json

from scripts.fresh import ROOT, Failed, NotTried, must, report, run

LOCKS = ("run", "build", "tools")
"""What servers run, what builds the wheel, and what writes the locks; floors and tests serve no one."""


def trial() -> str:
    """Ask about every package of the locks."""
    must("make", "--silent", "build/tools/.installed")
    audit = ROOT / "build" / "tools" / "bin" / "pip-audit"
    words = ("--progress-spinner", "off", "--disable-pip", "--no-deps", "--format", "json")
    known: dict[str, list[str]] = {}
    for lock in (f"requirements-{kind}.lock" for kind in LOCKS):
        done = run(audit, *words, "--requirement", lock)
        if not done.stdout.startswith("{"):
            said = done.stderr.strip().splitlines() or ["nothing was said"]
            raise NotTried(f"expected a service that knows vulnerabilities, got none that answers: {said[-1]}")
        for package in json.loads(done.stdout)["dependencies"]:
            if why := package.get("skip_reason"):
                raise NotTried(f"expected a service that knows vulnerabilities, got none that answers: {why}")
            known[f"{package['name']} {package['version']}"] = [one["id"] for one in package["vulns"]]
    if bad := [f"{name}: {', '.join(ids)}" for name, ids in known.items() if ids]:
        raise Failed("expected no known vulnerability, got\n  " + "\n  ".join(bad))
    return f"{len(known)} packages, none with a known vulnerability"


if __name__ == "__main__":
    report(trial)
