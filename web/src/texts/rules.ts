// Rules: words a rule of the table from its key and value; where a language has no words for them, the server's English.
import { betName, hasText, money, roleName, t, type Text } from ".";
import type { Http } from "../generated/api";
import { bookTitle } from "../state/titles";

export interface RuleWords {
  about: string;
  says: string;
  origin: string;
}

/** What a rule is about, what it says here, and who says so. */
export function ruleTexts(rule: Http.RuleText): RuleWords {
  const [family, name] = rule.wager ? ["term", rule.key.slice(rule.wager.length + 1)] : ["rule", rule.key];
  const key = `${family}key.${name}`;
  const own = hasText(key);
  const about = own ? t(key as Text) : rule.about;
  return {
    about: own && rule.wager ? t("value.of_bet", { bet: betName(rule.wager), about }) : about,
    says: own ? valueWords(rule, `${family}value.${name}`) : rule.says,
    origin: originWords(rule),
  };
}

function originWords(rule: Http.RuleText): string {
  const origin = t(`origin.${rule.origin}` as Text, { book: bookTitle(rule.book) } as never);
  if (!rule.departs_document) return origin;
  const source = rule.departs_from.map((clause) => clause.id).join(", ") || rule.departs_document;
  return t("origin.departs", { origin, source });
}

function valueWords({ value, unit }: Http.RuleText, family: string): string {
  const named = (one: string): string => {
    const key = `${family}.${one}`;
    return hasText(key) ? t(key as Text) : hasText(`role.${one}`) ? roleName(one) : betName(one);
  };
  if (value === null) return t("value.unset");
  if (typeof value === "boolean") return t(value ? "value.yes" : "value.no");
  if (typeof value === "number") {
    if (unit === "cents") return money(value);
    return unit ? t(`unit.${unit}` as Text, { n: value } as never) : named(String(value));
  }
  if (typeof value === "string") return value ? named(value) : t("value.none");
  return value.map((one) => (typeof one === "string" ? named(one) : feeWords(one))).join(", ") || t("value.none");
}

function feeWords(tier: Record<string, number>): string {
  const [limit, wager, hand] = ["limit_cents_max", "wager_cents", "bank_cents"].map((name) => money(tier[name] ?? 0));
  return t("value.fee", { limit: limit ?? "", wager: wager ?? "", hand: hand ?? "" });
}
