"""Heaps: the threads of a server share the C library's heaps, so that not each of them keeps one of its own."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from letitride.server.runtime.heaps import HEAPS

THREADS = """
import ctypes, sys, threading
from letitride.server.runtime.heaps import limit_heaps
limit_heaps()
together = threading.Barrier(9)
def hold() -> None:
    held = bytearray(2_000)  # too large for the interpreter's own store of small things
    together.wait()
    together.wait()
for _ in range(8):
    threading.Thread(target=hold).start()
together.wait()
c = ctypes.CDLL(None)
c.fopen.restype = ctypes.c_void_p
told = ctypes.c_void_p(c.fopen(sys.argv[1].encode(), b"w"))
c.malloc_info(0, told)
c.fclose(told)
together.wait()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library has other heaps")
def test_eight_threads_have_no_more_heaps_than_a_server_allows(tmp_path) -> None:
    told = tmp_path / "heaps.xml"
    subprocess.run([sys.executable, "-c", THREADS, str(told)], check=True, timeout=60)
    assert told.read_text(encoding="ascii").count("<heap nr=") <= HEAPS
