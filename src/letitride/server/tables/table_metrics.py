"""Table metrics: how many tables a server has and how they stand, for Prometheus; never a card or a name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from letitride.server.tables.live_table import LiveTable


class TableMetrics(Collector):
    """What the tables themselves say when they are asked: nothing has to be kept up to date."""

    def __init__(self, rooms: Callable[[], Mapping[str, LiveTable]]) -> None:
        self._rooms = rooms

    def collect(self) -> Iterator[Metric]:
        rooms = list(self._rooms().values())
        phases = Counter("halted" if room.host.halted else room.table.phase for room in rooms)
        tables = GaugeMetricFamily("letitride_tables", "Tables owned by this node, by phase.", labels=["phase"])
        for phase, number in sorted(phases.items()):
            tables.add_metric([phase], number)
        yield tables
        yield GaugeMetricFamily(
            "letitride_halted_tables", "Tables of this node that are halted.", value=phases.get("halted", 0)
        )
        seated = sum(bool(seat.player) for room in rooms for seat in room.table.seats.values())
        yield GaugeMetricFamily("letitride_seated", "Seats that are taken.", value=seated)
