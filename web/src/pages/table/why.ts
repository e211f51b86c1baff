// Why: what happened to a wager and why, in words; hand, pay and cut come with the view, nothing is reckoned here.
import type { Reading, Reason, SeatView, View } from "../../generated/api";
import { BASE } from "../../generated/wagers";
import { money, signed, t } from "../../texts";
import { readHand } from "../../texts/engine";
import { handName, payName } from "../../texts/hands";
import { fateOf } from "./sums";
import { baseSpots, isBase } from "./spots";

export type Line = SeatView["results"][number];

const upper = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);
const back = (line: Line): number => line.back_cents ?? 0;

/** What a hand was that a wager was judged on: as the dealer reads it where it is the player's own five cards. */
function handOf(reason: Reason, hand: readonly Reading[] | null): string {
  return isBase(reason.wager) && hand?.[0] ? readHand([hand[0]]) : handName(reason.hand);
}

function won(line: Line, reason: Reason, hand: readonly Reading[] | null, view: View): string {
  const amount = signed(line.paid_cents ?? 0);
  const name = handName(reason.row || reason.hand);
  const odds = reason.odds ? payName([{ odds: reason.odds }]) : "";
  const says = !odds
    ? t("why.wins", { hand: handOf(reason, hand), amount })
    : reason.seat
      ? t("why.best", { hand: name, seat: reason.seat, odds, hands: reason.hands ?? 0, amount })
      : t("why.pays", { hand: name, odds, amount });
  if (reason.beside_cents) return `${says} ${t("why.beside", { amount: money(reason.beside_cents) })}`;
  if (reason.full_cents) return `${says} ${t(view.bank ? "why.cut.bank" : "why.cut", { full: money(reason.full_cents) })}`;
  return says;
}

/** What happened to a wager and why, in one line. */
export function whyOf(line: Line, reasons: readonly Reason[], hand: readonly Reading[] | null, view: View): string {
  const reason = reasons.find((one) => one.wager === line.wager);
  switch (line.fate) {
    case "won":
      return upper(reason ? won(line, reason, hand, view) : t("why.won", { amount: signed(line.paid_cents ?? 0) }));
    case "lost":
      if (line.paid_cents) return upper(fateOf(line));
      return reason ? t("why.lost", { hand: handOf(reason, hand) }) : t("why.lost.plain");
    case "withdrawn":
      return back(line) < line.stake_cents
        ? t("why.withdrawn.part", { amount: money(back(line)), kept: money(line.stake_cents - back(line)) })
        : t("why.withdrawn", { amount: money(back(line)) });
    case "returned":
      return t("why.returned", { amount: money(line.stake_cents) });
    case "void":
      return t("why.void", { amount: money(back(line) || line.stake_cents) });
    default:
      return t("why.forfeited", { amount: money(line.stake_cents) });
  }
}

/** The reason of the base game's result, the same for each of its bets. */
export const baseReason = (view: View, reasons: readonly Reason[]): Reason | undefined =>
  baseSpots(view)
    .map((spot) => reasons.find((one) => one.wager === spot))
    .find(Boolean);

/** The rows of the paytables that were paid, by wager. */
export function paidRows(reasons: readonly Reason[]): Record<string, string> {
  return Object.fromEntries(reasons.filter((one) => one.row).map((one) => [isBase(one.wager) ? BASE : one.wager, one.row!]));
}

/** How great a base win is: 0 for none, then row by row up the paytable, at most 9 for the best. */
export function greatness(view: View, reasons: readonly Reason[]): number {
  const rows = Object.keys(view.sign.pay_values[BASE] ?? {});
  const at = rows.indexOf(baseReason(view, reasons)?.row ?? "");
  return at < 0 ? 0 : Math.max(1, Math.min(9, 9 - Math.round((at * 8) / Math.max(rows.length - 1, 1))));
}

/** The cards to light: those that make the own hands that were paid for, or else the hand of the base game. */
export const litCards = (view: View, reasons: readonly Reason[]): ReadonlySet<string> => {
  const paid = reasons.filter((one) => one.row && !one.seat);
  return new Set((paid.length ? paid : [baseReason(view, reasons)]).flatMap((one) => one?.made ?? []));
};
