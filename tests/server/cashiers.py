"""Cashiers: one of an operator's own, with money of its own, as a test puts in the place of ours."""

from __future__ import annotations


class Bank:
    """Holds 500 dollars for everybody, pays out 200 at most, and knows each reference once."""

    def __init__(self) -> None:
        self.held: dict[str, int] = {}
        self.done: dict[str, str] = {}
        self.calls: list[str] = []

    def balance(self, person: str) -> int | None:
        return self.held.get(person, 50_000)

    def deposit(self, person: str, cents: int, reference: str) -> str:
        self.calls.append(reference)
        if reference not in self.done:
            enough = cents <= (self.balance(person) or 0)
            self.held[person] = (self.balance(person) or 0) - (cents if enough else 0)
            self.done[reference] = "" if enough else "he has not got that much"
        return self.done[reference]

    def withdraw(self, person: str, cents: int, reference: str) -> str:
        self.calls.append(reference)
        if reference not in self.done:
            enough = cents <= 20_000
            self.held[person] = (self.balance(person) or 0) + (cents if enough else 0)
            self.done[reference] = "" if enough else "that much is paid at the desk"
        return self.done[reference]


def ours(_: str) -> Bank:
    """No factory: it needs an argument."""
    return Bank()
