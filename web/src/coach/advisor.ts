// Advisor: asks the server what the choice at hand is worth, once for each choice, and keeps how the last one was.
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import type { Http } from "../generated/api";
import { ask } from "../net/api";
import type { Connection } from "../net/table";
import { advising } from "../state/settings";
import { t, type Text } from "../texts";

export interface Advisor {
  /** What the choice at hand is worth; nothing where there is none, or nobody wants to know. */
  decision: ReadonlySignal<Http.DueChoice | null>;
  /** How the last choice of this round was, in a sentence. */
  verdict: ReadonlySignal<string>;
  /** Whether there is a choice to make. */
  due: ReadonlySignal<boolean>;
  /** Ask about this choice alone. */
  once(): void;
}

export const words = (choice: string): string => t(`coach.${choice}` as Text);

/** How a choice was, in a sentence. */
export function judged(made: Pick<Http.ChoiceMadeTold, "bet" | "best" | "even" | "cost_text"> & { chosen: string }): string {
  if (!made.best) return t("coach.unseen", { bet: made.bet });
  if (made.even) return t("coach.level", { bet: made.bet });
  if (made.best === made.chosen) return t("coach.good", { bet: made.bet, choice: words(made.chosen) });
  return t("coach.bad", { bet: made.bet, choice: words(made.chosen), best: words(made.best), cost: made.cost_text ?? "" });
}

const known = new WeakMap<Connection, Advisor>();

/** The advisor of a connection: the same one for everybody who asks. */
export function advisor(table: Connection): Advisor {
  const found = known.get(table) ?? begin(table);
  known.set(table, found);
  return found;
}

function begin(table: Connection): Advisor {
  const told = signal<Http.DueChoice | null>(null);
  const verdict = signal("");
  const asked = signal("");
  const bet = computed(() => ({ choice_1: 1, choice_2: 2 })[table.view.value?.phase ?? ""] ?? 0);
  const round = computed(() => table.view.value?.round ?? 0);
  const mine = computed(() => table.view.value?.seats[table.seat.value]);
  const chosen = computed(() => mine.value?.choices[String(bet.value)] ?? "");
  const seen = computed(() => Boolean(mine.value?.cards.length) && !mine.value?.cards.some((card) => card.startsWith("[")));
  const staked = computed(() => (mine.value?.wagers[`base-${bet.value}` as "base-1"] ?? 0) > 0);
  const due = computed(() => (table.view.value?.coach ?? false) && bet.value > 0 && !chosen.value && seen.value && staked.value);
  const at = computed(() => `${round.value}/${bet.value}`);

  effect(() => {
    const now = at.value;
    if (!due.value || !(advising.value || asked.value === now)) return;
    ask("GET /api/tables/{table_id}/advice", { path: { table_id: table.id } }).then(
      (found) => {
        if (at.peek() === now && found.decision) told.value = found.decision;
      },
      () => undefined, // one can choose without it
    );
  });
  effect(() => {
    const choice = chosen.value;
    const advice = told.peek();
    if (choice && advice?.bet === bet.peek()) verdict.value = judged({ ...advice, chosen: choice, cost_text: advice.gain_text });
  });
  effect(() => {
    at.value;
    if (due.value || !bet.value) {
      told.value = null;
      if (bet.value < 2) verdict.value = "";
    }
  });
  return {
    decision: computed(() => (due.value && (advising.value || asked.value === at.value) ? told.value : null)),
    verdict,
    due,
    once: () => (asked.value = at.value),
  };
}
