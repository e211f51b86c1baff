"""Environments: tells Gymnasium of the game's environment, whichever of the two is imported first; it loads neither."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Final

ENV_ID: Final = "LetItRide-v1"
_REGISTRATION: Final = "gymnasium.envs.registration"


def register_environments() -> None:
    """Register the environment with Gymnasium: now where that is loaded, else as soon as it is."""
    registration = sys.modules.get(_REGISTRATION)
    if registration is not None:
        _register(registration)
    elif not any(isinstance(finder, _Awaited) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Awaited())


def _register(registration: ModuleType) -> None:
    if ENV_ID not in registration.registry:
        registration.register(
            ENV_ID,
            entry_point="letitride.rl.env:LetItRideEnv",
            vector_entry_point="letitride.rl.vector:LetItRideVectorEnv",
        )


class _Awaited(MetaPathFinder):
    """Waits for Gymnasium's registry to be imported, and finds nothing else."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _REGISTRATION:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader) and spec.origin is not None:
            spec.loader = _Registering(fullname, spec.origin)
        return spec


class _Registering(SourceFileLoader):
    """Loads Gymnasium's registry, and registers the environment there."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        _register(module)
