"""Words: what a report says beside its figures: rules in brief, conventions, evidence; never a figure of its own.

The evidence tells what `tests/analysis` does; a change there is a change here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from letitride.analysis import par
from letitride.analysis.base import CASES, Ties
from letitride.analysis.side_bets import FIVE_CARD_HANDS, THREE_CARD_HANDS
from letitride.rules.paytables import Pays
from letitride.rules.rankings import BY_POKER, FIVE_CARD, THREE_CARD
from letitride.rules.wagers import Award, JudgedOn, Wager
from letitride.rules.words import quantity

DECK: Final = "one deck of 52 cards, no joker, shuffled anew for each round"
UNITS: Final = (
    "house edge and results per unit bet (in the base game, one of the three equal bets); element of risk per unit "
    "left riding"
)
VOLATILITY_Z: Final = 1.645
HOLD_Z: Final = 1.96
SESSION_ROUNDS: Final = 1_000
SESSION_BANDS: Final = ((90, 1.645), (50, 0.6745))
"""The bands of the session picture: how many percent of sessions, and the normal quantile; the widest first."""

_BASE_RULES: Final = (
    "The player makes three equal bets and is dealt three cards; two community cards lie face down. After looking at "
    "the cards, the player may take bet 1 back or let it ride. The same holds for bet 2 once the first community card "
    "is turned; bet 3 always rides. When the second community card is turned, every bet still riding is paid by the "
    "paytable for the five-card hand, or loses where the paytable does not list it."
)
_JUDGED: Final[Mapping[JudgedOn, str]] = {
    "own_three": "the three cards dealt to the player, without the community cards",
    "own_four": "the three cards dealt to the player with the first community card",
    "own_five": "the three cards dealt to the player with both community cards",
    "community": "the two community cards",
    "table_best": "the best of all hands in the round",
}

_AWARDS: Final[Mapping[Award, str]] = {
    Award.TO_ONE: "A pay of N wins N units, and the stake is returned.",
    Award.TOTAL: "A pay of N is N units in total; the stake is taken before the deal and is not returned.",
    Award.FIXED: (
        "A pay of N is N dollars in total, whatever was bet; the stake is taken before the deal and is not returned."
    ),
}
AWARDS: Final[Mapping[Award, str]] = {
    Award.TO_ONE: "pays to one",
    Award.TOTAL: "total awards",
    Award.FIXED: "awards in dollars",
}
"""What pays are, in a word or two."""

_TIES: Final[Mapping[Ties, str]] = {
    "withdraw": "a bet that neither gains nor loses by riding is taken back, as in the documents' own par figures",
    "ride": "a bet that neither gains nor loses by riding rides; the documents' own par figures take it back",
}

_CONVENTION_NAMES: Final = {
    "to_one": AWARDS[Award.TO_ONE],
    "total_award": AWARDS[Award.TOTAL],
    "fixed_dollars": AWARDS[Award.FIXED],
    "bet1_ride_rate": "bet 1 ride rate",
    "bet2_ride_rate": "bet 2 ride rate",
}

# What holds of every report beside the conventions of the analysis.
_OF_REPORTS: Final = (
    ("unit", "the amount of one bet; in the base game, of one of the three equal bets"),
    ("play", "best play: in the base game, bets 1 and 2 each ride where that wins more on average"),
    ("tie rule", ""),
    (
        "result",
        "what a hand contributes to the expected result of a unit bet, won less lost; their sum is minus the edge",
    ),
    ("units riding", "base game: how many of the three units ride on average when the hand comes"),
    ("skewness", "the third moment about the mean, in standard deviations; above 0 where the tail of wins is longer"),
    (
        "volatility index",
        f"z × standard deviation with z = {VOLATILITY_Z}: the two-sided 90% normal quantile, one round of one unit",
    ),
    (
        "95% interval",
        f"theoretical win ± {HOLD_Z} × standard deviation ÷ √rounds, a normal approximation",
    ),
    ("rounding", "half up, from the exact fraction; standard deviation and skewness are roots and have no fraction"),
)


def rules(pays: Pays) -> str:
    """Return a wager in a few sentences, with what its pays mean."""
    said = (_BASE_RULES,) if pays.wager.is_base else tuple(_side_rules(pays.wager))
    early = pays.wager.before_deal or pays.returns_stake
    meant = _AWARDS[pays.award]
    return " ".join((*said, meant if early else meant.replace("is taken before the deal and ", "")))


def _side_rules(wager: Wager) -> Iterator[str]:
    amount = "of one fixed amount, " if wager.fixed_stake else ""
    if wager.by_hands:
        yield (
            f"A bet {amount}on {_JUDGED[wager.judged_on]}, each made of its own three cards and the two community "
            "cards. Its pays depend on the number of hands in the round, one to seven, all dealt from one deck."
        )
    elif wager.judged_on == "own_five" and wager.ranking == FIVE_CARD:
        yield (
            f"A side bet {amount}made with the base bets. It is settled by the same five cards, whichever of the base "
            "bets were taken back."
        )
    else:
        yield f"A side bet {amount}on {_JUDGED[wager.judged_on]}."
    if wager.ranking == THREE_CARD:
        yield "With three cards, a straight ranks above a flush, and three of a kind above both."
    elif wager.ranking != FIVE_CARD:
        named = ", ".join(rank.label for rank in wager.ranking.ranks)
        yield f"The ranks, best first: {named}. A hand has the first rank whose conditions it meets."


def heading(pays: Pays, hands: int = 0) -> str:
    """Return the heading of a wager: 'Best Hand, 3 hands'."""
    many = f", {quantity(hands, 'hand')}" if hands else ""
    return pays.wager.title + many


def conventions(ties: Ties, wagers: Iterable[Wager] = ()) -> tuple[tuple[str, str], ...]:
    """Return every convention as (name, meaning): those of the analysis of wagers, then those of reports."""
    known = par.conventions(wagers)
    named = ((_CONVENTION_NAMES.get(key, key.replace("_", " ")), text) for key, text in known.items())
    return (*named, *((name, _TIES[ties] if name == "tie rule" else text) for name, text in _OF_REPORTS))


def tie_rule(ties: Ties) -> str:
    """Return the tie rule in brief."""
    return f"tie rule: {'take back' if ties == 'withdraw' else 'ride'}"


def ties_sentence(ties: Ties) -> str:
    """Return the tie rule."""
    return _TIES[ties]


_SECOND: Final = "a bit-mask evaluator that shares no code with the one that priced this paytable"

_BASE_CHECKED: Final = (
    f"Every published base table is priced a second time under both tie rules, over all {CASES:,} cases of hand, "
    f"first and second community card, by {_SECOND}. House edge, element of risk, average wager, ride rates, "
    "hit frequency and the whole distribution of the net result must be equal as fractions."
)
_POKER_CHECKED: Final[Mapping[int, str]] = {
    FIVE_CARD.cards: (
        f"The {FIVE_CARD_HANDS:,} five-card hands are counted a second time, out of all {CASES:,} cases of hand, first "
        f"and second community card, by {_SECOND}. House edge and hit frequency of every published bonus must be "
        "equal as fractions."
    ),
    THREE_CARD.cards: (
        f"The {THREE_CARD_HANDS:,} three-card hands are counted a second time by {_SECOND}; house edge and hit "
        "frequency of every published three-card table must be equal as fractions."
    ),
}
_LISTED_CHECKED: Final = (
    "The ranks are the house's own: hands are counted by their ranks and suits. For the wagers of examples/wagers, a "
    "second method that goes through all hands one by one must give the same counts."
)


def _checked(pays: Pays, hands: int) -> str:
    if pays.wager.is_base:
        return _BASE_CHECKED
    if pays.wager.by_hands:
        return _best_of(hands)
    return _POKER_CHECKED[pays.wager.ranking.cards] if _counts_checked(pays.wager) else _LISTED_CHECKED


def _counts_checked(wager: Wager) -> bool:
    return wager.ranking in BY_POKER.values()


def _best_of(hands: int) -> str:
    if hands == 1:
        return f"With one hand, the counts must be those of all five-card hands, counted a second time by {_SECOND}."
    if hands == 2:
        return (
            "With two hands, every pair of three-card hands without a card in common is counted, for every pair of "
            f"community cards, by {_SECOND}; the counts must be equal."
        )
    return (
        f"With {hands} hands, the counts are compared with 200,000 random deals judged by {_SECOND}; each count must "
        "agree within five standard deviations. This is a statistical check; for one and two hands the same method is "
        "confirmed exactly."
    )


def evidence(pays: Pays, hands: int, published: str) -> tuple[str, ...]:
    """Return what confirms a wager's figures; `published` is the id of a published table that pays the same."""
    check = _checked(pays, hands)
    if published:
        known = f"This paytable pays the same as the published {published}, which is among those checked."
    else:
        known = "This paytable is not among the published ones: its pays were not checked case by case."
        known += " The counts behind its figures are those checked." if _counts_checked(pays.wager) else ""
    derived = "Variance, standard deviation, skewness and the intervals follow from the counts by arithmetic."
    where = "The checks are in tests/analysis of letitride's source and run with every change."
    return check, known, derived, where
