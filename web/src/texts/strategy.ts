// Strategy: words the classes of cards and the rules of best play that the server sends as codes; it knows no best play.
import { hasText, t, type Text } from ".";

/** What a player holds: 'a pair of tens or better', 'three suited cards, …'; `words` where the code is unknown. */
export function holdingWords(code: string, cards: number, words: string): string {
  const [kind = "", ways, highs] = code.split(":");
  if (kind === "suited") return t("cards.suited", { cards, ways: Number(ways), highs: Number(highs) });
  if (kind === "unsuited") return t("cards.unsuited", { cards, ways: Number(ways), highs: Number(highs) });
  const key = `cards.${kind}`;
  return kind && hasText(key) ? t(key as Text) : words;
}

/** A kind of decision in words: '3:suited:2:1' is about three cards. */
export function kindWords(kind: string, words: string): string {
  const [cards = "", ...code] = kind.split(":");
  return holdingWords(code.join(":"), Number(cards), words);
}

/** A line of the rule list: 'three suited cards with 1 to 2 ways to a straight flush and 2 or more high cards'. */
export function ruleWords(code: string, cards: number, words: string): string {
  const [kind = "", ways = "", highs = "0"] = code.split(":");
  if (kind === "paying") return t("rule.paying");
  if (kind !== "suited" && kind !== "unsuited") return holdingWords(code, cards, words);
  const more = t("rule.highs", { highs: Number(highs) });
  const [least = 0, most = 0] = ways.split("-").map(Number);
  if (!most) return t(`rule.${kind}.any`, { cards }) + more;
  return (least === most ? t(`rule.${kind}.exact`, { cards, ways: most }) : t(`rule.${kind}.range`, { cards, least, ways: most })) + more;
}
