// Settings: how a person wants the page on this device; nothing the server needs to know.
import { computed, effect, signal, type Signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";

function kept<T extends string | boolean | number>(name: string, first: T): Signal<T> {
  let begun = first;
  try {
    begun = JSON.parse(localStorage.getItem(`letitride.${name}`) ?? "null") ?? first;
  } catch {
    // a browser that keeps nothing, or something that is not ours
  }
  const found = signal(begun);
  effect(() => {
    const text = JSON.stringify(found.value);
    try {
      localStorage.setItem(`letitride.${name}`, text);
    } catch {
      // then it holds until the page is closed
    }
  });
  return found;
}

export const theme = kept<Theme>("theme", "auto");
/** The language that was chosen; empty: as the browser has it. */
export const chosenLanguage = kept<string>("language", "");
/** Whether the four suits have four colors. */
export const fourColours = kept<boolean>("four-colours", true);
/** Whether clocks are shown. */
export const clocks = kept<boolean>("clocks", true);
/** Whether things move; a system that asks for less motion is always heard. */
export const motion = kept<boolean>("motion", true);
/** Whether the table is told in words instead of drawn. */
export const textView = kept<boolean>("text-view", false);
/** The paytable that is learned. */
export const learnedTable = kept<string>("learned-table", "");
/** The rule book that is learned. */
export const learnedBook = kept<string>("learned-book", "");
/** Whether those who work at a table do so by single keys. */
export const staffKeys = kept<boolean>("staff-keys", true);
/** Whether the page tells how the game is played; a person who knows it folds it away. */
export const tellsHow = kept<boolean>("tells-how", true);

/** Whether a player has had a session on this device: then the lobby shows the tables first. */
export const beenHere = kept<boolean>("been-here", false);
/** How loud sounds are, 0 to 100; below 0: it was not chosen. */
export const volume = kept<number>("volume", -1);
/** Whether a phone vibrates. */
export const buzz = kept<boolean>("buzz", true);
/** How fast one wants to be dealt to when no other person sits at the table. */
export const pace = kept<"normal" | "fast" | "turbo">("pace", "normal");

const FIRST_VOLUME = 50;
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
/** How loud it is: who asks for less motion hears nothing until they choose to. */
export const loudness = computed(() => (volume.value >= 0 ? volume.value : still || !motion.value ? 0 : FIRST_VOLUME));

/** Switch sounds off, or on as loud as they are at first. */
export function switchSound(): void {
  volume.value = loudness.value ? 0 : FIRST_VOLUME;
}

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  document.documentElement.dataset.suits = fourColours.value ? "four" : "two";
  document.documentElement.dataset.motion = motion.value ? "full" : "less";
});
