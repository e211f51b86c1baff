"""A process that writes to a store until it is killed, and says after each write that it is confirmed."""

from __future__ import annotations

import sys

from letitride.ledger.transfers import Transfer
from letitride.storage.roles.journal import Ack, Written
from letitride.storage.urls import open_store
from tests.storage.helpers import write


def main(url: str) -> None:
    store = open_store(url)
    while True:
        batch = []
        for table_id in ("t1", "t2"):
            head = store.journal.last(table_id)
            ack = Ack("client", f"{table_id}-{head.number + 1}", b"done")
            batch.append(write(head, table_id, transfers=[Transfer("tray", "stack:1", 1)], acks=[ack]))
        for outcome in store.journal.append(batch):
            assert isinstance(outcome, Written)
        sys.stdout.write(f"{outcome.number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
