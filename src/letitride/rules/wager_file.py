"""Wager file: reads a wager from TOML data and refuses, in one sentence, what cannot be one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from letitride.errors import InvalidData
from letitride.rules.cards import RANKS, Card
from letitride.rules.file_values import read_among, read_id, read_text, read_whole, read_yes, refuse_unknown
from letitride.rules.frozen import Frozen
from letitride.rules.hands import Category
from letitride.rules.rankings import (
    BY_POKER,
    CONDITIONS,
    FIVE_CARD,
    INCLUDES,
    POKER,
    AnyCategory,
    Condition,
    ListedRank,
    Ranking,
    matches,
)
from letitride.rules.values import PlainValue
from letitride.rules.wagers import CARDS, JUDGED_ON, LATER, Award, JudgedOn, Meter, Take, Wager
from letitride.rules.words import one_of, show_value

Value = TypeVar("Value")
PAYS: Final = ("pays", "clauses", "printed_par", "printed_hit_frequency", "printed_in")
"""What a wager's own file may say of its pays, as a paytable does."""
_ALLOWED: Final = (
    *("id", "title", "about", "label", "order", "judged_on", "ranking", "rank", "first_wins", "award", "keys"),
    *("withdraw", "withdraw_percent", "meter", "envy", "pays_from", *PAYS),
)
_PUBLISHED: Final = (*_ALLOWED, "spots", "awards", "priced_with", "later", "unlisted")
"""What the files that come with letitride may say besides."""
_OWN_ORDER: Final = 100
"""A house's own wagers come after the published ones on the felt."""
_TITLE_MAX: Final = 60
_CENTS_MAX: Final = 10**9
_WORDS: Final = frozenset({"with", "spoken", "nothing", "coupon", "match_play", "pass"})
"""Words of round records and of the terminal that stand where a wager's id may stand."""
_OWN_KEYS: Final = (
    *("cents", "cents_min", "cents_max", "cents_step", "taken", "stake_handling", "alone", "settle", "count"),
    *("expose_best", "void_on"),
)
"""What the file of a house's own wager may give its rule books."""
_OF_ONE_HAND: Final = ("own_three", "own_four", "own_five")
_DECISIONS: Final = {"bet_1": 1, "bet_2": 2}
_ALL_SEEN_AT: Final = {"own_three": 1, "own_four": 2}
"""The base decision by which a player has seen all cards that decide such a bet: it would be kept only when it wins."""
_COUNTED: Final = ("same_rank", "same_suit", "in_sequence")
_COLOURS: Final = ("red", "black", "one")
_FEW: Final = 4
_SINGLE_MAX: Final = 8
"""Ranks of a bet on five cards ask for so many different single cards at most: hands are counted by which they hold."""


def is_wager(data: Mapping[str, Any]) -> bool:
    """Whether the data of a TOML file are those of a wager, and not of a paytable."""
    return "judged_on" in data


def read_wager(data: Mapping[str, Any], where: str, *, published: bool = False) -> Wager:
    """Read a wager from the data of a TOML file; `where` names the file in refusals."""
    refuse_unknown(data, _PUBLISHED if published else _ALLOWED, where)
    name = read_id(data.get("id"), f"{where}: id")
    if name in _WORDS:
        raise InvalidData(f"{where}: id: expected no word of round records or of the terminal, got '{name}'")
    title = read_text(data.get("title"), f"{where}: title")
    if len(title) > _TITLE_MAX:
        raise InvalidData(f"{where}: title: expected {_TITLE_MAX} characters at most, got {len(title)}")
    judged_on: JudgedOn = read_among(data.get("judged_on"), tuple(JUDGED_ON), f"{where}: judged_on")
    ranking = _ranking(data, name, CARDS[judged_on], where)
    if judged_on == "table_best" and ranking is not FIVE_CARD:
        raise InvalidData(
            f"{where}: ranking: expected '{POKER}' for the best hand at the table, got a list of [[rank]]"
        )
    return Wager(
        id=name,
        title=title,
        about=read_text(data.get("about", f"{title}: a bet on {JUDGED_ON[judged_on]}."), f"{where}: about"),
        label=read_text(data.get("label", title), f"{where}: label"),
        order=read_whole(data.get("order", 0), f"{where}: order") + (0 if published else _OWN_ORDER),
        spots=tuple(data.get("spots", (name,))) if published else (name,),
        judged_on=judged_on,
        ranking=ranking,
        pays_from=_pays_from(data, ranking, where),
        awards=_awards(data, where),
        keys=Frozen(_keys(data, name, where, published=published)),
        withdraw=_withdraw(data, judged_on, where),
        withdraw_percent=_withdraw_percent(data, where),
        meter=_meter(data, ranking, judged_on, where) if "meter" in data else None,
        envy=Frozen(_envy(data, ranking, judged_on, where)),
        unlisted=Frozen(_unlisted(data.get("unlisted", {}), ranking, where)),
        later=frozenset(data.get("later", ())) if published else LATER,
        priced_with=data.get("priced_with", ""),
        published=published,
    )


