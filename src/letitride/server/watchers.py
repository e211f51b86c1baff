"""Watchers: those who are shown a table; it holds what waits for them, and knows no network."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False, slots=True)
class Watcher:
    """Somebody who is shown a table; messages wait for him in order, and views only as the latest."""

    messages: asyncio.Queue[dict[str, Any]] = field(default_factory=lambda: asyncio.Queue(256))
