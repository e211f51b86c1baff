// Advisor: asks the server what the decision at hand is worth, once for each decision, and keeps how the last one was.
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import type { Http, View } from "../generated/api";
import { ask } from "../net/api";
import type { Connection } from "../net/table";
import { baseSpot } from "../pages/table/spots";
import { decimal, t, type Text } from "../texts";
import { holdingWords } from "../texts/strategy";
import { mode } from "./mode";

/** How a decision was. */
export interface Remark {
  bad: boolean;
  costly: boolean;
  text: string;
  /** Of a mistake: how much of a bet it was, and what the player held. */
  why: string;
}

export interface Advisor {
  /** What the decision at hand is worth; nothing where there is none, or advice is not wanted. */
  decision: ReadonlySignal<Http.DueChoice | null>;
  /** How the decisions of this round were; nothing where advice is shown. */
  verdict: ReadonlySignal<Remark[]>;
  /** Whether there is a decision to make. */
  due: ReadonlySignal<boolean>;
  /** Ask about this decision alone. */
  once(): void;
}

export const words = (choice: string): string => t(`coach.${choice}` as Text);

/** How a decision was, in a sentence. */
export function judged(made: Pick<Http.ReviewedChoice, "bet" | "best" | "even" | "cost_text"> & { chosen: string }): string {
  if (!made.best) return t("coach.unseen", { bet: made.bet });
  if (made.even) return t("coach.level", { bet: made.bet });
  if (made.best === made.chosen) return t("coach.good", { bet: made.bet, choice: words(made.chosen) });
  return t("coach.bad", { bet: made.bet, choice: words(made.chosen), best: words(made.best), cost: made.cost_text ?? "" });
}

/** From what share of a bet on a mistake is pointed out. */
const COSTLY = 0.1;

/** The same with how much of a bet it was, and what the player held. */
function remarkOn(advice: Http.DueChoice, chosen: string): Remark {
  const bad = !advice.even && advice.best !== chosen;
  const text = judged({ ...advice, chosen, cost_text: advice.gain_text });
  if (!bad) return { bad, costly: false, text, why: "" };
  const share = Math.abs(advice.gain_cents.value) / advice.stake_cents;
  const holding = holdingWords(advice.holding_code ?? "", advice.bet + 2, advice.holding);
  return { bad, costly: share >= COSTLY, text, why: t("coach.nudge", { share: decimal(share, 2), holding }) };
}

const known = new WeakMap<Connection, Advisor>();

/** The advisor of a connection: the same one for everybody who asks. */
export function advisor(table: Connection): Advisor {
  const found = known.get(table) ?? begin(table);
  known.set(table, found);
  return found;
}

/** Which bet is decided in a phase. */
const BETS: Partial<Record<View["phase"], number>> = { choice_1: 1, choice_2: 2 };

function begin(table: Connection): Advisor {
  const told = signal<Record<string, Http.DueChoice>>({});
  const remarks = signal<Record<string, Remark>>({});
  const asked = signal("");
  const bet = computed(() => BETS[table.view.value?.phase ?? "idle"] ?? 0);
  const round = computed(() => table.view.value?.round ?? 0);
  /** The hand that is asked; with two of them each is decided by itself. */
  const seat = computed(() => table.view.value?.offers.find((one) => one.type === "Choose")?.seat ?? table.seat.value);
  const mine = computed(() => table.view.value?.seats[seat.value]);
  const seen = computed(() => Boolean(mine.value?.cards.length) && !mine.value?.cards.some((card) => card.startsWith("[")));
  const staked = computed(() => (mine.value?.wagers[baseSpot(bet.value)] ?? 0) > 0);
  const open = computed(() => bet.value > 0 && !mine.value?.choices[String(bet.value)]);
  const due = computed(() => (table.view.value?.coach ?? false) && open.value && seen.value && staked.value);
  const at = computed(() => `${round.value}/${bet.value}/${seat.value}`);
  /** Whether advice is shown before the decision; to speak after it the coach asks just so, and is silent. */
  const wanted = computed(() => mode.value === "before" || asked.value === at.value);

  effect(() => {
    const now = at.value;
    if (!due.value) return;
    if (!wanted.value && mode.value === "off") return;
    ask("GET /api/tables/{table_id}/advice", { path: { table_id: table.id } }).then(
      (found) => {
        if (at.peek() === now && found.seat === seat.peek() && found.decision) told.value = { ...told.peek(), [now]: found.decision };
      },
      () => undefined, // one can choose without it
    );
  });
  effect(() => {
    // The next bets are down, or the next cards come: the last round is over.
    const phase = table.view.value?.phase;
    const betting = table.view.value?.betting_open && Object.values(mine.value?.wagers ?? {}).some((cents) => cents > 0);
    if (phase === "dealing" || betting) {
      remarks.value = {};
      told.value = {};
    }
  });
  effect(() => {
    for (const [key, advice] of Object.entries(told.value)) {
      const [of, made, hand] = key.split("/").map(Number);
      if (!table.decided.has(key)) continue; // it was made for the player
      const chosen = table.view.value?.seats[hand!]?.choices[String(made)];
      if (of !== round.value || !chosen || remarks.peek()[key]) continue;
      remarks.value = { ...remarks.peek(), [key]: remarkOn(advice, chosen) };
    }
  });
  // Every decision that gave something away; where none did, the last one.
  const verdict = computed(() => {
    if (due.value && wanted.value) return []; // the advice has its place
    const made = Object.values(remarks.value);
    const bad = made.filter((one) => one.bad);
    return bad.length ? bad : made.slice(-1);
  });
  return {
    decision: computed(() => (due.value && wanted.value ? (told.value[at.value] ?? null) : null)),
    verdict,
    due,
    once: () => (asked.value = at.value),
  };
}
