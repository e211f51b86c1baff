"""Version: which letitride this is; nothing else."""

from __future__ import annotations

__version__ = "1.0.0rc1"
