"""A disk that takes longer to confirm: every sync of this process and of all it starts waits some milliseconds more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SOURCE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static int later(const char *name, int file) {
    int (*sync)(int) = (int (*)(int)) dlsym(RTLD_NEXT, name);
    int outcome = sync(file);
    struct timespec wait = {0, MILLISECONDS * 1000000L};
    nanosleep(&wait, 0);
    return outcome;
}

int fsync(int file) { return later("fsync", file); }
int fdatasync(int file) { return later("fdatasync", file); }
"""


def run_again(milliseconds: int, folder: Path) -> None:
    """Run this program again from its beginning with such a disk."""
    library = folder / "slow_disk.so"
    words = [
        "cc",
        "-shared",
        "-fPIC",
        "-O2",
        f"-DMILLISECONDS={milliseconds}",
        "-x",
        "c",
        "-",
        "-o",
        str(library),
        "-ldl",
    ]
    subprocess.run(words, input=SOURCE.encode(), check=True)
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "LD_PRELOAD": str(library)})  # noqa: S606 - this program again, with the slow library
