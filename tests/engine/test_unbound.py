"""A deck that is bound last: whatever is played comes to the same, though no card has a face before the first is out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from letitride.autoplay.loop import next_act
from letitride.autoplay.steps import plain
from letitride.engine import commands, events, evolve, places
from letitride.engine.decide import decide, open_table, play
from letitride.engine.mixing import needed
from letitride.engine.places import CardObject
from letitride.engine.promises import PromiseBroken, bound_before_dealt, play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.steps import KINDS
from letitride.records.exported import record_of, same_results, whole
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.records.retold import command_of
from letitride.records.rounds import Moment, cut
from letitride.rules.cards import FACES
from tests.autoplay.at_work import HOUSES, bot, dealer, seated
from tests.engine.late import bound_late
from tests.records.moments import RECORDS, name_of, played, replayed

Cards = Mapping[str, object]


def faced(table: Table, unbound: Mapping[int, object]) -> Cards:
    """Return where the cards lie, those without faces in no order."""

    def lying(held: tuple[CardObject, ...]) -> object:
        return frozenset(held) if any(card.deck in unbound for card in held) else held

    return {place: lying(held) for place, held in table.cards.items()}


def alike(table: Table, late: Table) -> bool:
    """Whether a table with decks bound last is as the other, but for what lies where in a deck without faces."""
    plain = msgspec.structs.replace(late, version=table.version, unbound={}, cards=table.cards)
    return plain == table and faced(late, late.unbound) == faced(table, late.unbound)


FIRST_ASTRAY = ("drawn-card", "stray-hand")
"""The first card leaves the deck by a mishap, which tells no order."""
IN_ORDER = [path for path in RECORDS if not path.parent.name.startswith(FIRST_ASTRAY)]


@pytest.mark.parametrize("path", IN_ORDER, ids=name_of)
def test_what_is_played_comes_to_the_same_with_its_decks_bound_last(path: Path) -> None:
    steps = played(replayed(path))
    for one, late in zip(steps, bound_late(path), strict=True):
        assert alike(one.after, late.after)
        assert decide(late.start, command_of(late.start, late.by, late.events)) == late.events


@pytest.mark.parametrize("path", [path for path in IN_ORDER if path.stem in {"nsw-1", "shufflemaster-1"}], ids=name_of)
def test_a_record_tells_a_deck_that_was_bound_last_as_mixed_in_that_order(path: Path) -> None:
    opened, happened = open_table(played(replayed(path))[0].before.rules)
    moments = [Moment(1, 0, "house", happened, None, opened), *bound_late(path)]
    for one in cut(moments):
        assert same_results(one, replay(read_record(record_of(one, lambda: moments).text)).outcomes[0])
    told = replay(read_record("\n".join(whole(moments)) + "\n"))
    assert [(one.status, one.results) for one in told.outcomes] == [(one.status, one.results) for one in cut(moments)]


@pytest.fixture(params=HOUSES)
def open_deck(request: pytest.FixtureRequest) -> Table:
    """A table whose first card is to be dealt, from a deck without faces."""
    table = seated(request.param, 1, 2)
    parties = (dealer(), bot(table, 1), bot(table, 2))
    while (step := table.next_step) is None or needed(table, step) != "order" or KINDS[step.kind].needs == "order":
        act = next_act(table, *parties)
        assert act is not None
        if isinstance(act, commands.Do) and act.order:
            act = msgspec.structs.replace(act, order=(), unbound=True)
        table, outcome = play(table, act)
        assert not isinstance(outcome, Refusal), outcome
    return table


def first_card(table: Table, **brought: Any) -> commands.Do:
    """Return the command for the first card."""
    assert table.next_step is not None
    return msgspec.structs.replace(plain(table.next_step), **brought)


def test_the_first_card_is_not_dealt_without_an_order_of_the_whole_deck(open_deck: Table) -> None:
    short, twice = FACES[1:], (FACES[1], *FACES[1:])
    for brought in ({}, {"order": short}, {"order": twice}, {"order": (*short, "Joker*")}, {"unbound": True}):
        after, refusal = play(open_deck, first_card(open_deck, **brought))
        assert isinstance(refusal, Refusal)
        assert (after, refusal.code) == (open_deck, "bad_order")


def test_the_first_card_and_the_order_of_its_deck_are_one_act_of_the_table(open_deck: Table) -> None:
    order = tuple(reversed(FACES))
    after, happened = play(open_deck, first_card(open_deck, order=order))
    assert not isinstance(happened, Refusal)
    deck = open_deck.at(places.READY)[0].deck
    assert happened[0] == events.FacesBound(deck=deck, order=order)
    out = [card for number in after.seats for card in after.at(places.hand(number))]
    assert [str(card.face) for card in (*out, *after.at(places.READY))] == list(order)
    assert deck not in after.unbound
    again, refusal = play(after, first_card(after, order=order))
    assert isinstance(refusal, Refusal)
    assert (again, refusal.code) == (after, "not_needed")


def test_the_cuts_of_a_deck_without_faces_are_kept_until_it_has_them(open_deck: Table) -> None:
    cuts = open_deck.unbound[open_deck.at(places.READY)[0].deck]
    demanded = open_deck.rules.rules.cut.who == "dealer"
    assert len(cuts) == demanded
    assert all(open_deck.rules.rules.cut.cards_min <= cut <= 51 for cut in cuts)


def test_a_card_goes_astray_only_from_a_deck_with_faces(open_deck: Table) -> None:
    _, refusal = play(open_deck, commands.Mishap(by="table", kind="drawn"))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "not_now"


def test_the_rest_of_a_deck_is_never_mixed_without_an_order() -> None:
    steps = (one for path in RECORDS for one in played(replayed(path)))
    mixed = next(one for one in steps if getattr(one.command, "kind", "") == "mix_rest")
    assert isinstance(mixed.command, commands.Do)
    _, refusal = play(mixed.before, msgspec.structs.replace(mixed.command, order=(), unbound=True))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "bad_order"


def test_a_promise_holds_that_no_card_is_dealt_before_its_deck_is_bound(
    open_deck: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    after, happened = play(open_deck, first_card(open_deck, order=FACES))
    assert not isinstance(happened, Refusal)
    forged = msgspec.structs.replace(after, unbound=open_deck.unbound)
    with pytest.raises(PromiseBroken, match="before its deck is bound"):
        bound_before_dealt(forged)
    monkeypatch.setattr(evolve, "_without", lambda unbound, _deck: unbound)
    with pytest.raises(PromiseBroken, match="before its deck is bound"):
        play_checked(open_deck, first_card(open_deck, order=FACES))
