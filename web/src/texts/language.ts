// Language: which language the page speaks: the one that was chosen on this device, else the first of the browser's it knows.
import { computed, effect, signal } from "@preact/signals";
import en from "catalogue:en";
import type { Messages } from "../generated/texts";
import { chosenLanguage } from "../state/settings";

/** The languages by their own names. */
export const LANGUAGES = { en: "English", es: "Español" } as const;
export type Language = keyof typeof LANGUAGES;

const FIRST: Language = "en";
const isLanguage = (code: string): code is Language => code in LANGUAGES;
type Load = () => Promise<{ default: Messages }>;
const loads: Partial<Record<Language, Load>> = { es: () => import("catalogue:es") };
/** Texts of pages that a player on the way to a table does not see: they come with the first of these pages. */
const laterLoads: Record<Language, Load> = { en: () => import("catalogue:en/later"), es: () => import("catalogue:es/later") };
const loaded = signal<Partial<Record<Language, Messages>>>({ en });
const later = signal<Partial<Record<Language, Messages>>>({});
const wantsLater = signal(false);

const wanted = computed((): Language => {
  if (isLanguage(chosenLanguage.value)) return chosenLanguage.value;
  return navigator.languages.map((one) => one.split("-")[0]!).find(isLanguage) ?? FIRST;
});

/** The language in force: the one that is wanted, once its texts are here. */
export const language = computed((): Language => (loaded.value[wanted.value] ? wanted.value : FIRST));
/** The texts of the language in force; what it lacks the first one has. */
export const messages = computed((): Messages => {
  const first: Messages = { ...en, ...later.value[FIRST] };
  return language.value === FIRST ? first : { ...first, ...loaded.value[language.value], ...later.value[language.value] };
});
/** The language with the browser's region, for numbers and dates. */
export const locale = computed((): string => navigator.languages.find((one) => one.split("-")[0] === language.value) ?? language.value);

async function load(code: Language): Promise<void> {
  const found = loaded.peek()[code] ?? (await loads[code]?.())?.default;
  if (found) loaded.value = { ...loaded.peek(), [code]: found };
}

async function loadLater(code: Language): Promise<void> {
  const parts = [...new Set([FIRST, code])].filter((one) => !later.peek()[one]);
  const found = await Promise.all(parts.map(async (one) => [one, (await laterLoads[one]()).default] as const));
  if (found.length) later.value = { ...later.peek(), ...Object.fromEntries(found) };
}

/** A page or a part that brings texts of its own: done when both are here. */
export async function withTexts<T>(page: Promise<T>): Promise<T> {
  const [found] = await Promise.all([page, loadLater(wanted.peek())]);
  wantsLater.value = true;
  return found;
}

effect(() => void (wantsLater.value && loadLater(wanted.value).catch(() => undefined)));
effect(() => void load(wanted.value).catch(() => undefined)); // then the page stays in the language it has
effect(() => {
  document.documentElement.lang = language.value;
});

/** Done when the texts of the wanted language are here, or cannot be had. */
export const spoken = (): Promise<void> => load(wanted.peek()).catch(() => undefined);
