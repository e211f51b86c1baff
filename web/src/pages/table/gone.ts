// Gone: notices when one sits down, is made to sit out, and loses the seat; keeps the wallet current, and says why.
import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { ask } from "../../net/api";
import type { Connection } from "../../net/table";
import { refresh } from "../../state/session";
import { money, t, type Text } from "../../texts";
import { ruled as words } from "../../texts/engine";

export interface Seated {
  /** Why one no longer sits, in sentences; empty where one does, never did, or left on purpose. */
  gone: ReadonlySignal<string>;
  /** Why one sits out; empty where one does not, or wanted it so. */
  out: ReadonlySignal<string>;
  /** One is about to leave on purpose, or is not after all. */
  leaves(leaving: boolean): void;
  end(): void;
}

/** Watch over the player's seat; `tell` gets what is said when it ends. */
export function watchSeat(line: Connection, tell: (text: string) => void): Seated {
  const gone = signal("");
  const out = signal("");
  let sat = 0;
  let satOut = false;
  let leaving = false;
  let lost = false;
  let tokens = 0;
  let ruled = { round: 0, key: "gone.ruled" as Text, sentence: "" };

  async function ended(why: string): Promise<void> {
    const [, wallet] = await Promise.all([refresh().catch(() => null), ask("GET /api/me/wallet").catch(() => null)]);
    if (!why || sat) return;
    const visit = wallet?.visits.find((one) => one.table === line.id); // the latest one first
    const chips = visit?.until_ms ? t("gone.chips", { amount: money(visit.back_cents) }) : t("gone.chips.unknown");
    gone.value = tokens ? `${why} ${chips} ${t("gone.tokens", { tokens: money(tokens) })}` : `${why} ${chips}`;
    tell(gone.value);
  }

  const why = (round: number): string => {
    if (leaving) return "";
    if (ruled.sentence && round - ruled.round <= 1) return t(ruled.key, { sentence: ruled.sentence });
    if (lost) return t("gone.away");
    return t(line.standing.peek()?.state === "open" ? "gone.other" : "gone.closed");
  };
  const stops = [
    effect(() => {
      const dropped = line.line.value === "lost";
      if (dropped && sat) lost = true;
    }),
    effect(() => {
      const view = line.view.value;
      const seat = line.seat.value;
      if (!view) return;
      const ruling = seat ? view.rulings.findLast((one) => one.seat === seat) : undefined;
      if (ruling) ruled = { round: view.round, key: ruling.name.startsWith("absent") ? "gone.time" : "gone.ruled", sentence: words(ruling) };
      const isOut = seat > 0 && view.seats[seat]!.sitting_out;
      if (isOut && sat === seat && !satOut) {
        const timeOver = ruled.key === "gone.time" && view.round - ruled.round <= 1;
        if (timeOver) out.value = t("gone.time", { sentence: ruled.sentence });
        else if (lost) out.value = t("gone.out.away");
        if (out.value) tell(out.value);
      } else if (!isOut) out.value = "";
      satOut = isOut;
      if (seat && !sat) {
        gone.value = "";
        void refresh().catch(() => undefined);
      }
      const before = sat;
      sat = seat;
      if (seat) tokens = view.seats[seat]!.tokens_cents;
      if (!seat && before) void ended(why(view.round));
      if (!seat) leaving = false;
      lost = false;
    }),
  ];
  return { gone, out, leaves: (is) => void (leaving = is), end: () => stops.forEach((stop) => stop()) };
}
