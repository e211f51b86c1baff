"""Client: a house over the network, from Python: people, tables, decisions, proofs; needs the extra `client`."""

from letitride.client.house import House, HouseRefused
from letitride.client.table import TableClosed, TableConnection

__all__ = ["House", "HouseRefused", "TableClosed", "TableConnection"]
