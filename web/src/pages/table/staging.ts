// Staging: bets as they are made on the rail, before they are sent: a chip more, twice, half, without one; the sign's
// limits are kept, nothing else is judged here.
import type { View } from "../../generated/api";
import type { Wagers } from "./game";
import { baseSpots, isBase, isFixed, sideBet } from "./spots";
import { sumOf } from "./sums";

/** Bets with one chip more on a spot; the spots of the base game have equal bets, so they get one each. */
export function withChip(view: View, wagers: Wagers, name: string, cents: number): Wagers {
  const bet = sideBet(view, name);
  if (bet && isFixed(bet)) return { ...wagers, [name]: wagers[name] ? 0 : bet.cents_min };
  if (bet) return { ...wagers, [name]: onSteps(view, name, (wagers[name] ?? 0) + cents, Math.ceil) };
  return { ...wagers, ...Object.fromEntries(baseSpots(view).map((spot) => [spot, (wagers[spot] ?? 0) + cents])) };
}

/** The bets a chip is added to: those there are, or beside a first side bet the base bets of the last round. */
export function beneath(view: View, wagers: Wagers, name: string, last: Wagers | null): Wagers {
  if (!last || sumOf(wagers) || isBase(name) || view.sign.bet_alone.includes(name)) return wagers;
  return Object.fromEntries(baseSpots(view).map((spot) => [spot, last[spot] ?? 0]));
}

/** An amount of a side bet on the sign's own steps, counted from the least; nothing stays nothing. */
function onSteps(view: View, name: string, cents: number, round: (value: number) => number): number {
  const bet = sideBet(view, name)!;
  if (cents <= 0) return 0;
  return bet.cents_min + round(Math.max(cents - bet.cents_min, 0) / bet.cents_step) * bet.cents_step;
}

/** A bet as near to an amount as the sign lets it be, rounded down. */
function within(view: View, name: string, cents: number): number {
  const bet = sideBet(view, name);
  if (bet) return isFixed(bet) ? bet.cents_min : Math.min(onSteps(view, name, cents, Math.floor), bet.cents_max);
  const { spot_cents_min: least, spot_cents_max: most, step_cents: step } = view.sign;
  return Math.max(least, Math.min(most, least + Math.floor((cents - least) / step) * step));
}

/** Bets as many times as high, as far as the sign lets them be: `times` is 2 or a half. */
export function scaled(view: View, wagers: Wagers, times: number): Wagers {
  const down = Object.entries(wagers).filter(([, cents]) => cents > 0);
  return Object.fromEntries(down.map(([name, cents]) => [name, within(view, name, cents * times)]));
}

/** Bets without the one on a spot; the three of the base game go together. */
export function without(wagers: Wagers, name: string): Wagers {
  return Object.fromEntries(Object.entries(wagers).filter(([one]) => (isBase(name) ? !isBase(one) : one !== name)));
}

/** Whether two makings of bets are the same. */
export const isSame = (one: Wagers, other: Wagers): boolean =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => (one[name] ?? 0) === (other[name] ?? 0));
