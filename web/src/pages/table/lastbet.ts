// Last bet: what a person bet last at a table, kept on the device for *the same again*; it is no one else's.
import { KEPT_BETS, me } from "../../state/session";
import type { Wagers } from "./game";

const nameOf = (id: string): string => `${KEPT_BETS}${id}`;

interface LastBet {
  wagers: Wagers;
  tokens?: boolean;
}

/** Return what the person who is signed in bet last at a table, on this device. */
export function keptBet(id: string): LastBet | null {
  try {
    const found = JSON.parse(localStorage.getItem(nameOf(id)) ?? "null") as (Partial<LastBet> & { who?: string }) | null;
    return found?.who === me.peek()?.name && found?.wagers ? { wagers: found.wagers, tokens: found.tokens ?? false } : null;
  } catch {
    return null;
  }
}

/** Remember it. */
export function keepBet(id: string, bet: LastBet): void {
  try {
    localStorage.setItem(nameOf(id), JSON.stringify({ who: me.peek()?.name, ...bet }));
  } catch {
    // then it is remembered until the page is closed
  }
}
