// Names: a drill's name in words, and the page it is done at.
import type { Http } from "../../../generated/api";
import { bookTitle } from "../../../state/titles";
import { hasText, t } from "../../../texts";

/** 'dealer:BOOK:watch' or 'player:PAYTABLE:exam' as a person says it. */
export function drillWords(drill: string): string {
  const [trade = "", about = "", name = ""] = drill.split(":");
  if (trade === "player") return t(name === "exam" ? "learn.exam.title" : "learn.drill.title", { paytable: about });
  const key = `staffdrill.${name}.title`;
  return hasText(key) ? `${t(key)}, ${bookTitle(about)}` : drill;
}

/** The page at which an assignment is done. */
export function pageOf(one: Http.AssignmentTold): string {
  const [trade = "", about = "", name = ""] = one.drill.split(":");
  if (trade === "player") return `/learn/player/${about}${name ? `/${name}` : ""}`;
  return `/learn/${trade}/${about}/${name}?assignment=${one.id}`;
}
