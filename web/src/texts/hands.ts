// Hands: what hands and what they pay are called on the signs: hands that the page has no words for are called as they come.
import { decimal, hasText, money, percent, t } from ".";
import type { PayView } from "../generated/api";

/** A hand of a paytable: 'royal flush'. */
export function handName(label: string): string {
  const key = `hand.${label.replaceAll(" ", "_")}`;
  return hasText(key) ? t(key) : label;
}

/** What a hand pays: '1,000 to 1', 'win $50', '70 to 1 (1 hand) … 20 to 1 (7 hands)', or for a number of hands alone. */
export const payName = (pays: readonly PayView[], hands = 0): string => {
  const now = pays.find((one) => one.hands && one.hands === hands);
  return now ? part(now) : ends(pays);
};

const ends = (pays: readonly PayView[]): string =>
  [...pays.slice(0, 1), ...pays.slice(1).slice(-1)].map((one) => (one.hands ? `${part(one)} ${t("odds.hands", { hands: one.hands })}` : part(one))).join(" … ");

function part({ odds, win_cents = 0, meter_percent = 0, meter_cents = 0 }: PayView): string {
  if (odds) return t("odds.to", { pays: decimal(odds[0]), one: odds[1] });
  if (!meter_percent && !meter_cents) return t("odds.win", { amount: money(win_cents) });
  const share = meter_percent === 100 ? t("odds.meter.whole") : t("odds.meter.part", { part: meter_cents ? money(meter_cents) : percent(meter_percent / 100, 0) });
  return win_cents ? t("odds.and", { share, amount: money(win_cents) }) : share;
}
