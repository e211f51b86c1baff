"""The GPU's source run on a CPU: one thread after another, with the host's words made plain C."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from letitride.simulation import gpu
from letitride.simulation.game import BLOCK, Game
from letitride.simulation.tallies import Tallies

SHIM = """
#include <stdbool.h>
#define __global__
#define __launch_bounds__(x)
#define __syncthreads()
#define atomicAdd(place, value) ({ __typeof__(*(place)) held = *(place); *(place) += (value); held; })
typedef struct { unsigned x; } dim;
static dim threadIdx = {0}, blockDim = {1}, blockIdx = {0};
static unsigned int shared[1 << 16];
"""
LOOP = """
void run(const u32* p, const u8* o, const int* n, u64 seed, u64 first, u64 blocks, u64 left, u64* j, u64* b, u64* s
#ifdef LISTED
    , const int* h, const unsigned short* c, const u8* u, const u8* f, const int* a, const int* k, const int* m
#ifdef BACKS
    , const int* g, const u8* w
#define BACKS_ARGUMENTS , g, w
#else
#define BACKS_ARGUMENTS
#endif
    , u64* l, u64* q
#endif
#ifdef METERS
    , const u8* t, u64* x, u64 room, u64* y
#define METER_ARGUMENTS , t, x, room, y
#else
#define METER_ARGUMENTS
#endif
#ifdef POOLED
    , const long long* v, u64* z
#define POOLED_ARGUMENTS , v, z
#else
#define POOLED_ARGUMENTS
#endif
)
{
    for (u64 i = 0; i < blocks; i++) {
        blockIdx.x = i;
#ifdef LISTED
        tally(p, o, n, seed, first, blocks, left, j, b, s, h, c, u, f, a, k, m BACKS_ARGUMENTS, l, q METER_ARGUMENTS
              POOLED_ARGUMENTS);
#else
        tally(p, o, n, seed, first, blocks, left, j, b, s METER_ARGUMENTS POOLED_ARGUMENTS);
#endif
    }
}
"""


def count_by_source(folder: Path, game: Game, seed: int, block: int, rounds: int) -> Tallies:
    """Return the tallies of rounds from a block on, as the GPU's source counts them."""
    plain = gpu.source().replace('extern "C" ', "").replace("extern __shared__ u32 shared[];", "")
    file, library = folder / "kernel.c", folder / "kernel.so"
    file.write_text(SHIM + plain + LOOP, encoding="utf-8")
    defines = [f"-D{name}={value}" for name, value in gpu.defines(game, threads=1).items()]
    subprocess.run(["cc", "-O1", "-w", "-shared", "-fPIC", *defines, "-o", str(library), str(file)], check=True)
    nets, units = gpu.small_nets(game)
    of_listed = gpu.listed_sizes(game)
    counts = [np.zeros(size, np.uint64) for size in (2 * gpu.JOINT, 16, 6, *of_listed, *gpu.pooled_sizes(game))]
    numbers = [ctypes.c_uint64(number) for number in (seed, block, -(-rounds // BLOCK), rounds)]
    tables = [np.ascontiguousarray(table) for table in gpu.listed_tables(game)]
    takes, hits, written = _meters(game, rounds)
    ctypes.CDLL(str(library)).run(
        *map(_pointer, (game.packets, game.outcomes, nets)),
        *numbers,
        *map(_pointer, counts[:3]),
        *map(_pointer, tables),
        *map(_pointer, counts[3 : 3 + len(of_listed)]),
        *([] if takes is None else [_pointer(takes), _pointer(hits), ctypes.c_uint64(hits.size), _pointer(written)]),
        *map(_pointer, () if game.pooled is None else (game.pooled.wins, counts[-1])),
    )
    found = hits[: int(written[0])].astype(np.int64)
    return gpu.tallies_of(game, rounds, [part.astype(np.int64) for part in counts], units, found)


def _meters(game: Game, rounds: int) -> tuple[Any, Any, Any]:
    takes = None if game.takes is None else np.ascontiguousarray(game.takes.tables)
    return takes, np.zeros(rounds * game.seats * 2 if takes is not None else 0, np.uint64), np.zeros(1, np.uint64)


class OnCpu:
    """CuPy's words on NumPy, for a kernel that was compiled for the CPU."""

    uint64 = np.uint64

    def __init__(self, library: Path) -> None:
        self.run = ctypes.CDLL(str(library)).run

    def asarray(self, array: Any) -> Any:
        """Return an array of the device."""
        return np.ascontiguousarray(array).view(_OfDevice)

    def zeros(self, size: int, dtype: Any) -> Any:
        """Return zeros of the device."""
        return np.zeros(size, dtype).view(_OfDevice)

    empty = zeros

    def RawKernel(self, _source: str, _name: str, options: tuple[str, ...]) -> Any:  # noqa: N802 - CuPy's own name
        """Return a kernel; it is compiled already."""
        assert any(option.startswith("-DSEATS=") for option in options)
        return _Kernel(self.run)


class _OfDevice(np.ndarray):
    def get(self) -> Any:
        return np.array(self)


class _Kernel:
    def __init__(self, run: Any) -> None:
        self.run, self.max_dynamic_shared_size_bytes = run, 0

    def __call__(self, _grid: Any, _block: Any, arguments: tuple[Any, ...], shared_mem: int) -> None:
        assert shared_mem == self.max_dynamic_shared_size_bytes
        self.run(*(_pointer(one) if isinstance(one, np.ndarray) else ctypes.c_uint64(int(one)) for one in arguments))


def _pointer(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
