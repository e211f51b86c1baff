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
const loads: Partial<Record<Language, () => Promise<{ default: Messages }>>> = { es: () => import("catalogue:es") };
const loaded = signal<Partial<Record<Language, Messages>>>({ en });

const wanted = computed((): Language => {
  if (isLanguage(chosenLanguage.value)) return chosenLanguage.value;
  return navigator.languages.map((one) => one.split("-")[0]!).find(isLanguage) ?? FIRST;
});

/** The language in force: the one that is wanted, once its texts are here. */
export const language = computed((): Language => (loaded.value[wanted.value] ? wanted.value : FIRST));
/** The texts of the language in force; what it lacks the first one has. */
export const messages = computed((): Messages => (language.value === FIRST ? en : { ...en, ...loaded.value[language.value] }));
/** The language with the browser's region, for numbers and dates. */
export const locale = computed((): string => navigator.languages.find((one) => one.split("-")[0] === language.value) ?? language.value);

async function load(code: Language): Promise<void> {
  const found = loaded.peek()[code] ?? (await loads[code]?.())?.default;
  if (found) loaded.value = { ...loaded.peek(), [code]: found };
}

effect(() => void load(wanted.value).catch(() => undefined)); // then the page stays in the language it has
effect(() => {
  document.documentElement.lang = language.value;
});

/** Done when the texts of the wanted language are here, or cannot be had. */
export const spoken = (): Promise<void> => load(wanted.peek()).catch(() => undefined);
