"""Version: which letitride this is; nothing else."""

from __future__ import annotations

__version__ = "0.1.0"
