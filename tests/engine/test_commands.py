"""Commands: what is meant where a command leaves something out."""

from __future__ import annotations

from msgspec.structs import replace

from letitride.engine import commands, places
from letitride.engine.decide import play
from letitride.engine.refusal import Refusal
from letitride.engine.state import Sign, Table
from letitride.ledger import accounts
from tests.engine.recorded import at, by_another

NSW = "new-south-wales"


def done(table: Table, command: commands.AnyCommand) -> Table:
    after, outcome = play(table, command)
    assert not isinstance(outcome, Refusal), outcome
    return after


def test_a_voucher_is_exchanged_for_tokens() -> None:
    plain = commands.ExchangeVoucher(by="seat:4", seat=4, cents=700)
    assert replace(plain, into="tokens") == plain
    assert done(at(NSW, "betting"), plain).cents(accounts.tokens(4)) == 700


def test_an_order_that_names_no_deck_is_about_the_one_in_play_and_without_times_about_midnight() -> None:
    first = at("manufacturer", "betting")
    other = {places.NEST: first.at(places.RACK), places.RACK: first.at(places.NEST)}
    for deck, table in ((1, first), (2, replace(first, cards=other))):
        after = done(table, commands.Order(by="casino_supervisor", kind="change_deck"))
        assert [deck, deck] == [step.number for step in after.agenda]
    table = by_another(at(NSW, "betting"), close__notice_minutes=0)
    assert done(table, commands.Order(by="casino_supervisor", kind="announce_closing")).signs == {"closing": Sign(0, 0)}
