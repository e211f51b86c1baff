"""Door: whether a table takes new bets; a table that closes lets its round conclude, and pays everyone out."""

from __future__ import annotations

from typing import Final, Literal

from letitride.engine import commands, faults
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.server.runtime.requests import NotNow
from letitride.server.tables.live_table import LiveTable

CLOSING: Final = "closing: "
"""How the reason of a table's record begins while it closes, so that a restart does not open it."""


class Door:
    """Whether a table takes bets; changed in the order of the commands."""

    def __init__(self, room: LiveTable) -> None:
        self._room = room
        record = room.record
        closing = record.reason.startswith(CLOSING)
        self.state: Literal["open", "closing", "closed"] = (
            "closed" if record.state == "closed" else "closing" if closing else "open"
        )

    def refuse(self, _: Table, command: commands.AnyCommand) -> Refusal | None:
        """Return why a table that closes does not take a command: it would bring new money into play."""
        if self.state == "open":
            return None
        match command:
            case commands.Sit() | commands.BuyChips() | commands.ExchangeVoucher() | commands.TakeBank():
                pass
            case commands.PlaceWagers() if command.wagers:
                pass
            case _:
                return None
        return Refusal("closing", "The table is closing: it takes no new bets.")

    async def close(self, who: str, why: str) -> None:
        """Take no new bet from now on; the table is closed when the round is over."""
        if self.state != "open":
            return
        room = self._room

        async def close() -> None:
            self.state = "closing"
            try:
                await room.keep_state("open", CLOSING + why, who=who, what="table.closing", why=why)
            except BaseException:
                self.state = "open"  # no one was told otherwise
                raise

        await room.host.run_between_commands(close)
        self._tell()

    async def open(self, who: str, why: str) -> None:
        """Take bets again."""
        room = self._room
        if room.table.phase == "closed":
            raise NotNow("expected a table that is not closed by the book, got one that is: open another")
        if self.state == "open":
            return

        async def open_() -> None:
            await room.keep_state("open", "", who=who, what="table.opened", why=why)
            self.state = "open"

        await room.host.run_between_commands(open_)
        self._tell()

    async def pay_out_and_close(self) -> None:
        """Pay everybody out and close the table, whose round is over."""
        room = self._room
        for number, seat in room.table.seats.items():
            if seat.player:
                await room.submit("house", "", commands.Leave(by=f"seat:{number}", seat=number))

        async def shut() -> None:
            if self.state == "closing" or room.table.phase == "closed":
                # read in its turn: the one who closes the table may have been waiting to say why
                reason = room.record.reason.removeprefix(CLOSING) or "closed by the book"
                await room.keep_state("closed", reason, who="house", what="table.closed", why=reason)
                self.state = "closed"

        await room.host.run_between_commands(shut)
        self._tell()

    def _tell(self) -> None:
        self._room.announce()
        self._room.host.wake()


def is_over(table: Table) -> bool:
    """Whether nothing of a round is left: no bets, no bank, no ruling to carry out."""
    busy = table.phase in faults.ROUND or table.phase == "ruling" or faults.is_mending(table)
    return not (busy or table.bank_stake or any(seat.wagers for seat in table.seats.values()))


def take_back(table: Table) -> commands.AnyCommand | None:
    """Return what gives back the next bet, or the bank, that no round will be dealt for."""
    for number, seat in table.seats.items():
        if seat.wagers:
            return commands.PlaceWagers(by=f"seat:{number}", seat=number, wagers={})
    if table.bank_stake:
        return commands.DeclineBank(by=f"seat:{table.bank_seat}", seat=table.bank_seat)
    return None