def _ranking(data: Mapping[str, Any], wager: str, cards: int, where: str) -> Ranking:
    if "rank" in data:
        if "ranking" in data:
            raise InvalidData(f"{where}: expected 'ranking' or a list of [[rank]], got both")
        first_wins = read_yes(data.get("first_wins", False), f"{where}: first_wins")
        return _listed(data["rank"], wager, cards, where, first_wins=first_wins)
    if cards not in BY_POKER or data.get("ranking") != POKER:
        wanted = f"ranking = '{POKER}' or a list of [[rank]]" if cards in BY_POKER else "a list of [[rank]]"
        came = f"ranking = {show_value(data['ranking'])}" if "ranking" in data else "neither"
        raise InvalidData(f"{where}: expected {wanted} for {cards} cards, got {came}")
    return BY_POKER[cards]


def _listed(rows: object, wager: str, cards: int, where: str, *, first_wins: bool) -> Ranking:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, Mapping) for row in rows):
        raise InvalidData(f"{where}: rank: expected a list of [[rank]] tables, best first, got {show_value(rows)}")
    ranks = tuple(_rank(row, len(rows) - place, cards, f"{where}: rank {place}") for place, row in enumerate(rows, 1))
    for place, rank in enumerate(ranks):
        if rank.id in [one.id for one in ranks[:place]]:
            raise InvalidData(f"{where}: rank {place + 1}: id: expected a name of its own, got '{rank.id}' again")
    single = {card for rank in ranks for card in rank.when.get(INCLUDES, ())}  # type: ignore[union-attr]  # a list of cards
    if cards > _FEW and len(single) > _SINGLE_MAX:
        came = f"{len(single)}, {', '.join(sorted(map(str, single)))}"
        raise InvalidData(f"{where}: rank: expected {_SINGLE_MAX} single cards at most in all for {cards}, got {came}")
    _check_names(ranks, cards, where, first_wins=first_wins)
    return Ranking(wager, cards, ranks)


def _check_names(ranks: tuple[ListedRank, ...], cards: int, where: str, *, first_wins: bool) -> None:
    """Refuse ranks of which two name the same cards without an order, or that leave cards without a name."""
    found = matches(ranks, cards)
    if () in found:
        hand = " ".join(map(str, found[()].example))
        raise InvalidData(
            f"{where}: rank: expected a rank for every hand, got none for '{hand}'; a last rank without 'when' takes "
            "the rest"
        )
    for met in sorted(found, key=len):
        rest = met[-1] if not met[-1].when else None  # what names everything that is left overlaps by design
        named = [rank for rank in met if rank is not rest]
        if len(named) > 1 and not first_wins:
            hand = " ".join(map(str, found[met].example))
            raise InvalidData(
                f"{where}: rank: expected one rank for each hand, or first_wins = true, got '{named[0].id}' and "
                f"'{named[1].id}' for '{hand}'"
            )
    first, possible = {met[0] for met in found}, {rank for met in found for rank in met}
    for rank in ranks:
        if rank not in first:
            why = "an earlier rank has them all" if rank in possible else "no hand meets its conditions"
            raise InvalidData(f"{where}: rank: expected hands for '{rank.id}', got none: {why}")


