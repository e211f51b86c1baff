"""Own rounds: the result and the value of a player's hand of a round, as that player saw it; reads no journal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from letitride.analysis.exact import Exact
from letitride.engine import places
from letitride.engine.state import Ruling, Table
from letitride.engine.view import is_told, seat_view
from letitride.records.rounds import PlayedRound
from letitride.rules.cards import JOKER, Card
from letitride.rules.hands import Reading, evaluate, reading
from letitride.rules.settlement import Fate
from letitride.rules.wager_table import BASE, bet_name
from letitride.training.coach import Judged, Made, judge
from letitride.training.coach_data import Side

Outcome = Literal["won", "lost", "even"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnWager:
    """A wager and its result."""

    wager: str
    title: str
    """What the bet is called on the felt."""
    stake_cents: int
    fate: Fate
    paid_cents: int
    net_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDecision:
    """A decision the player made; values are average results of the base bets in cents."""

    bet: int
    chosen: Side
    best: Side | Literal[""] = ""
    """Empty: the player had not looked at the cards, and nothing is said."""
    even: bool = False
    stake_cents: int = 0
    ride: Exact | None = None
    withdraw: Exact | None = None
    cost: Exact | None = None
    """What it gave away."""
    holding: str = ""
    """The class of the cards by its code: high_pair, suited:2:1 (ways, high cards)."""
    rule: str = ""
    """The code of the rule that lets it ride; empty: none does, so it is taken back."""

    @property
    def is_mistake(self) -> bool:
        """Whether it gave something away."""
        return self.cost is not None and self.cost.value > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRuling:
    """What was ruled or ordered in the round, as far as the player was told; without names and remarks."""

    name: str
    sentence: str
    seat: int
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """What a hand's wagers were worth, in cents; the variance in cents squared."""

    expected: Exact
    """The average result of the wagers before a card is dealt, with best play."""
    variance: Exact
    mistakes: Exact
    """What the player's own decisions gave away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRound:
    """One hand of one round of one player."""

    table: str
    round: int
    seat: int
    status: Literal["settled", "void"]
    began_ms: int
    ended_ms: int
    book: str
    book_title: str
    paytable: str
    result_cents: int
    """What the player won or lost in all, the fee considered."""
    wagers: tuple[OwnWager, ...] = ()
    fee_cents: int = 0
    bank_stake_cents: int = 0
    bank_net_cents: int = 0
    """What the player won or lost as the bank of the round, before the fee."""
    cards: tuple[str, ...] = ()
    """The player's own cards, once they had seen them."""
    community: tuple[str, ...] = ()
    hand: int = -1
    """The category of the five cards, as its number; -1: they were not all seen."""
    reading: Reading | None = None
    decisions: tuple[OwnDecision, ...] = ()
    worth: Worth | None = None
    """Nothing where the wagers were not played out or cannot be priced."""
    rulings: tuple[OwnRuling, ...] = ()

    @property
    def key(self) -> tuple[int, str, int, int]:
        """Where it stands among a player's rounds, the oldest first."""
        return self.ended_ms, self.table, self.round, self.seat

    @property
    def base_cents(self) -> int:
        """One base bet."""
        return next((one.stake_cents for one in self.wagers if one.wager in BASE.spots), 0)

    @property
    def wagers_cents(self) -> int:
        """The result of the wagers, before the fee."""
        return sum(one.net_cents for one in self.wagers)

    @property
    def wagered_cents(self) -> int:
        """The bets that stayed at risk to the end."""
        return sum(one.stake_cents for one in self.wagers if one.fate in {"won", "lost", "forfeited"})

    @property
    def outcome(self) -> Outcome:
        """Whether it was won or lost."""
        return "won" if self.result_cents > 0 else "lost" if self.result_cents < 0 else "even"

    @property
    def mistakes(self) -> int:
        """How many decisions gave something away."""
        return sum(made.is_mistake for made in self.decisions)


def own_rounds(one: PlayedRound, table_id: str, names: frozenset[str]) -> tuple[OwnRound, ...]:
    """Return a player's hands of a round that is over; none where they neither bet nor banked."""
    mine = (seat for seat, name in one.players.items() if name in names)
    return tuple(_own(one, table_id, seat) for seat in mine if one.results.get(seat) or _bank_stake(one, seat))


