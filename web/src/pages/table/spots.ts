// Spots: the places for bets on a table's felt, as its view tells them; no bet is known here by its name.
import { BASE_MARKS } from "../../generated/wagers";
import type { SideBetView, View } from "../../generated/api";
import { betAbout, money } from "../../texts";

/** The keys that mean something else at a table. */
const KEYS_TAKEN = "adghkmnpqrstuwxz";
const LABEL_MAX = 4;

export interface SpotLook {
  mark: string;
  /** What it looks like: the base game's circle, the lamp of a fixed amount, or one of two squares. */
  kind: "circle" | "fixed" | "square" | "double";
  /** What its mark stands for. */
  about: string;
}

const MARKED = new Map(Object.entries(BASE_MARKS).map(([spot, mark]) => [mark, spot]));

export const isBase = (name: string): boolean => name in BASE_MARKS;
export const baseSpots = (view: View): string[] => view.felt.spots.map((mark) => MARKED.get(mark) ?? mark);
/** The spot of a base bet by its number. */
export const baseSpot = (bet: number): string => MARKED.get(String(bet)) ?? "";
/** The base bet that is never taken back. */
export const lastSpot = (view: View): string => baseSpots(view).at(-1) ?? "";
export const sideSpots = (view: View): string[] => view.sign.side_bets.map((one) => one.spot);
export const sideBet = (view: Pick<View, "sign">, name: string): SideBetView | undefined => view.sign.side_bets.find((one) => one.spot === name);
/** Whether one amount alone may be bet. */
export const isFixed = (bet: SideBetView | undefined): boolean => !!bet && bet.cents_min === bet.cents_max;

export function lookOf(view: View, name: string): SpotLook {
  const bet = sideBet(view, name);
  if (!bet) return { mark: BASE_MARKS[name] ?? name, kind: "circle", about: "" };
  const words = betAbout(bet);
  const about = words.startsWith(bet.title) ? words : `${bet.title}: ${words}`;
  const open = view.sign.side_bets.filter((one) => !isFixed(one));
  return { mark: markOf(view, bet), kind: isFixed(bet) ? "fixed" : open.indexOf(bet) % 2 ? "double" : "square", about };
}

/** What fits on a spot: of a long label the bet's one amount, where no other bet has it, or its words' first letters. */
export function markOf(view: Pick<View, "sign">, { label, cents_min: amount, ...bet }: SideBetView): string {
  if (label.length <= LABEL_MAX) return label;
  const same = view.sign.side_bets.filter((one) => isFixed(one) && one.cents_min === amount);
  if (bet.cents_max === amount && same.length === 1) return money(amount);
  const words = label.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words.length > 1 ? words.map((word) => word[0]!.toUpperCase()).join("").slice(0, 4) : label.slice(0, 4);
}

/** A key for each side bet: the first free one of its words' first letters, its consonants, its vowels. */
export function sideKeys(view: View): [string, SideBetView][] {
  const keys = new Map<string, SideBetView>();
  for (const bet of view.sign.side_bets) {
    const all = [...`${bet.spot}${bet.title.toLowerCase()}`];
    const first = bet.spot.split("_").map((word) => word[0] ?? "");
    const letters = [...first, ...all.filter((one) => !"aeiou".includes(one)), ...all];
    const free = letters.find((one) => /^[a-z]$/.test(one) && !KEYS_TAKEN.includes(one) && !keys.has(one));
    if (free) keys.set(free, bet);
  }
  return [...keys];
}
