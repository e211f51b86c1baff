// Autopilot: carries autoplay out at a table: asks for the coach's advice, sends what is next, and stops when told why.
import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { ask } from "../../net/api";
import { begun, counted, nextOf, type Plan, type Run, type Stop, stopAfter, stopNow } from "./autoplay";
import type { Game } from "./game";

export interface Autopilot {
  run: ReadonlySignal<Run | null>;
  /** Why the last run stopped; empty before that. */
  stopped: ReadonlySignal<{ why: Stop; run: Run } | null>;
  start(plan: Plan): void;
  stop(why?: Stop): void;
  end(): void;
}

const RETRY_MS = 500;

export function autopilot(game: Game): Autopilot {
  const run = signal<Run | null>(null);
  const stopped = signal<{ why: Stop; run: Run } | null>(null);
  const again = signal(0);
  let doing = "";

  function stop(why: Stop = "asked"): void {
    const now = run.peek();
    if (!now) return;
    stopped.value = { why, run: now };
    run.value = null;
    game.runs.value = false;
  }

  /** The coach's advice, from what the seat sees; none while it cannot be told. */
  async function decide(seat: number, bet: 1 | 2): Promise<void> {
    const found = await ask("GET /api/tables/{table_id}/advice", { path: { table_id: game.line.id } }).catch(() => null);
    const due = found?.seat === seat ? found.decision : null;
    if (!run.peek()) return;
    if (due?.bet !== bet) return void setTimeout(later, RETRY_MS);
    await game.act({ type: "Choose", seat, bet, choice: due.best }, "program");
  }

  function later(): void {
    doing = "";
    again.value += 1;
  }

  async function bet(now: Run): Promise<void> {
    run.value = { ...now, waits: true };
    if (!(await game.place(now.wagers))) stop(game.reminder.peek() ? "reminder" : "refused");
  }

  const over = effect(() => {
    void again.value;
    const now = run.value;
    const view = game.view.value;
    if (!now || !view || game.line.line.value !== "open") return;
    const seat = game.seat.value;
    const why = game.reminder.value ? "reminder" : stopNow(view, game.own.value);
    if (why) return stop(why);
    const result = game.results.value[seat];
    const after = counted(now, result);
    if (after !== now) {
      run.value = after;
      const ends = stopAfter(after, result!);
      if (ends) stop(ends);
      return;
    }
    const next = nextOf(view, seat, now);
    const key = next.do === "wait" ? "" : `${view.round} ${next.do} ${next.do === "send" ? next.command.type : next.do === "decide" ? next.bet : now.played}`;
    if (!key || key === doing) return;
    doing = key;
    if (next.do === "decide") void decide(seat, next.bet);
    else if (next.do === "bet") void bet(now);
    else if (next.do === "send") void game.act(next.command as Parameters<Game["act"]>[0]);
  });

  return {
    run,
    stopped,
    start(plan) {
      const wagers = game.lastAt(game.seat.peek());
      if (!wagers) return;
      doing = "";
      stopped.value = null;
      game.runs.value = true;
      run.value = begun(plan, wagers, game.results.peek()[game.seat.peek()]?.round ?? 0);
    },
    stop,
    end: over,
  };
}
