"""Machines: no module of the package asks, while it is imported, for what Windows or macOS lacks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent

CHILD: Final = """
import importlib, json, os, pkgutil, signal, socket, sys
# What other people's packages import for this machine is theirs, and so it is there before it is taken away.
for name in json.load(sys.stdin):
    importlib.import_module(name)
lacking = {
    os: "O_CLOEXEC O_DIRECTORY WNOHANG fchmod fork geteuid getgid getloadavg getpgid getuid killpg posix_fadvise"
        " register_at_fork sched_getaffinity setsid statvfs sysconf uname waitid",
    signal: "SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGQUIT SIGTSTP SIGUSR1 SIGUSR2 SIGWINCH pthread_sigmask",
    socket: "AF_UNIX SO_REUSEPORT",
}
for module, names in lacking.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
sys.modules |= dict.fromkeys("curses fcntl grp pty pwd readline resource syslog termios tty uvloop".split())
import letitride
told = {}
for found in pkgutil.walk_packages(letitride.__path__, "letitride."):
    try:
        if found.name != "letitride.__main__":
            importlib.import_module(found.name)
    except Exception as error:
        told[found.name] = repr(error)
print(json.dumps(told))
"""
"""Imports every module where what only Unix or Linux has is missing."""

OTHERS: Final = (
    *(
        "asyncio",
        "concurrent.futures.process",
        "getpass",
        "multiprocessing.connection",
        "multiprocessing.shared_memory",
    ),
    *("platformdirs", "pydoc", "shutil", "subprocess", "tempfile", "webbrowser", "zipfile"),
    *("cryptography.x509", "distributed", "fastapi", "gymnasium", "jinja2", "matplotlib.pyplot", "numba", "pettingzoo"),
    *("prometheus_client", "psycopg", "pyarrow.parquet", "rich.console", "sqlalchemy", "textual.app", "typer", "typst"),
    *("uvicorn", "websockets.asyncio.client", "fsrs", "icu", "argon2", "zxcvbn_rs_py", "httptools"),
)
"""Libraries that have branches of their own for each system."""


def test_every_module_is_imported_where_there_is_nothing_of_unix() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHILD], input=json.dumps(OTHERS), capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    assert {} == json.loads(done.stdout)
