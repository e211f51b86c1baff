// Session: a person's last rounds at a table as the server reviews them; it judges nothing itself.
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import type { Http } from "../generated/api";
import { ask } from "../net/api";
import type { Connection } from "../net/table";

const PAGE = 5;

export interface Session {
  rounds: ReadonlySignal<Http.RoundReviewed[]>;
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
        if (found.rounds.length) rounds.value = found.rounds;
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
  return { rounds, end: stop };
}
