// Texts: gives the words of a key in the language in force; knows no words itself.
import type { Texts } from "../generated/texts";
import { locale, messages } from "./language";

export { betAbout, betName, learnBets, spoken } from "./bets";
export { LANGUAGES, language, locale } from "./language";

export type Text = keyof Texts;
type Values<K extends Text> = Record<never, never> extends Texts[K] ? [values?: Texts[K]] : [values: Texts[K]];

/** The words of a key, with its values put in. */
export function t<K extends Text>(key: K, ...[values]: Values<K>): string {
  const found = messages.value[key]!;
  return typeof found === "string" ? found : found(values ?? {});
}

/** Whether there are words for a key that was put together. */
export function hasText(key: string): key is Text {
  return key in messages.value;
}

/** A role as people call it. */
export function roleName(role: string): string {
  const key = `role.${role}`;
  return hasText(key) ? t(key) : role.replaceAll("_", " ");
}

const formats = new Map<string, Intl.NumberFormat>();

/** A number as the language in force writes it. */
function format(value: number, how: Intl.NumberFormatOptions): string {
  const key = `${locale.value} ${JSON.stringify(how)}`;
  const found = formats.get(key) ?? new Intl.NumberFormat(locale.value, how);
  formats.set(key, found);
  return found.format(value);
}

/** An amount as it is written: $5, $12.50. */
export function money(cents: number): string {
  const digits = cents % 100 ? 2 : 0;
  return format(cents / 100, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** An amount that was won or lost, with its sign: +$5, −$5. */
export function signed(cents: number): string {
  return cents > 0 ? `+${money(cents)}` : cents < 0 ? `−${money(-cents)}` : money(0);
}

/** A number with so many digits after the point: 0.1250. */
export function decimal(value: number, digits = 0): string {
  return format(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** An amount of dollars as a field for amounts has it, without the currency: 7.50. */
export function typedDollars(cents: number): string {
  return format(cents / 100, { minimumFractionDigits: cents % 100 ? 2 : 0, useGrouping: false });
}

/** What a field for an amount of dollars takes. */
export const AMOUNT = "\\s*[0-9]*([.,][0-9]{1,3})*\\s*";

/** Cents of an amount of dollars that is typed, 0 for an empty field; null where it is no amount. */
export function centsOf(text: string): number | null {
  const typed = text.trim().replace(/^\$\s*|\s*\$$/g, "");
  if (!typed) return 0;
  const [group, point] = format(1.5, {}).includes(",") ? [".", ","] : [",", "."];
  const grouped = new RegExp(`^\\d{1,3}([${group}]\\d{3})+([${point}]\\d{0,2})?$`);
  const plain = grouped.test(typed) ? typed.replaceAll(group, "").replace(point, ".") : typed.replace(point, ".");
  return /^(\d{1,9}(\.\d{0,2})?|\.\d{1,2})$/.test(plain) ? Math.round(Number(plain) * 100) : null;
}

/** A share in percent: 3.5057%. */
export function percent(share: number, digits: number): string {
  return format(share, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A moment, with its day or without. */
export function moment(ms: number, how: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" }): string {
  return new Intl.DateTimeFormat(locale.value, how).format(ms);
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
