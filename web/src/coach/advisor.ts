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
  const told = signal<{ at: string; decision: Http.DueChoice } | null>(null);
  const verdict = signal("");
  const asked = signal("");
  const bet = computed(() => ({ choice_1: 1, choice_2: 2 })[table.view.value?.phase ?? ""] ?? 0);
  const round = computed(() => table.view.value?.round ?? 0);
  const mine = computed(() => table.view.value?.seats[table.seat.value]);
  const seen = computed(() => Boolean(mine.value?.cards.length) && !mine.value?.cards.some((card) => card.startsWith("[")));
  const staked = computed(() => (mine.value?.wagers[`base-${bet.value}` as "base-1"] ?? 0) > 0);
  const open = computed(() => bet.value > 0 && !mine.value?.choices[String(bet.value)]);
  const due = computed(() => (table.view.value?.coach ?? false) && open.value && seen.value && staked.value);
  const at = computed(() => `${round.value}/${bet.value}`);
  const wanted = computed(() => advising.value || asked.value === at.value);

  effect(() => {
    const now = at.value;
    if (!due.value) return;
    verdict.value = ""; // a new choice: the last one is past
    if (!wanted.value) return;
    ask("GET /api/tables/{table_id}/advice", { path: { table_id: table.id } }).then(
      (found) => {
        if (at.peek() === now && found.decision) told.value = { at: now, decision: found.decision };
      },
      () => undefined, // one can choose without it
    );
  });
  effect(() => {
    if (table.view.value?.phase === "dealing") verdict.value = ""; // the next round: nobody thinks of the last one
  });
  effect(() => {
    const advice = told.value;
    const choice = advice && advice.at === `${round.value}/${advice.decision.bet}` && mine.value?.choices[String(advice.decision.bet)];
    if (choice) verdict.value = judged({ ...advice.decision, chosen: choice, cost_text: advice.decision.gain_text });
  });
  return {
    decision: computed(() => (due.value && wanted.value && told.value?.at === at.value ? told.value.decision : null)),
    verdict,
    due,
    once: () => (asked.value = at.value),
  };
}
