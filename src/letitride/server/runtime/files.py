"""Files: how many files and connections this process may hold open; asks for as many as it can have."""

from __future__ import annotations

import sys
from typing import Final

WANTED: Final = 65_536
"""More than any server of ours needs."""


def files_allowed() -> int:
    """Return how many files may be open at one time, after asking for as many as an administrator allows."""
    if sys.platform == "win32":  # there is no such limit for sockets
        return WANTED
    import resource  # noqa: PLC0415 - Windows has none

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = WANTED if hard == resource.RLIM_INFINITY else min(hard, WANTED)
    if soft != resource.RLIM_INFINITY and soft < most:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (OSError, ValueError):  # some systems have another limit beside this one
            return soft
        return most
    return most if soft == resource.RLIM_INFINITY else soft
