// Texts: gives the words of a key in the language in force; knows no words itself.
import en from "catalogue:en";
import type { Texts } from "../generated/texts";

export { betName, learnBets, spoken } from "./bets";

export type Text = keyof Texts;
type Values<K extends Text> = Record<never, never> extends Texts[K] ? [values?: Texts[K]] : [values: Texts[K]];

/** The words of a key, with its values put in. */
export function t<K extends Text>(key: K, ...[values]: Values<K>): string {
  const found = en[key]!;
  return typeof found === "string" ? found : found(values ?? {});
}

/** Whether there are words for a key that was put together. */
export function hasText(key: string): key is Text {
  return key in en;
}

const plain = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", minimumFractionDigits: 2 });

/** An amount as it is written: $5, $12.50. */
export function money(cents: number): string {
  return cents % 100 ? exact.format(cents / 100) : plain.format(cents / 100);
}

/** An amount that was won or lost, with its sign: +$5, −$5. */
export function signed(cents: number): string {
  return cents > 0 ? `+${money(cents)}` : cents < 0 ? `−${money(-cents)}` : money(0);
}

/** Cents of an amount of dollars that is typed, 0 for an empty field; null where it is no amount. */
export function centsOf(text: string): number | null {
  const typed = text.trim().replace(/^\$\s*/, "");
  if (!typed) return 0;
  const isAmount = /^((\d{1,9}|\d{1,3}(,\d{3})+)(\.\d{0,2})?|\.\d{1,2})$/.test(typed);
  return isAmount ? Math.round(Number(typed.replaceAll(",", "")) * 100) : null;
}

/** A share in percent: 3.5057%. */
export function percent(share: number, digits: number): string {
  return `${(100 * share).toFixed(digits)}%`;
}

const RANKS = "23456789TJQKA";

/** A card in words, as it is spoken: 'Th' is ten of hearts, '[red]' a red back. */
export function cardName(card: string): string {
  if (card === "[red]" || card === "[blue]") return t(card === "[red]" ? "card.back.red" : "card.back.blue");
  if (card === "Joker") return t("card.joker");
  const [rank = "", suit = ""] = card;
  if (!RANKS.includes(rank)) return card;
  return t("card.of", { rank: t(`card.${rank}` as Text), suit: t(`card.${suit}` as Text) });
}