def _own(one: PlayedRound, table_id: str, seat: int) -> OwnRound:
    rules, judged = one.last.rules, judge(one, seat)
    cards, community = _seen(one, seat)
    faces = [Card.parse(card) for card in (*cards, *community)]
    is_whole = len(set(faces)) == 5 and JOKER not in faces
    value = evaluate(faces) if is_whole else None
    results, banked = one.results.get(seat, ()), _bank_stake(one, seat)
    bank_net, fee = _bank_net(one) if banked else 0, 0 if one.status == "void" else one.last.seats[seat].fee_cents
    return OwnRound(
        table=table_id,
        round=one.number,
        seat=seat,
        status="void" if one.status == "void" else "settled",
        began_ms=one.began_ms,
        ended_ms=one.ended_ms,
        book=rules.book.id,
        book_title=rules.book.title,
        paytable=rules.paytables[BASE.id],
        wagers=tuple(
            OwnWager(
                wager=result.wager,
                title=bet_name(result.wager, rules.by_spot),
                stake_cents=result.stake_cents,
                fate=result.fate,
                paid_cents=result.paid_cents,
                net_cents=result.net_cents,
            )
            for result in results
        ),
        result_cents=sum(result.net_cents for result in results) + bank_net - fee,
        fee_cents=fee,
        bank_stake_cents=banked,
        bank_net_cents=bank_net,
        cards=cards,
        community=community,
        hand=-1 if value is None else int(value.category),
        reading=None if value is None else reading(value),
        decisions=tuple(map(_decided, judged.decisions)) if judged else (),
        worth=None if judged is None else _worth(judged),
        rulings=tuple(_rulings(one, seat)),
    )


def _decided(made: Made) -> OwnDecision:
    choice, decision, cost = made
    if decision is None:
        return OwnDecision(bet=choice.bet, chosen=choice.choice)
    return OwnDecision(
        bet=choice.bet,
        chosen=choice.choice,
        best=decision.best,
        even=decision.value.gain == 0,
        stake_cents=decision.stake_cents,
        ride=Exact.of(decision.value.ride * decision.stake_cents),
        withdraw=Exact.of(decision.value.withdraw * decision.stake_cents),
        cost=Exact.known(cost),
        holding=decision.value.feature.name,
        rule=decision.rule_code,
    )


def _worth(judged: Judged) -> Worth:
    hoped = judged.hoped
    return Worth(expected=Exact.of(hoped.mean), variance=Exact.of(hoped.variance), mistakes=Exact.of(judged.mistakes))


def _bank_stake(one: PlayedRound, seat: int) -> int:
    return one.bank[1] if one.bank is not None and one.bank[0] == seat else 0


def _bank_net(one: PlayedRound) -> int:
    """What the bank won: all that the other seats lost to it."""
    return -sum(result.net_cents for results in one.results.values() for result in results)


def _seen(one: PlayedRound, seat: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the player's three cards, where they were shown to them, and the community cards as they were turned."""
    cards: tuple[str, ...] = ()
    community: tuple[str, ...] = ()
    turned: dict[str, None] = {}
    for moment in one.moments:
        table = moment.after
        lie = _turned(table)
        turned |= dict.fromkeys(lie)
        community = lie if len(lie) >= len(community) else community
        if len(table.at(places.hand(seat))) == 3:
            shown = seat_view(table, table.seats[seat], f"seat:{seat}").cards
            cards = cards if any(card.startswith("[") for card in shown) else tuple(shown)
    return cards, tuple(card for card in turned if card in community)


def _turned(table: Table) -> tuple[str, ...]:
    """Return the community cards that lie face up."""
    return tuple(str(card.face) for place in places.COMMUNITY for card in table.at(place) if card.up)


def _rulings(one: PlayedRound, seat: int) -> list[OwnRuling]:
    return [
        OwnRuling(name=ruling.name, sentence=ruling.sentence, seat=ruling.seat, clauses=ruling.clauses)
        for moment in one.moments
        for event in moment.events
        if isinstance(ruling := getattr(event, "ruling", None), Ruling)
        and is_told(moment.after, ruling, f"seat:{seat}")
    ]
