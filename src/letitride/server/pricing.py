"""Pricing: work of the analyser on a server, in threads of its own and little at a time; no table waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

PRICED_AT_ONCE: Final = 2
DRAWN_AT_ONCE: Final = 1
"""Pictures are drawn one at a time: how they look is set for the whole process."""

T = TypeVar("T")

_PRICING: Final = ThreadPoolExecutor(PRICED_AT_ONCE, thread_name_prefix="par")
_DRAWING: Final = ThreadPoolExecutor(DRAWN_AT_ONCE, thread_name_prefix="paper")


async def priced(act: Callable[[], T]) -> T:
    """Do what takes the processor long off the loop, and not too much of it at a time."""
    return await asyncio.get_running_loop().run_in_executor(_PRICING, act)


async def drawn(act: Callable[[], T]) -> T:
    """Do what makes a paper, which takes seconds: in a queue of its own, so that no figure waits for it."""
    return await asyncio.get_running_loop().run_in_executor(_DRAWING, act)
