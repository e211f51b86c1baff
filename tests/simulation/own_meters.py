"""Own meters: progressives whose meters are hit often, one for each way in which a kernel tells hands."""

from __future__ import annotations

FIVE = """
id = "five_pot"
title = "Five Pot"
judged_on = "own_five"
ranking = "poker"
award = "total_award"
[keys]
cents = 500
[pays]
royal_flush = 200
straight_flush = 200
four_of_a_kind = 200
full_house = 200
flush = 200
two_pair = 3
[meter]
seed_cents = 30000
contribution_ppm = 130000
[meter.takes]
straight = 100
three_of_a_kind = 7
tens_or_better = "$2"
[envy]
straight = 20
two_pair = 1
"""
"""Told by cells: a straight takes all, three of a kind a share in odd cents, a pair an amount."""
THREE = """
id = "three_pot"
title = "Three Pot"
judged_on = "own_three"
ranking = "poker"
award = "total_award"
[keys]
cents = 100
[pays]
mini_royal = 100
straight_flush = 100
three_of_a_kind = 50
[meter]
seed_cents = 3500
contribution_ppm = 450000
[meter.takes]
straight = 100
flush = "$30"
pair = "$1"
"""
"""Told by three-card categories: the meter often holds less than the amounts that hands take."""
FOUR = """
id = "four_pot"
title = "Four Pot"
judged_on = "own_four"
award = "total_award"
first_wins = true
[keys]
cents = 200
[[rank]]
id = "one_suit"
when = { same_suit = 4 }
[[rank]]
id = "trips"
when = { same_rank = 3 }
[[rank]]
id = "red"
when = { colour = "red" }
[[rank]]
id = "rest"
[pays]
red = 2
[meter]
seed_cents = 12345
contribution_ppm = 200000
[meter.takes]
one_suit = 100
trips = 50
red = 3
[envy]
trips = 3
"""
"""Told by tables of its own: shares alone, so that all of its figures are exact."""
POTS = (FIVE, THREE, FOUR)
