// Engine: words what the engine sends as a code with values, or as a fixed reading: refusals, rulings, hands; it decides nothing.
import { hasText, language, money, t, type Text } from ".";
import type { Answer, Reading, RulingView } from "../generated/api";
import { betName, spoken } from "./bets";
import { handName } from "./hands";

/** Why something was refused: in our words where we have them, else in the server's, which are English. */
export function refusal(answer: Answer): string {
  const key = [`no.${answer.code ?? ""}.${answer.case ?? ""}`, `no.${answer.code ?? ""}`].find(hasText);
  if (key) return t(key as Text, amounts(answer.values ?? {}) as never);
  return language.value === "en" ? spoken(answer.sentence ?? "") : t("no.not_allowed");
}

/** What could not be read or cannot be, by the server's code and its values; null where we have no words for it. */
export function codedWords(code: string, values: Record<string, string | number>): string | null {
  const key = `no.${code}`;
  if (!hasText(key)) return null;
  const named = Object.entries(values).map(([name, value]) => [name, name === "wager" ? betName(`${value}`) : HANDS.has(name) ? inWords(`${value}`) : value]);
  return t(key as Text, Object.fromEntries(named) as never);
}

/** Values of a refusal that are the codes of hands. */
const HANDS = new Set(["hand", "lesser"]);

const inWords = (hand: string): string => handName(hand.replaceAll("_", " "));

/** Values with their amounts of cents as money: `least_cents` becomes `least`. */
export function amounts(values: Record<string, unknown>): Record<string, unknown> {
  const worded = Object.entries(values).map(([name, value]) =>
    name.endsWith("_cents") ? [name.slice(0, -"_cents".length), money(Number(value))] : [name, value],
  );
  return Object.fromEntries(worded) as Record<string, unknown>;
}

/** What was ruled or ordered, as a sentence. */
export function ruled(ruling: Pick<RulingView, "name" | "sentence">): string {
  const [subject = "", then = ""] = ruling.name.split(":");
  const order = `order.${then}`;
  if (subject === "order" && hasText(order)) return t("ruled.order", { order: t(order as Text) });
  const [what, so] = [`what.${subject}`, `then.${then}`];
  if (hasText(what) && hasText(so)) return sentence(t("ruled.so", { what: t(what as Text), then: t(so as Text) }));
  return sentence(spoken(ruling.sentence));
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;

/** How a dealer puts a class of hand and its ranks together; classes that are not here are named alone. */
const FORMS: Record<string, (hand: string, first: string, second: string) => string> = {
  straight_flush: high,
  flush: high,
  straight: high,
  four_of_a_kind: of,
  three_of_a_kind: of,
  full_house: (hand, first, second) => t("read.over", { hand, ranks: many(first), others: many(second) }),
  two_pair: (hand, first, second) => t("read.both", { hand, ranks: many(first), others: many(second) }),
  pair: (_, first) => t("read.pair", { ranks: many(first) }),
  high_card: (_, first) => t("read.card", { rank: one(first) }),
};

/** A rank, as in 'ace high'. */
const one = (rank: string): string => t(`card.${rank}` as Text);

/** A rank in the plural, as in 'pair of aces'. */
const many = (rank: string): string => t(`ranks.${rank}` as Text);

function high(hand: string, first: string): string {
  return t("read.high", { hand, rank: one(first) });
}

function of(hand: string, first: string): string {
  return t("read.of", { hand, ranks: many(first) });
}

/** A hand as the dealer reads it, from its parts: 'full house, aces over kings', then the three cards of a side bet. */
export function readHand([five, three]: readonly Reading[]): string {
  if (!five) return t("read.none");
  return three ? t("read.three", { hand: read(five), three: read(three) }) : read(five);
}

function read({ hand, ranks: [first = "", second = ""] }: { hand: string; ranks: string }): string {
  const name = handName(hand.replaceAll("_", " "));
  return FORMS[hand]?.(name, first, second) ?? name;
}
