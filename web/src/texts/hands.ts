// Hands: what hands and their odds are called on the signs: those that the page has words for in its language, others as they come.
import { decimal, hasText, money, t } from ".";

/** A hand of a paytable: 'royal flush'. */
export function handName(label: string): string {
  const key = `hand.${label.replaceAll(" ", "_")}`;
  return hasText(key) ? t(key) : label;
}

const number = (text: string): number => Number(text.replaceAll(",", ""));

/** The odds of a hand: '1,000 to 1', 'win $50', '70 to 1 (1 hand)'. */
export function oddsName(odds: string): string {
  return odds
    .replace(/([\d,]+) to (\d+)/g, (_, pays: string, one: string) => t("odds.to", { pays: decimal(number(pays)), one }))
    .replace(/^win \$([\d,.]+)$/, (_, dollars: string) => t("odds.win", { amount: money(Math.round(number(dollars) * 100)) }))
    .replace(/\((\d+) hands?\)/g, (_, hands: string) => t("odds.hands", { hands: Number(hands) }));
}
