// Bets: what bets are called: the published ones by the rules' own data, a house's own as views and lists tell them.
import { BASE, BASE_MARKS, TITLES } from "../generated/wagers";
import { hasText, t, type Text } from ".";

const own = new Map<string, string>();

/** Keep what bets are called, by the names of their spots. */
export function learnBets(bets: Iterable<readonly [string, string]>): void {
  for (const [spot, title] of bets) if (!(spot in BASE_MARKS)) own.set(spot, title);
}

/** What a bet is called: 'bet 1', '3 Card Bonus'. */
export function betName(name: string): string {
  if (name === BASE) return t("bet.base");
  const mark = BASE_MARKS[name];
  return mark ? t("bet.name", { mark }) : (own.get(name) ?? TITLES[name] ?? name.replaceAll("_", " "));
}

/** What a side bet is about, in a sentence; a house's own in the house's words. */
export function betAbout(bet: { spot: string; about: string }): string {
  const key = `about.${bet.spot}`;
  return hasText(key) ? t(key as Text) : bet.about;
}

/** A sentence of the server's with its names of bets as the page says them. */
export function spoken(sentence: string): string {
  return sentence.replace(/(?<![\w-])[a-z][a-z0-9]*(?:[-_][a-z0-9$]+)*(?![\w-])/g, (name) => (isPlain(name) ? name : betName(name)));
}

/** Whether a word is no name of a bet, or one that is said as it is written. */
function isPlain(name: string): boolean {
  if (name in BASE_MARKS) return false;
  const title = own.get(name) ?? (/[-_]/.test(name) ? TITLES[name] : undefined);
  return !title || title.toLowerCase() === name;
}
