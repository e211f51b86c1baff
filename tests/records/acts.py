"""Acts: short records in which people do what the examples and the irregularities leave out."""

from __future__ import annotations

ACTS = {
    "tokens": """rulebook nsw-1
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 500
seat 5 sits Cy 500
seat 1 exchanges 100 tokens
seat 3 exchanges 20 chips
seat 3 buys 30
seat 5 sits out

round
hand 1 Th Td 4c
hand 3 9h 9d 3c
community Ks 2d
seat 1 bets 10 with tokens
seat 3 bets 10
seat 1 rides 1
seat 3 rides 1
seat 1 rides 2
seat 3 rides 2

round
hand 1 Th Td 4c
hand 3 9h 9d 3c
community Ks 2d
seat 5 leaves
seat 1 bets 10
seat 3 bets 10
mishap bets seat 3 1=10 2=10 $=15
dealer reports uneven_bets seat 3
seat 3 corrects 10
seat 1 rides 1
seat 3 rides 1
seat 1 rides 2
seat 3 withdraws 2
""",
    "folds": """rulebook nsw-1
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 500

round
seat 1 bets 10
seat 3 bets 10
mishap bets seat 3 1=10 2=10 $=15
dealer reports uneven_bets seat 3
seat 3 folds
seat 1 rides 1
seat 1 rides 2
""",
    "refuses": """rulebook nsw-1
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 500

round
hand 1 Th Td 4c
community Ks 2d
seat 1 bets 10
seat 3 bets 10
mishap bets seat 3 1=10 2=10 $=15
seat 3 looks
dealer reports uneven_bets seat 3
seat 3 refuses
casino_supervisor orders bar seats 3 ground refused_correction
seat 1 rides 1
seat 3 rides 1
seat 1 rides 2
seat 3 rides 2
""",
    "orders": """rulebook nsw-1
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 500
casino_supervisor orders announce_minimum min 10 at 20:00 from 20:30
casino_supervisor orders limits min 10 at 20:30
casino_supervisor orders limits max 400
casino_supervisor orders limits min 5 max 500
casino_supervisor orders limits
casino_supervisor orders announce_closing at 21:00 from 21:30

round
hand 1 Th Td 4c
hand 3 9h 9d 3c
community Ks 2d
seat 1 bets 10
seat 3 bets 10
seat 1 by dealer goes away
seat 1 by floor comes back
seat 3 looks
seat 1 asks advice
spectator advises seat 1: ride it
seat 1 wants no advice
seat 1 disputes the pay
seat 1 rides 1
seat 3 rides 1
seat 1 rides 2
seat 3 withdraws 2
casino_supervisor orders count because it looks thin
casino_supervisor orders separate seats 1,3 because they talk
casino_supervisor orders change_deck deck 1 because worn
casino_supervisor orders close at 21:30
""",
    "disputes": """rulebook nsw-1
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 500

round
hand 1 Th Td 4c
hand 3 9h 9d 3c
community Ks 2d
seat 1 bets 10
seat 3 bets 10
seat 1 disputes the pay
seat 1 rides 1
seat 3 rides 1
seat 1 rides 2
seat 3 withdraws 2
games_supervisor decides dispute 1 rejected because it was right
seat 1 appeals
casino_supervisor decides dispute 1 rejected because of the film
seat 1 appeals
operator decides dispute 1 upheld award 5 because it was wrong
""",
    "absent instance": """rulebook nsw-1
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 500
seat 1 disputes the pay
games_supervisor decides dispute 1 rejected because it was right
seat 1 appeals
seat 3 disputes the deal
casino_supervisor decides dispute 2 rejected without games_supervisor because of the film
casino_supervisor decides dispute 1 rejected because it was right
""",
    "too few bets": """rulebook hand-dealt-1
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 500
seat 5 sits Cy 500

round
hand 3 Th Td 4c
community Ks 2d
seat 1 bets 1=10 2=10
seat 3 bets 10
seat 5 bets $=10
seat 3 rides 1
seat 3 rides 2
""",
    "bonus": """rulebook shufflemaster-1
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 500

round
seat 1 bets 10
seat 3 bets 10 bonus 1
mishap bets seat 3 1=10 2=10 $=15
dealer reports uneven_bets seat 3
seat 3 corrects 10
seat 1 rides 1
seat 3 rides 1
seat 1 rides 2
seat 3 rides 2
""",
    "face up": """rulebook hand-dealt-1
dealer auto
seat 1 sits Ann 500

round
seat 1 bets 10
seat 1 rides 1
seat 1 rides 2
seat 1 leaves
dealer spread_idle face-up
""",
    "cash": """rulebook shufflemaster-1
set bet.spoken_cash = true
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 500

round
hand 1 Th Td 4c
hand 3 9h 9d 3c
community Ks 2d
seat 1 bets 10 with cash
seat 3 bets 10
seat 1 rides 1
seat 3 rides 1
seat 1 rides 2
seat 3 withdraws 2
""",
    "recut": """rulebook hand-dealt-1
dealer auto
seat 1 sits Ann 500

round
hand 1 Th Td 4c
community Ks 2d
dealer cut_deck cut 20
casino_supervisor orders recut
seat 1 bets 10
seat 1 rides 1
seat 1 rides 2
""",
    "refused bet": """rulebook nsw-1
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 500

round
hand 1 Th Td 4c
community Ks 2d
seat 1 bets 10
seat 3 bets 10
casino_supervisor orders refuse_bet seats 3 because late
seat 1 rides 1
seat 1 rides 2
""",
    "english": """rulebook nsw-1
dealer auto
seat 1 sits Ann 500

round
hand 1 Th Td 4c
community Ks 2d
seat 1 bets 10
casino_supervisor orders english_only
seat 1 rides 1
seat 1 rides 2
""",
    "collusion": """rulebook nsw-1
dealer auto
seat 1 sits Ann 500

round
hand 1 Th Td 4c
community Ks 2d
seat 1 bets 10
casino_supervisor orders bar seats 1 ground collusion
seat 1 rides 1
seat 1 rides 2
""",
    "device": """rulebook nsw-1
dealer auto
seat 1 sits Ann 500

round
hand 1 Th Td 4c
community Ks 2d
seat 1 bets 10
casino_supervisor orders bar seats 1 ground device
seat 1 rides 1
seat 1 rides 2
""",
    "taken back": """rulebook nsw-1
set limit.cents_max = 1000
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 500

round
hand 1 Th Td 4c
community Ks 2d
seat 1 bets 10
seat 3 bets 10
seat 3 bets nothing
seat 1 rides 1
seat 1 rides 2
""",
}
"""By what they are about."""