def _rank(row: Mapping[str, Any], place: int, cards: int, where: str) -> ListedRank:
    refuse_unknown(row, ("id", "title", "when"), where)
    name = read_id(row.get("id"), f"{where}: id")
    when = row.get("when", {})
    if not isinstance(when, Mapping):
        raise InvalidData(f"{where}: when: expected a table of conditions, got {show_value(when)}")
    refuse_unknown(when, CONDITIONS, f"{where}: when")
    read = {key: _condition(key, value, cards, f"{where}: when.{key}") for key, value in when.items()}
    label = read_text(row.get("title", name.replace("_", " ")), f"{where}: title")
    return ListedRank(place, name, label, Frozen(read))


def _condition(name: str, value: object, cards: int, where: str) -> Condition:
    if name == "colour":
        return str(read_among(value, _COLOURS, where))
    if name in _COUNTED:
        if not isinstance(value, int) or isinstance(value, bool) or not 2 <= value <= cards:
            raise InvalidData(f"{where}: expected a whole number from 2 to {cards}, got {show_value(value)}")
        return value
    if name in {"ranks", INCLUDES}:
        if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
            raise InvalidData(f"{where}: expected a list such as ['A', 'K'] or ['Qh'], got {show_value(value)}")
        if len(set(value)) < len(value):
            raise InvalidData(f"{where}: expected no value twice, got {show_value(value)}")
        if name == "ranks":
            return tuple(read_among(one, tuple(RANKS), where) for one in value)
        if len(value) > cards:
            raise InvalidData(f"{where}: expected {cards} cards at most, got {len(value)}")
        return tuple(str(_card(one, where)) for one in value)
    return read_whole(value, where)


def _card(text: str, where: str) -> Card:
    try:
        return Card.parse(text)
    except InvalidData as error:
        raise InvalidData(f"{where}: {error}") from None


def _pays_from(data: Mapping[str, Any], ranking: Ranking, where: str) -> AnyCategory:
    """Return the lowest rank that may pay: as it is stated, or the lowest that has a pay or takes of the meter."""
    meter = data.get("meter")
    takes = meter["takes"] if isinstance(meter, Mapping) and isinstance(meter.get("takes"), Mapping) else {}
    if "pays_from" in data:
        found = ranking.rank(
            read_among(data["pays_from"], tuple(r.name.lower() for r in ranking.ranks), f"{where}: pays_from")
        )
    else:
        named = {*(data["pays"] if isinstance(data.get("pays"), Mapping) else ()), *takes}
        found = next((rank for rank in reversed(ranking.ranks) if rank.name.lower() in named), ranking.ranks[0])
    if found is None:  # pragma: no cover - it is among the ranking's own names
        raise InvalidData(f"{where}: pays_from: expected a rank")
    for rank in ranking.ranks[ranking.ranks.index(found) + 1 :]:
        if rank.name.lower() in takes:
            raise InvalidData(
                f"{where}: pays_from: expected '{rank.name.lower()}' or a lower rank, because that takes of the meter, "
                f"got '{found.name.lower()}'"
            )
    lowest = found if isinstance(found, Category) else None
    if data.get("judged_on") == "table_best" and lowest is not None and lowest < Category.THREE_OF_A_KIND:
        raise InvalidData(
            f"{where}: pays: expected three_of_a_kind or better, because the best hand at the table "
            f"decides, got {found.name.lower()}"
        )
    return found


def _awards(data: Mapping[str, Any], where: str) -> tuple[Award, ...]:
    stated = data["awards"] if "awards" in data else [data["award"]] if "award" in data else []
    if not isinstance(stated, list) or not stated:
        raise InvalidData(f"{where}: award: expected {one_of(map(str, Award))}, got nothing")
    return tuple(Award(read_among(one, tuple(map(str, Award)), f"{where}: award")) for one in stated)


