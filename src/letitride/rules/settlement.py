"""Settlement: the result of every wager of a round, as a pure function; never who is paid first at a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal, assert_never

from letitride.errors import InvalidData
from letitride.rules.arguments import cards as cards_of
from letitride.rules.arguments import cents as whole_cents
from letitride.rules.arguments import instance, mapping, refuse_twice, sequence, whole
from letitride.rules.cards import Card
from letitride.rules.hands import Category, HandValue, evaluate, made_category
from letitride.rules.paytables import Pays
from letitride.rules.rankings import AnyCategory
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE, BASE_SPOTS
from letitride.rules.wagers import HANDS_MAX, Wager
from letitride.rules.words import one_of, show_value

Spot = str
"""The name of a spot in records and journals: one of the three of the base game, or another wager's id."""
Fate = Literal["won", "lost", "withdrawn", "returned", "void", "forfeited"]


@dataclass(frozen=True, slots=True)
class Hand:
    """One seat's part in a round: its three cards and its stakes in cents, by wager."""

    seat: int
    cards: tuple[Card, ...]
    stakes: Mapping[Spot, int]
    withdrawn: frozenset[Spot] = frozenset()
    void: frozenset[Spot] = frozenset()
    """The side bets returned by a ruling, while the hand plays on."""
    player: str = ""
    """Who plays it; two hands may be one player's. Where that is not known, each hand is a player's own."""


@dataclass(frozen=True, slots=True)
class WagerResult:
    """The result of one wager. `paid_cents` is what is paid on top of, or for a total award instead of, the stake.

    A bet that is lost is paid where another player's hand gives it envy: that is all of it.
    """

    wager: Spot
    stake_cents: int
    fate: Fate
    paid_cents: int = 0
    back_cents: int = 0
    """How much of the stake is returned to the player."""

    @property
    def envy_cents(self) -> int:
        """What a bet that is lost is paid for another player's hand."""
        return self.paid_cents if self.fate == "lost" else 0

    @property
    def net_cents(self) -> int:
        """What the player won or lost by it."""
        return self.paid_cents + self.back_cents - self.stake_cents


Results = dict[int, tuple[WagerResult, ...]]
Takes = dict[str, dict[int, tuple[int, bool]]]
"""What seats take of meters in a round, by wager, then by seat: the cents, and whether it was all there was."""


def settle_round(table: TableRules, community: Sequence[Card], hands: Sequence[Hand], awards_hands: int = 0) -> Results:
    """Return every wager's result, by seat, for a round played to its end with the house as the bank.

    `awards_hands` is how many hands the awards on show are for, where that was fixed before a hand was void. What
    cannot be a round is refused.
    """
    check_round(table, community, hands)
    whole(awards_hands, "the number of hands that awards are for", 0, HANDS_MAX)
    return settle_hands(table, community, hands, awards_hands)


def check_round(table: TableRules, community: Sequence[Card], hands: Sequence[Hand]) -> None:
    """Refuse cards, seats and stakes that cannot lie on one table."""
    instance(table, TableRules, "table rules")
    lying = [*cards_of(community, "the community cards", 2)]
    seats: set[int] = set()
    for one in sequence(hands, "a list of hands"):
        hand = instance(one, Hand, "a hand")
        seat = whole(hand.seat, "a seat", 1, table.rules.seats)
        if seat in seats:
            raise InvalidData(f"expected one hand at a seat, got two at seat {seat}")
        seats.add(seat)
        lying += cards_of(hand.cards, f"the cards of seat {seat}", 3)
        _check_stakes(table, hand)
    refuse_twice(lying, "a round")


