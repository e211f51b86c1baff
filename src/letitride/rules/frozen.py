"""Frozen: a mapping that never changes once made, so that published values stay what they are."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Frozen(dict[K, V]):
    """A dictionary that refuses to change; it can be copied, compared and pickled."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("published values never change; make a new mapping instead")

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = __ior__ = _refuse

    def __reduce__(self) -> tuple[type[Frozen[K, V]], tuple[dict[K, V]]]:
        return Frozen, (dict(self),)
