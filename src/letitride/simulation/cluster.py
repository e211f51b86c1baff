"""Cluster: chunks handed to Dask workers; a worker that dies loses nothing, for its chunks are done again elsewhere."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from letitride.errors import InvalidData, LetItRideError
from letitride.extras import explained
from letitride.rules.words import show_value
from letitride.simulation.jobs import Chunk, Job, T
from letitride.version import __version__

CONNECT: Final = 5
"""Seconds to find the scheduler in."""
START: Final = 60
"""Seconds to wait for a first worker."""
PATIENCE: Final = 300
"""Seconds without a single worker, after which a run gives up: one that died may take minutes to be replaced."""
RETRIES: Final = 10
AHEAD: Final = 4
"""Chunks for each thread that are handed out at once."""

_ADDRESS: Final = re.compile(r"(?:[a-z]+://)?[^\s/]+:[0-9]+|inproc://\S+")
"""A host and its port, with the protocol before it, or a scheduler of the same process."""


@contextmanager
def connected(address: str, patience: float = START) -> Iterator[Any]:
    """Yield a client of the cluster at an address, whose workers must have this version of letitride."""
    try:
        from distributed import Client  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise explained("--cluster", error) from None
    if not _ADDRESS.fullmatch(address):  # Dask would look for it at length, and leave a thread behind
        raise InvalidData(
            f"expected a Dask scheduler such as 'tcp://10.0.0.5:8786' after --cluster, got {show_value(address)}"
        )

    class Connecting(Client):  # type: ignore[misc]  # it has no types
        """Takes whatever it cannot read for no scheduler: Dask closes a client for this kind of failure alone."""

        async def _ensure_connected(self, timeout: float | None = None) -> None:
            try:
                await super()._ensure_connected(timeout=timeout)
            except (ImportError, OSError):
                raise
            except Exception as error:
                raise OSError("an answer that is none of Dask's") from error

    try:
        client = Connecting(address, timeout=CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise InvalidData(f"expected a Dask scheduler at '{address}' after --cluster, got {_short(error)}") from None
    try:
        _check(client, address, patience)
        yield client
    finally:
        client.close(timeout=5)


def _check(client: Any, address: str, patience: float) -> None:
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError:
        raise InvalidData(f"expected a worker at '{address}', got none in {patience:g} seconds") from None
    found: dict[str, str] = client.run(_version)
    if other := {worker: version for worker, version in found.items() if version != __version__}:
        worker, version = next(iter(other.items()))
        raise InvalidData(f"expected letitride {__version__} on every worker, got {version} on {worker}")


def _version() -> str:
    return __version__


def _short(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def on_cluster(
    job: Job[T], start: int, client: Any, pulse: Callable[[], None] = lambda: None, patience: float = PATIENCE
) -> Iterator[tuple[Chunk, T]]:
    """Yield what comes of each chunk, in order, whichever worker did it; `pulse` is called while waiting."""
    # A task and not scattered data: what a task gave can be made again when the last worker that held it is gone.
    shared = client.submit(_same, job.shared, pure=False, retries=RETRIES)
    threads: Callable[[], int] = lambda: sum(client.nthreads().values())  # noqa: E731 - workers come and go
    waiting: deque[tuple[Chunk, Any]] = deque()
    todo = job.chunks(start)
    try:
        while True:
            for chunk in todo:
                done = client.submit(job.function, shared, *job.arguments, chunk, retries=RETRIES, pure=False)
                waiting.append((chunk, done))
                if len(waiting) >= AHEAD * max(threads(), 1):
                    break
            if not waiting:
                return
            chunk, first = waiting.popleft()
            yield chunk, _result(first, client, patience, pulse)
    finally:
        with suppress(Exception):  # the scheduler may be gone
            client.cancel([future for _, future in waiting])


def _same(shared: Any) -> Any:
    return shared


def _result(future: Any, client: Any, patience: float, pulse: Callable[[], None]) -> Any:
    """Return a result; give up when there is no worker for too long, or the cluster is gone."""
    waited = 0.0
    while True:
        pulse()
        try:
            return future.result(timeout=1)
        except TimeoutError:
            try:
                waited = 0.0 if client.nthreads() else waited + 1
            except Exception as error:
                raise InvalidData(f"expected the cluster to go on, got {_short(error)}") from None
            if waited >= patience:
                raise InvalidData(f"expected a worker to go on with, got none in {patience:g} seconds") from None
        except LetItRideError:
            raise
        except Exception as error:  # whatever a worker or the scheduler died of
            # Dask trips over its own variable when a worker dies while its result is fetched; the result is made again.
            if isinstance(error, UnboundLocalError) and future.status != "error" and waited < patience:
                waited += 1
                time.sleep(1)
                continue
            raise InvalidData(f"expected the cluster to do a chunk, got {_short(error)}") from None