def _check_stakes(table: TableRules, hand: Hand) -> None:
    where = f"seat {hand.seat}"
    stakes = mapping(hand.stakes, f"{where}: stakes by wager")
    for spot, stake in stakes.items():
        if spot not in table.by_spot:
            raise InvalidData(f"{where}: expected {one_of(table.by_spot)}, got {show_value(spot)}")
        whole_cents(stake, f"{where}: cents on {spot}")
    for what, spots, allowed in (
        ("withdrawn", hand.withdrawn, BASE_SPOTS[:2]),
        ("void", hand.void, [spot for spot in table.by_spot if spot not in BASE_SPOTS]),
    ):
        for spot in instance(spots, frozenset, f"{where}: a frozenset of wagers that are {what}"):
            if spot not in allowed:
                raise InvalidData(f"{where}: expected bets that can be {what}, got {show_value(spot)}")
    if not isinstance(hand.player, str):
        raise InvalidData(f"{where}: expected a player's name, got {show_value(hand.player)}")


def settle_hands(table: TableRules, community: Sequence[Card], hands: Sequence[Hand], awards_hands: int = 0) -> Results:
    """Return what `settle_round` does, for cards, seats and stakes that are known to be sound."""
    best = {
        wager.id: _best_rank(wager, table.terms(wager.id).count, community, hands, awards_hands)
        for wager in table.sides
        if wager.by_hands
    }
    return cap_results(table, hands, {hand.seat: _settle_hand(table, community, hand, best) for hand in hands})


def settle_meters(
    table: TableRules, community: Sequence[Card], hands: Sequence[Hand], results: Results, meters: Mapping[str, int]
) -> tuple[Results, Takes]:
    """Return the results with what hands win of meters and by envy, and what they take of each meter.

    `meters` are what the meters hold, by wager. Where two hands take of one, the seat further on the dealer's left is
    first. Envy is the house's own money.
    """
    takes: Takes = {}
    for wager in table.sides:
        bettors = [hand for hand in hands if wager.spot in hand.stakes and wager.spot not in hand.void]
        if (wager.meter is None and not wager.envy) or not bettors:
            continue
        held, won = meters.get(wager.id, 0), dict.fromkeys((hand.seat for hand in bettors), 0)
        for hand in sorted(bettors, key=lambda one: one.seat):
            rank = read_cards(wager, hand.cards, community)
            if wager.meter is not None and rank in wager.meter.takes:
                took = wager.meter.taken(rank, held), wager.meter.takes[rank].percent == 100
                takes.setdefault(wager.id, {})[hand.seat] = took
                at_seed = wager.meter.won(rank, wager.meter.seed_cents)  # which the pays have already
                won[hand.seat] += wager.meter.won(rank, held) - at_seed
                held = wager.meter.left(rank, held)
            for other in bettors:
                won[other.seat] += 0 if _is_same_player(other, hand) else wager.envy.get(rank, 0)
        results = {
            seat: tuple(_raised(one, won[seat]) if one.wager == wager.spot and won[seat] else one for one in rows)
            if seat in won
            else rows
            for seat, rows in results.items()
        }
    return results, takes


def _is_same_player(one: Hand, other: Hand) -> bool:
    return one.seat == other.seat or (one.player != "" and one.player == other.player)


def _raised(result: WagerResult, cents: int) -> WagerResult:
    """Return a result with so much paid beside it; what the own cards lost stays lost."""
    return replace(result, paid_cents=result.paid_cents + cents)


def value_of(community: Sequence[Card], hand: Hand) -> HandValue:
    """Return what a hand and both community cards are worth."""
    return evaluate((*hand.cards, *community))


def category_of(community: Sequence[Card], hand: Hand) -> Category:
    """Return what a hand and both community cards make."""
    return value_of(community, hand).category


def _settle_hand(
    table: TableRules, community: Sequence[Card], hand: Hand, best: Mapping[str, tuple[AnyCategory, int] | None]
) -> tuple[WagerResult, ...]:
    results: list[WagerResult] = []
    ranks: dict[tuple[str, str], AnyCategory] = {}
    for name, wager in table.by_spot.items():
        stake = hand.stakes.get(name)
        if stake is None:
            continue
        if name in hand.withdrawn:
            results.append(WagerResult(name, stake, "withdrawn", back_cents=wager.withdrawn_cents(stake)))
        elif name in hand.void:
            results.append(WagerResult(name, stake, "void", back_cents=stake))
        elif (found := best.get(wager.id)) is not None:
            results.append(settle_wager(table.pays[wager.id], name, stake, *found))
        else:
            judged = wager.judged_on, wager.ranking.id
            if judged not in ranks:  # several bets are judged on the same cards, those of the base game among them
                ranks[judged] = read_cards(wager, hand.cards, community)
            results.append(settle_wager(table.pays[wager.id], name, stake, ranks[judged]))
    return tuple(results)


