// Autoplay: rounds played by the coach's advice until a reason to stop; what may be done is in the view's offers.
import type { View } from "../../generated/api";
import type { Wagers } from "./game";

/** When to stop: after so many rounds, so much lost or won (0: no limit), or a win of `big` times a bet or more (0: never). */
export interface Plan {
  rounds: number;
  loss_cents: number;
  win_cents: number;
  big: number;
}

export interface Run {
  plan: Plan;
  wagers: Wagers;
  /** How many rounds are over, and their result. */
  played: number;
  net_cents: number;
  /** The last round that was counted. */
  round: number;
  /** Whether bets are down for a round that is not counted. */
  waits: boolean;
}

/** Why it stopped. */
export type Stop = "asked" | "rounds" | "loss" | "win" | "big" | "reminder" | "refused" | "away" | "forbidden" | "hands";

export interface Ended {
  round: number;
  net: number;
  lines: readonly { stake_cents: number; paid_cents?: number }[];
}

export const BIG = 5;

export const begun = (plan: Plan, wagers: Wagers, last: number): Run => ({ plan, wagers, played: 0, net_cents: 0, round: last, waits: false });

/** The run with a round that is over counted, once. */
export function counted(run: Run, ended: Ended | undefined): Run {
  if (!ended || !run.waits || ended.round <= run.round) return run;
  return { ...run, played: run.played + 1, net_cents: run.net_cents + ended.net, round: ended.round, waits: false };
}

/** Why to stop after a round, or null. */
export function stopAfter(run: Run, ended: Ended): Stop | null {
  const { plan } = run;
  if (plan.big && ended.lines.some((one) => (one.paid_cents ?? 0) >= plan.big * one.stake_cents && one.stake_cents > 0)) return "big";
  if (plan.loss_cents && run.net_cents <= -plan.loss_cents) return "loss";
  if (plan.win_cents && run.net_cents >= plan.win_cents) return "win";
  return run.played >= plan.rounds ? "rounds" : null;
}

/** Why not to go on, by the view as it is now, or null. */
export function stopNow(view: View, own: readonly number[]): Stop | null {
  if (!view.coach) return "forbidden";
  const [seat] = own;
  if (!seat || view.seats[seat]?.sitting_out) return "away";
  return own.length > 1 ? "hands" : null;
}

export type Next =
  | { do: "send"; command: View["offers"][number] }
  | { do: "decide"; bet: 1 | 2 }
  | { do: "bet" }
  | { do: "wait" };

/** What is done next at a seat: what is offered, by the order in which it is asked. */
export function nextOf(view: View, seat: number, run: Run): Next {
  const here = view.offers.filter((one) => "by" in one && one.by === `seat:${seat}`);
  const mine = view.seats[seat]!;
  const asked = here.find((one) => one.type === "LookOver" || one.type === "DeclineBank" || one.type === "Claim");
  const bets = Object.values(mine.wagers).some((cents) => cents > 0);
  if (asked && (asked.type !== "DeclineBank" || !bets)) return { do: "send", command: asked };
  const choice = here.find((one) => one.type === "Choose");
  if (choice?.type === "Choose") {
    const seen = mine.cards.every((card) => !card.startsWith("["));
    return seen ? { do: "decide", bet: choice.bet as 1 | 2 } : { do: "wait" };
  }
  const place = here.some((one) => one.type === "PlaceWagers");
  return view.betting_open && place && !bets && !run.waits ? { do: "bet" } : { do: "wait" };
}
