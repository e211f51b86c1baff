// Engine: words what the engine sends as a code with values, or as a fixed reading: refusals, rulings, hands; it decides nothing.
import { hasText, money, t, type Text } from ".";
import type { Answer, RulingView } from "../generated/api";
import { spoken } from "./bets";
import { handName } from "./hands";

/** Why something was refused: in our words where we have them, else in the server's. */
export function refusal(answer: Answer): string {
  const key = [`no.${answer.code ?? ""}.${answer.case ?? ""}`, `no.${answer.code ?? ""}`].find(hasText);
  if (!key) return spoken(answer.sentence ?? "");
  const values = Object.entries(answer.values ?? {}).map(([name, value]) =>
    name.endsWith("_cents") ? [name.slice(0, -"_cents".length), money(Number(value))] : [name, value],
  );
  return t(key as Text, Object.fromEntries(values) as never);
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

const RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
const KEYS = "23456789TJQKA";
const PLURALS = RANKS.map((name) => (name === "six" ? "sixes" : name + "s"));

/** A rank, as in 'ace high'. */
function one(name: string): string {
  const key = KEYS[RANKS.indexOf(name)];
  return key ? t(`card.${key}` as Text) : name;
}

/** A rank in the plural, as in 'pair of aces'. */
function many(name: string): string {
  const key = KEYS[PLURALS.indexOf(name)];
  return key ? t(`ranks.${key}` as Text) : name;
}

/** How the dealer reads a hand, in English, which is what records keep. */
const READ: [RegExp, (found: string[]) => string][] = [
  [/^([a-z ]+), (\w+) high$/, ([, hand = "", rank = ""]) => t("read.high", { hand: handName(hand), rank: one(rank) })],
  [/^(full house), (\w+) over (\w+)$/, ([, hand = "", ranks = "", others = ""]) => t("read.over", { hand: handName(hand), ranks: many(ranks), others: many(others) })],
  [/^(two pair), (\w+) and (\w+)$/, ([, hand = "", ranks = "", others = ""]) => t("read.both", { hand: handName(hand), ranks: many(ranks), others: many(others) })],
  [/^([a-z ]+), (\w+)$/, ([, hand = "", ranks = ""]) => t("read.of", { hand: handName(hand), ranks: many(ranks) })],
  [/^pair of (\w+)$/, ([, ranks = ""]) => t("read.pair", { ranks: many(ranks) })],
  [/^(\w+) high$/, ([, rank = ""]) => t("read.card", { rank: one(rank) })],
];

/** A hand as the dealer reads it: 'full house, aces over kings'. */
export function readHand(says: string): string {
  const [hand = "", three] = says.split("; three cards: ");
  return three ? t("read.three", { hand: read(hand), three: read(three) }) : read(hand);
}

function read(says: string): string {
  for (const [pattern, words] of READ) {
    const found = pattern.exec(says);
    if (found) return words(found);
  }
  return handName(says);
}