def settle_wager(pays: Pays, name: Spot, stake: int, category: AnyCategory, hands: int = 0) -> WagerResult:
    """Return the result of one wager for a category; a fraction of a cent is not paid."""
    pay = pays.pay(category, hands)
    if pay is None:
        return _lost(name, stake)
    return WagerResult(name, stake, "won", pays.paid_cents(pay, stake), stake if pays.returns_stake else 0)


@lru_cache(maxsize=4096)
def _lost(name: Spot, stake: int) -> WagerResult:
    """Return the commonest result of all, once for bets that are alike."""
    return WagerResult(name, stake, "lost")


def settle_own(
    table: TableRules, name: Spot, stake: int, cards: Sequence[Card], community: Sequence[Card] = ()
) -> WagerResult:
    """Return the result of a bet that a player's own cards or the community cards decide."""
    wager = table.by_spot[name]
    return settle_wager(table.pays[wager.id], name, stake, read_cards(wager, cards, community))


def read_cards(wager: Wager, cards: Sequence[Card], community: Sequence[Card] = ()) -> AnyCategory:
    """Return what the cards that a wager is judged on are called."""
    return wager.ranking.read(judged_cards(wager, cards, community))


def judged_cards(wager: Wager, cards: Sequence[Card], community: Sequence[Card] = ()) -> Sequence[Card]:
    """Return the cards that a wager is judged on; of the best hand at the table, where these are its cards."""
    match wager.judged_on:
        case "own_three":
            return cards
        case "own_four":
            return (*cards, *community[:1])
        case "own_five" | "table_best":
            return (*cards, *community)
        case "community":
            return community
        case _:
            assert_never(wager.judged_on)


def pays_already(table: TableRules, cards: Sequence[Card]) -> bool:
    """Whether the base wagers are paid for what the cards in sight make already."""
    return table.base_pays.pay(made_category(cards)) is not None


def paid_on(pay: Fraction, stake: int) -> int:
    """Return the amount of a pay on a stake, in cents: a fraction of a cent is not paid."""
    return int(pay * stake)


def _best_rank(
    wager: Wager, count: str, community: Sequence[Card], hands: Sequence[Hand], awards_hands: int
) -> tuple[AnyCategory, int] | None:
    """Return the best hand of the table and how many hands compete."""
    counted = [hand for hand in hands if count == "hands_dealt" or BASE.spot in hand.stakes]
    if not counted:
        return None
    read = [read_cards(wager, hand.cards, community) for hand in counted]
    return max(read), awards_hands or len(counted)


def cap_results(table: TableRules, hands: Sequence[Hand], results: Results, used: int = 0) -> Results:
    """Return results with base payouts cut down to the maximum payout, where the table has one.

    What is counted together is used up in the order in which hands are settled, and within a hand spot by spot; a
    maximum of the whole round is shared instead, every payout in the same proportion. `used` is what hands that are
    settled have used up of it.
    """
    payout = table.rules.payout
    if payout.cap != "maximum" or payout.cents_max is None:
        return results
    capped: dict[tuple[int, Spot], int] = {}
    for bets in _counted_together(table, hands, results):
        cut = share_payouts if payout.scope == "round" else cap_payouts
        capped |= zip(bets, cut(list(bets.values()), payout.cents_max - used), strict=True)
    return {
        seat: tuple(replace(row, paid_cents=capped.get((seat, row.wager), row.paid_cents)) for row in rows)
        for seat, rows in results.items()
    }


