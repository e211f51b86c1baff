// Find: which situations a person may mean, by the phrases the server sent along; the same as training/ruling_desk/phrases.
import type { Http } from "../../generated/api";

const NEAR = 0.8;

type Word = Set<string>;
export type Finder = (text: string) => Http.SituationTold[];

/** Return what finds the situations of a desk, the likeliest first; it needs no network. */
export function finder(desk: Http.RulingDesk): Finder {
  const heads = new Map<string, Word>();
  for (const [head, words] of Object.entries(desk.same)) {
    for (const word of [head, ...words]) heads.set(word, (heads.get(word) ?? new Set()).add(head));
  }
  const silent = new Set(desk.silent);
  const meant = (word: string): Word => {
    const known = heads.get(word);
    if (known) return known;
    const near = [...heads].filter(([one]) => isNear(word, one)).slice(0, 2);
    return new Set([word, ...near.flatMap(([, found]) => [...found])]);
  };
  const words = (text: string): Word[] =>
    (text.toLowerCase().replaceAll("'s", "").match(/[a-z0-9]+/g) ?? []).filter((word) => !silent.has(word)).map(meant);
  const known = desk.situations.map((one) => ({ one, phrases: one.phrases.map(words) }));
  const weights = new Map<string, number>();
  for (const { phrases } of known) for (const word of new Set(phrases.flatMap((phrase) => phrase.flatMap((one) => [...one])))) weights.set(word, (weights.get(word) ?? 0) + 1);
  const weight = (word: Word): number => Math.min(...[...word].map((one) => (weights.has(one) ? Math.log(1 + known.length / weights.get(one)!) : 1)));
  const sum = (some: Word[], value: (one: Word) => number): number => some.reduce((total, one) => total + value(one) * weight(one), 0);
  const fit = (typed: Word[], phrase: Word[]): number => {
    const met = sum(typed, (word) => Math.max(...phrase.map((other) => alike(word, other))));
    const back = sum(phrase, (other) => Math.max(...typed.map((word) => alike(word, other))));
    return ((2 * met) / sum(typed, () => 1) + back / sum(phrase, () => 1)) / 3;
  };
  return (text) => {
    const typed = words(text);
    if (!typed.length) return [];
    return known
      .map(({ one, phrases }) => ({ one, fit: Math.max(...phrases.map((phrase) => fit(typed, phrase))) }))
      .filter((found) => found.fit > 0)
      .sort((a, b) => b.fit - a.fit)
      .map((found) => found.one);
  };
}

function alike(word: Word, other: Word): number {
  if ([...word].some((one) => other.has(one))) return 1;
  return [...word].some((one) => [...other].some((two) => isNear(one, two))) ? NEAR : 0;
}

/** Whether two words differ by a typing mistake. */
function isNear(one: string, two: string): boolean {
  const least = Math.min(one.length, two.length);
  const most = least >= 8 ? 2 : 1;
  return least >= 4 && Math.abs(one.length - two.length) <= most && distance(one, two) <= most;
}

function distance(one: string, two: string): number {
  let above: number[] = [];
  let row = Array.from({ length: two.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const before = above;
    above = row;
    row = [i];
    for (let j = 1; j <= two.length; j += 1) {
      let best = Math.min(row[j - 1]! + 1, above[j]! + 1, above[j - 1]! + (one[i - 1] === two[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === two[j - 2] && one[i - 2] === two[j - 1]) best = Math.min(best, before[j - 2]! + 1);
      row.push(best);
    }
  }
  return row[two.length]!;
}
