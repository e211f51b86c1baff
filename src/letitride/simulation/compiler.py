"""Compiler: Numba for the kernels; where there is none, a sentence says how to install it."""

from letitride.extras import explained

try:
    from numba import njit
except ImportError as error:
    raise explained("simulation", error) from None

__all__ = ["njit"]
