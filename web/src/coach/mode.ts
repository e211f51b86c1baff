// Mode: when the coach speaks, as the person has chosen; the house keeps it with the person.
import { computed } from "@preact/signals";
import type { Http } from "../generated/api";
import { ask, told } from "../net/api";
import { say } from "../parts/Toast";
import { me } from "../state/session";

export type Mode = Http.Me["coach"];
export const MODES: Mode[] = ["before", "after", "off"];

export const mode = computed<Mode>(() => me.value?.coach ?? "after");

/** Choose when the coach speaks; what the house does not keep is put back. */
export async function choose(wanted: Mode): Promise<void> {
  const before = me.value;
  if (!before) return;
  me.value = { ...before, coach: wanted };
  try {
    await ask("PUT /api/me/settings", { body: { coach: wanted } });
  } catch (error) {
    if (me.value?.name === before.name) me.value = { ...me.value, coach: before.coach };
    say(told(error), "trouble");
  }
}
