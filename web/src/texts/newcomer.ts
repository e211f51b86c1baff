// Newcomer's words: what the game is, in a few lines that hold at every table; what pays there the table itself says.
export const newcomer = {
  "how.title": "How to play",
  "how.bet": "Make three equal bets",
  "how.bet.text": "They lie on 1, 2 and $. You play for yourself: no hand has to be beaten, neither the dealer’s nor another player’s.",
  "how.three": "Look at your three cards",
  "how.three.text": "Let bet 1 ride, or take it back. Two more cards lie face down in the middle and count for everybody.",
  "how.four": "See the first card in the middle",
  "how.four.text": "Now the same question for bet 2, whatever you did with bet 1. Bet $ always stays.",
  "how.five": "See the second one",
  "how.five.text": "Your three cards and the two in the middle are your hand of five.",
  "how.paid": "Be paid for your hand",
  "how.paid.text":
    "Every bet you left is paid by the table’s paytable, more for rarer hands; usually a pair of tens is the least that wins. Anything less loses the bets that are left.",
  "how.side": "Side bets, where a table has them, are extra: they have pays of their own and are not taken back.",
  "how.pays": "What pays, and how much, is posted at every table under “Pays”.",
} as const;
