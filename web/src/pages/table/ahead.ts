// Ahead: a decision made before the player's turn: kept by the page, sent when the view offers it, and dropped with the round.
import type { View } from "../../generated/api";
import { baseSpot } from "./spots";

export interface Ahead {
  round: number;
  bet: 1 | 2;
  seat: number;
  choice: "ride" | "withdraw";
}

const BETS: Partial<Record<View["phase"], 1 | 2>> = { choice_1: 1, choice_2: 2 };

/** Which bet a seat may decide on ahead of its turn; 0: none. */
export function betAhead(view: View, seat: number): 0 | 1 | 2 {
  const bet = BETS[view.phase];
  const mine = view.seats[seat];
  if (!bet || !mine || view.offers.some((one) => one.type === "Choose")) return 0;
  const seen = mine.cards.length === 3 && mine.cards.every((card) => !card.startsWith("["));
  const stands = (mine.wagers[baseSpot(bet)] ?? 0) > 0 && !mine.choices[String(bet)] && !mine.tucked;
  return seen && stands ? bet : 0;
}

/** What happens to a decision made ahead, by the view as it is now. */
export function fate(view: View, ahead: Ahead): "send" | "keep" | "drop" {
  if (view.round !== ahead.round || BETS[view.phase] !== ahead.bet || view.seats[ahead.seat]?.choices[String(ahead.bet)]) return "drop";
  const offered = view.offers.some((one) => one.type === "Choose" && one.seat === ahead.seat && one.bet === ahead.bet && one.choice === ahead.choice);
  return offered ? "send" : "keep";
}