def counted_with(table: TableRules, hands: Sequence[Hand], seat: int) -> tuple[Hand, ...]:
    """Return the hands with whose base payouts those of a seat are counted together, in the order of settlement."""
    in_order = sorted(hands, key=lambda hand: hand.seat, reverse=table.rules.reveal.direction == "right_to_left")
    own = next(hand for hand in in_order if hand.seat == seat)
    payout = table.rules.payout
    match payout.scope if payout.cap == "maximum" else "hand":
        case "round":
            return tuple(in_order)
        case "player_round" if own.player:
            return tuple(hand for hand in in_order if hand.player == own.player)
        case _:
            return (own,)


def _counted_together(
    table: TableRules, hands: Sequence[Hand], results: Results
) -> Iterator[dict[tuple[int, Spot], int]]:
    """Yield the base payouts that one maximum is counted over, in the order in which they are settled."""
    done: set[int] = set()
    for hand in hands:
        if hand.seat in done:
            continue
        together = [one.seat for one in counted_with(table, hands, hand.seat)]
        done.update(together)
        bets = {
            (seat, row.wager): row.paid_cents for seat in together for row in results[seat] if row.wager in BASE_SPOTS
        }
        if table.rules.payout.scope == "wager":
            yield from ({bet: cents} for bet, cents in bets.items())
        else:
            yield bets


def cap_payouts(paid: Sequence[int], most: int) -> list[int]:
    """Return payouts cut down to a maximum of all of them together, the first one first."""
    left, capped = most, []
    for cents in paid:
        capped.append(min(cents, left))
        left -= capped[-1]
    return capped


def share_payouts(paid: Sequence[int], most: int) -> list[int]:
    """Return payouts cut down in proportion to a maximum of all of them together, in whole cents.

    The cents that are left over by rounding down go to the first payouts, one to each.
    """
    won = sum(paid)
    if won <= most:
        return list(paid)
    shared = [cents * most // won for cents in paid]
    odd = most - sum(shared)  # fewer than there are winners, and every winner lacks a cent or more
    for place, cents in enumerate(paid):
        if cents and odd:
            shared[place] += 1
            odd -= 1
    return shared


def settle_less(
    table: TableRules, community: Sequence[Card], hands: Sequence[Hand], before: Results, seat: int
) -> Results:
    """Return the results of a seat whose base bets became smaller after the round was read, and of those it touches.

    `before` is what was read. Hands settled before it stand, and so does a share of a round's maximum.
    """
    shared = table.rules.payout.cap == "maximum" and table.rules.payout.scope == "round"
    together = counted_with(table, hands, seat)
    at = next(place for place, hand in enumerate(together) if hand.seat == seat)
    later = () if shared else (hand for hand in together[at + 1 :] if any(r.fate == "won" for r in before[hand.seat]))
    touched = [together[at], *later]
    base = [replace(one, stakes={s: c for s, c in one.stakes.items() if s in BASE_SPOTS}) for one in touched]
    settled = {one.seat: _settle_hand(table, community, one, {}) for one in base}
    if shared:
        read = {row.wager: row for row in before[seat]}
        settled = {seat: tuple(_same_share(table, base[0], community, row, read[row.wager]) for row in settled[seat])}
    else:
        used = sum(row.paid_cents for hand in together[:at] for row in before[hand.seat] if row.wager in BASE_SPOTS)
        settled = cap_results(table, base, settled, used)
    anew = {(number, row.wager): row for number, rows in settled.items() for row in rows}
    return {one.seat: tuple(anew.get((one.seat, row.wager), row) for row in before[one.seat]) for one in touched}


def _same_share(
    table: TableRules, hand: Hand, community: Sequence[Card], row: WagerResult, was: WagerResult
) -> WagerResult:
    """Return a result of a smaller bet, cut down in the proportion in which it was read."""
    full = settle_own(table, was.wager, was.stake_cents, hand.cards, community).paid_cents
    return replace(row, paid_cents=row.paid_cents * was.paid_cents // full) if full else row
