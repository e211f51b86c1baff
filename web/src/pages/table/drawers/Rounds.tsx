// Rounds: the past of the table, round by round and step by step, as one was allowed to see it.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../../../generated/api";
import { ask, told } from "../../../net/api";
import { Button } from "../../../parts/Button";
import { moment, signed, t, type Text } from "../../../texts";
import { readHand } from "../../../texts/engine";
import type { Game } from "../game";
import { netOf, Steps } from "./Steps";

interface Props {
  game: Game;
  onDispute: (round: number) => void;
}

export default function Rounds({ game, onDispute }: Props) {
  const rounds = useSignal<Http.RoundSummary[] | null>(null);
  const before = useSignal<number | null>(null);
  const chosen = useSignal(0);
  const trouble = useSignal("");
  const path = { table_id: game.line.id };
  const load = (from?: number): Promise<void> =>
    ask("GET /api/tables/{table_id}/rounds", { path, query: { before: from, limit: 10 } }).then(
      (found) => {
        const known = rounds.value ?? [];
        const first = found.rounds.at(-1)?.round ?? Infinity;
        rounds.value = from ? [...known, ...found.rounds] : [...found.rounds, ...known.filter((one) => one.round < first)];
        if (from || !known.length) before.value = found.next_before;
      },
      (error: unknown) => void (trouble.value = told(error)),
    );
  // A result is on the felt before the round is over: the round joins the list while one looks at it.
  const view = game.view.value;
  const over = view ? view.round - Number(view.round_running) : 0;
  useEffect(() => void load(), [over]);
  if (trouble.value) return <p class="form-no">{trouble.value}</p>;
  if (chosen.value) {
    const dispute = game.mine.value ? () => onDispute(chosen.value) : undefined;
    return <Steps table={game.line.id} round={chosen.value} onBack={() => (chosen.value = 0)} onDispute={dispute} />;
  }
  if (!rounds.value) return <p>{t("app.loading")}</p>;
  if (!rounds.value.length) return <p>{t("rounds.none")}</p>;
  return (
    <>
      <ol class="round-list">
        {rounds.value.map((one) => (
          <li key={one.round}>
            <button type="button" class="round-row" onClick={() => (chosen.value = one.round)}>
              <b>{t("felt.round", { round: one.round })}</b>
              <span class="small">{moment(one.began_ms, { timeStyle: "medium" })}</span>
              {one.status !== "settled" && <span>{t(`rounds.${one.status}` as Text)}</span>}
              {one.seats.map((seat) => (
                <span key={seat.seat} class="round-seat">
                  {t("rounds.seat", { seat: seat.seat, name: seat.player })}: {seat.hand ? readHand(seat.readings ?? []) : "–"}{" "}
                  <Net cents={netOf(one, seat)} />
                </span>
              ))}
            </button>
          </li>
        ))}
      </ol>
      {before.value && <Button onClick={() => void load(before.value ?? undefined)}>{t("rounds.more")}</Button>}
    </>
  );
}

function Net({ cents }: { cents: number | null }) {
  return <b class={(cents ?? 0) > 0 ? "won" : ""}>{cents === null ? "" : signed(cents)}</b>;
}
