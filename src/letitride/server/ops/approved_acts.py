"""Approved acts: how what a second person has approved is carried out, once for each request; it approves nothing."""

from __future__ import annotations

import asyncio
from functools import partial

import msgspec

from letitride.server.ops import recovery
from letitride.server.ops.trays import Trays
from letitride.server.people.approval_records import Approval, CashWish, VoucherWish
from letitride.server.people.approvals import NotHere
from letitride.server.runtime.requests import NotNow, TableHalted, digest_of
from letitride.server.tables.house import House
from letitride.server.tables.money_orders import Moving, of_round
from letitride.server.tables.node_records import TableElsewhere
from letitride.server.tables.table_owner import CLOSED


def know_ways(house: House) -> None:
    """Tell a house how each act is carried out that is approved in it."""
    approvals = house.approvals
    approvals.carried_out_by("deposit", partial(_deposit, house))
    approvals.carried_out_by("withdrawal", partial(_withdraw, house))
    approvals.carried_out_by("voucher", partial(_issue, house))
    approvals.carried_out_by("award", partial(_command, house))
    approvals.carried_out_by("annulment", partial(_command, house))
    approvals.carried_out_by("void", partial(_void, house))
    approvals.carried_out_by("fill", Trays(house).carry_out)
    approvals.carried_out_by("credit", Trays(house).carry_out)


def both_names(approval: Approval) -> str:
    """Return the reason of an act with the person who approved it, as it goes on record."""
    return f"{approval.why}; approved by {approval.decided_by}"


async def _deposit(house: House, approval: Approval) -> None:
    wish = msgspec.json.decode(approval.wish, type=CashWish)
    person = await asyncio.to_thread(house.people.find, wish.name)
    await house.wallets.deposit(person, approval.cents, wish.reference, both_names(approval), approval.asked_by)


async def _withdraw(house: House, approval: Approval) -> None:
    wish = msgspec.json.decode(approval.wish, type=CashWish)
    person = await asyncio.to_thread(house.people.find, wish.name)
    await house.wallets.withdraw(person, approval.cents, wish.reference, both_names(approval), approval.asked_by)


async def _issue(house: House, approval: Approval) -> None:
    wish = msgspec.json.decode(approval.wish, type=VoucherWish)
    person = await asyncio.to_thread(house.people.find, wish.name)
    await house.vouchers.issue(
        person,
        approval.cents,
        wish.into,
        reference=wish.reference,
        days=wish.days,
        why=approval.why,
        who=approval.asked_by,
        approved_by=approval.decided_by,
    )


async def _command(house: House, approval: Approval) -> None:
    """Give the command of a supervisor at a table, in the asker's name, at the moment it has come to."""
    command = msgspec.json.decode(approval.wish, type=Moving)
    try:
        room = await house.room_here(approval.table)
        answer = await room.submit(
            f"{approval.table}/approvals",
            approval.id,
            command,
            said=digest_of(command),
            guard=of_round(approval.round) if approval.round else None,
            person=approval.asked_by,
            second=approval.decided_by,
        )
    except TableElsewhere as error:
        raise NotHere(str(error)) from None
    except TableHalted as error:
        if str(error) == CLOSED or not house.is_here(approval.table):
            raise NotHere(str(error)) from None
        raise
    if not answer.accepted:
        raise NotNow(answer.sentence)


async def _void(house: House, approval: Approval) -> None:
    """Set a halted table going with its round void."""
    try:
        await recovery.recover(house, approval.table, "void", who=approval.asked_by, why=both_names(approval))
    except TableElsewhere as error:
        raise NotHere(str(error)) from None
