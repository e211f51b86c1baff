"""Reader threads: reading from the store in threads of the tables' own; never a write."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

_READING: Final = ThreadPoolExecutor(4, thread_name_prefix="tables")
"""No flood of requests makes a table wait for its turn to read."""

T = TypeVar("T")


async def read_in_thread(act: Callable[..., T], *given: object) -> T:
    """Return what a reading comes to, while the event loop goes on."""
    return await asyncio.get_running_loop().run_in_executor(_READING, act, *given)
