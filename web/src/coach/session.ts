// Session: a person's own rounds at a table as the server reviews them; it sums up and judges nothing itself.
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import type { Http } from "../generated/api";
import { ask } from "../net/api";
import type { Connection } from "../net/table";

const PAGE = 100;

/** One point of the graph: sums up to and with a round, in cents. */
export interface Point {
  round: number;
  result: number;
  /** The expected result with the decisions that were made. */
  expected: number;
  /** Two standard deviations. */
  band: number;
}

export interface Session {
  rounds: ReadonlySignal<Http.RoundReviewed[]>;
  points: ReadonlySignal<Point[]>;
  end(): void;
}

/** Follow the player's rounds at a table, the latest of them and each new one. */
export function follow(table: Connection): Session {
  const rounds = signal<Http.RoundReviewed[]>([]);
  const running = computed(() => `${table.view.value?.round ?? 0} ${table.view.value?.round_running ?? false}`);
  let through: number | undefined;
  let busy = false;
  let more = false;

  async function look(): Promise<void> {
    if (busy) {
      more = true;
      return;
    }
    busy = true;
    try {
      do {
        more = false;
        const query = through === undefined ? { limit: PAGE } : { after: through, limit: PAGE };
        const found = await ask("GET /api/tables/{table_id}/coach", { path: { table_id: table.id }, query });
        if (found.rounds.length) rounds.value = [...rounds.value, ...found.rounds];
        through = found.through;
      } while (more);
    } catch {
      // it is asked again after the next round
    }
    busy = false;
  }

  const stop = effect(() => {
    if (running.value !== "0 false") void look();
  });
  const points = computed(() => {
    const sum = { result: 0, expected: 0, variance: 0 };
    return rounds.value.map((one) => {
      sum.result += one.result_cents;
      sum.expected += one.expected_cents.value - one.mistakes_cents.value;
      sum.variance += one.variance;
      return { round: one.round, result: sum.result, expected: sum.expected, band: 2 * Math.sqrt(sum.variance) };
    });
  });
  return { rounds, points, end: stop };
}
