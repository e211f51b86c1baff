// Settings: how a person wants the page on this device; nothing the server needs to know.
import { effect, signal, type Signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";

function kept<T extends string | boolean>(name: string, first: T): Signal<T> {
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
/** Whether the four suits have four colours. */
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
/** Whether the coach speaks before a decision, where the table's book allows it. */
export const advising = kept<boolean>("advice", true);
/** Whether those who work at a table do so by single keys. */
export const staffKeys = kept<boolean>("staff-keys", true);
/** Whether the page tells how the game is played; a person who knows it folds it away. */
export const tellsHow = kept<boolean>("tells-how", true);

/** Whether a player has had a session on this device: then the lobby shows the tables first. */
export const beenHere = kept<boolean>("been-here", false);

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  document.documentElement.dataset.suits = fourColours.value ? "four" : "two";
  document.documentElement.dataset.motion = motion.value ? "full" : "less";
});