def _keys(data: Mapping[str, Any], wager: str, where: str, *, published: bool) -> dict[str, PlainValue]:
    keys = data.get("keys", {})
    if not isinstance(keys, Mapping):
        raise InvalidData(f"{where}: keys: expected a table, got {show_value(keys)}")
    if published:
        return dict(keys)
    refuse_unknown(keys, _OWN_KEYS, f"{where}: keys")
    if "cents" not in keys and not {"cents_min", "cents_max"} <= keys.keys():
        raise InvalidData(f"{where}: keys: expected cents, or cents_min and cents_max, got neither")
    if "cents" in keys and {"cents_min", "cents_max", "cents_step"} & keys.keys():
        raise InvalidData(f"{where}: keys: expected cents, or cents_min and cents_max, got both")
    for name in ("cents", "cents_min", "cents_max", "cents_step"):
        if name in keys and not read_whole(keys[name], f"{where}: keys.{name}", 1) <= _CENTS_MAX:
            raise InvalidData(f"{where}: keys.{name}: expected {_CENTS_MAX:,} cents at most, got {keys[name]}")
    best = data.get("judged_on") == "table_best"
    for name in ("count", "expose_best") if not best else ("settle",):
        if name in keys:
            why = "the best hand at the table decides" if best else "no other hands compete"
            raise InvalidData(f"{where}: keys.{name}: expected no value, because {why}, got {show_value(keys[name])}")
    if keys.get("settle") == "early_claim" and data.get("judged_on") != "own_three":
        raise InvalidData(
            f"{where}: keys.settle: expected another value, because only a bet on the player's three cards is claimed "
            "early, got 'early_claim'"
        )
    if "pays" not in data:
        raise InvalidData(f"{where}: pays: expected a table of hands and pays, got nothing")
    own: dict[str, PlainValue] = {"offered": True, **keys}
    own |= {} if "cents" in keys else {"cents_step": keys.get("cents_step", 1)}
    own |= {"taken": keys.get("taken", "settlement"), "stake_handling": keys.get("stake_handling", "lammer")}
    own |= {"alone": keys.get("alone", False)}
    void_on = keys.get("void_on", ())
    own |= {"void_on": tuple(void_on) if isinstance(void_on, list) else void_on}
    own |= {"count": keys.get("count", "hands_dealt")} if data.get("judged_on") == "table_best" else {}
    own |= {} if data.get("judged_on") == "table_best" else {"settle": keys.get("settle", "after_base")}
    return {**own, "paytables": (wager,), "paytable": wager}


def _withdraw(data: Mapping[str, Any], judged_on: JudgedOn, where: str) -> tuple[int, ...]:
    """Read with which base decisions the bet may be taken back: never when all of its cards are seen."""
    stated, where = data.get("withdraw", []), f"{where}: withdraw"
    if not isinstance(stated, list):
        raise InvalidData(f"{where}: expected a list of {one_of(_DECISIONS)}, got {show_value(stated)}")
    chosen = {_DECISIONS[read_among(one, tuple(_DECISIONS), where)] for one in stated}
    if len(chosen) < len(stated):
        raise InvalidData(f"{where}: expected no value twice, got {show_value(stated)}")
    seen = _ALL_SEEN_AT.get(judged_on, 0)
    reasons = {
        "other players' cards decide it as well": judged_on == "table_best",
        f"all of its cards are seen at bet {seen}": seen and max(chosen, default=0) >= seen,
        "what it wins depends on a meter or on other players": "meter" in data or "envy" in data,
    }
    for why, holds in reasons.items():
        if chosen and holds:
            raise InvalidData(f"{where}: expected nothing, because {why}, got {show_value(stated)}")
    return tuple(sorted(chosen))


def _withdraw_percent(data: Mapping[str, Any], where: str) -> int:
    if "withdraw_percent" not in data:
        return 100
    percent = read_whole(data["withdraw_percent"], f"{where}: withdraw_percent", 1)
    if not data.get("withdraw") or percent > 100:
        expected = (
            "100 at most, the whole stake" if data.get("withdraw") else "no value, because it is never taken back"
        )
        raise InvalidData(f"{where}: withdraw_percent: expected {expected}, got {percent}")
    return percent


