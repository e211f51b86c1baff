// Cues: which sounds go with what is new in a view; they follow what is shown and tell nothing more.
import type { SeatView, View } from "../generated/api";

export type Cue = "card" | "turn" | "chips" | "ask" | "tick" | "win" | "great" | "royal" | "lost";

const many = (view: View): number => Object.values(view.seats).reduce((sum, seat) => sum + seat.cards.length, view.community.length + view.packet.length);
const up = (cards: readonly string[]): string => cards.filter((card) => !card.startsWith("[")).join();
const bets = (view: View): string => JSON.stringify(Object.values(view.seats).map((seat) => seat.wagers));

/** What a player's results sound like; `great` tells how good a hand it is, 0 to 9. */
function ended(was: SeatView | undefined, now: SeatView | undefined, great: number): Cue | null {
  if (!now?.results.length || was?.results.length) return null;
  const net = now.results.reduce((sum, one) => sum + (one.paid_cents ?? 0) + (one.back_cents ?? 0) - one.stake_cents, 0);
  if (net < 0) return "lost";
  if (net === 0) return null;
  return great >= 9 ? "royal" : great >= 4 ? "great" : "win";
}

/** The sounds between two views, for a player with these seats. */
export function cues(before: View | null, now: View, own: readonly number[], greatness: (seat: SeatView) => number): Cue[] {
  if (!before) return [];
  const found: Cue[] = [];
  if (many(now) > many(before)) found.push("card");
  if (up(now.community) !== up(before.community) && up(now.community).length > up(before.community).length) found.push("turn");
  if (bets(now) !== bets(before)) found.push("chips");
  const asked = (view: View): boolean => view.offers.some((one) => one.type === "Choose");
  if (asked(now) && (!asked(before) || now.phase !== before.phase)) found.push("ask");
  for (const seat of own) {
    const heard = ended(before.seats[seat], now.seats[seat], now.seats[seat] ? greatness(now.seats[seat]) : 0);
    if (heard) found.push(heard);
  }
  return found;
}