def _meter(data: Mapping[str, Any], ranking: Ranking, judged_on: JudgedOn, where: str) -> Meter:
    stated = data["meter"]
    if not isinstance(stated, Mapping):
        raise InvalidData(f"{where}: meter: expected a table, got {show_value(stated)}")
    refuse_unknown(stated, ("seed_cents", "contribution_ppm", "takes", "shared"), f"{where}: meter")
    if judged_on not in _OF_ONE_HAND:
        raise InvalidData(f"{where}: meter: expected a bet on a player's own cards, got judged_on = '{judged_on}'")
    if _awards(data, where) != (Award.TOTAL,):
        came = show_value(data.get("award"))
        raise InvalidData(f"{where}: award: expected 'total_award', because the bet feeds a meter, got {came}")
    if "cents" not in data.get("keys", {}):
        came = ", ".join(data.get("keys", {})) or "nothing"
        raise InvalidData(f"{where}: keys: expected cents, one stake, because the bet feeds a meter, got {came}")
    cents, ppm = (read_whole(stated.get(name), f"{where}: meter.{name}") for name in ("seed_cents", "contribution_ppm"))
    if ppm > 1_000_000:
        raise InvalidData(f"{where}: meter.contribution_ppm: expected 1,000,000 at most, the whole stake, got {ppm:,}")
    takes = _by_rank(stated.get("takes"), ranking, where, "meter.takes", _take)
    _refuse_odd_cents(data, ppm, where)
    return Meter(cents, ppm, Frozen(takes), read_yes(stated.get("shared", False), f"{where}: meter.shared"))


def _refuse_odd_cents(data: Mapping[str, Any], ppm: int, where: str) -> None:
    """Refuse a rate by which a stake would feed the meter a fraction of a cent."""
    cents = data["keys"]["cents"]
    if isinstance(cents, int) and cents * ppm % 1_000_000:
        raise InvalidData(
            f"{where}: meter.contribution_ppm: expected whole cents of every stake, got {cents * ppm / 1_000_000:g} of "
            f"{cents} cents"
        )


def _envy(data: Mapping[str, Any], ranking: Ranking, judged_on: JudgedOn, where: str) -> dict[AnyCategory, int]:
    if "envy" not in data:
        return {}
    if judged_on not in _OF_ONE_HAND:
        raise InvalidData(f"{where}: envy: expected a bet on a player's own cards, got judged_on = '{judged_on}'")
    envy = _by_rank(data["envy"], ranking, where, "envy", read_whole)
    meter = data.get("meter")
    takes = meter.get("takes", {}) if isinstance(meter, Mapping) else {}
    wins = {*data.get("pays", {}), *takes}
    for rank in envy:
        if rank.name.lower() not in wins:
            raise InvalidData(
                f"{where}: envy.{rank.name.lower()}: expected a hand that wins, got one that does not pay"
            )
    return {rank: 100 * dollars for rank, dollars in envy.items()}


def _take(value: object, where: str) -> Take:
    """Read what a rank takes of a meter: a percentage, or dollars as '$500'."""
    if isinstance(value, str) and re.fullmatch(r"\$[1-9][0-9]{0,8}", value):
        return Take(cents=100 * int(value[1:]))
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 100:
        raise InvalidData(
            f"{where}: expected a percentage from 1 to 100, or dollars like '$500', got {show_value(value)}"
        )
    return Take(percent=value)


def _by_rank(
    data: object, ranking: Ranking, where: str, key: str, read: Callable[[object, str], Value]
) -> dict[AnyCategory, Value]:
    if not isinstance(data, Mapping) or not data:
        raise InvalidData(f"{where}: {key}: expected a table of hands, got {show_value(data)}")
    refuse_unknown(data, [rank.name.lower() for rank in ranking.ranks], where, f"{key}.")
    found = {name: read(value, f"{where}: {key}.{name}") for name, value in data.items()}
    return {rank: found[rank.name.lower()] for rank in ranking.ranks if rank.name.lower() in found}


def _unlisted(data: object, ranking: Ranking, where: str) -> dict[AnyCategory, AnyCategory]:
    if not isinstance(data, Mapping):
        raise InvalidData(f"{where}: unlisted: expected a table, got {show_value(data)}")
    found: dict[AnyCategory, AnyCategory] = {}
    for name, other in data.items():
        rank, like = ranking.rank(name), ranking.rank(str(other))
        if rank is None or like is None:
            raise InvalidData(f"{where}: unlisted.{name}: expected two ranks of the ranking, got {show_value(other)}")
        found[rank] = like
    return found
