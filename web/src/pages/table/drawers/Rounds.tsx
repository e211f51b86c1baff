// Rounds: the past of the table, round by round and step by step, as one was allowed to see it.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Http, View } from "../../../generated/api";
import { ask, capital, told } from "../../../net/api";
import { Button } from "../../../parts/Button";
import { Card } from "../../../parts/Card";
import { betName, moment, money, signed, t, type Text } from "../../../texts";
import { readHand } from "../../../texts/engine";
import { lineWords } from "../../../texts/past";
import { Felt } from "../Felt";
import { fateOf, type Game } from "../game";
import { seatsOf } from "../hands";

export default function Rounds({ game }: { game: Game }) {
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
  if (chosen.value) return <Steps table={game.line.id} round={chosen.value} onBack={() => (chosen.value = 0)} />;
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
                  <b class={(seat.net_cents ?? 0) > seat.fee_cents ? "won" : ""}>{seat.net_cents === null ? "" : signed(seat.net_cents - seat.fee_cents)}</b>
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

function Steps({ table, round, onBack }: { table: string; round: number; onBack: () => void }) {
  const found = useSignal<Http.RoundSteps | null>(null);
  const at = useSignal(0);
  const trouble = useSignal("");
  useEffect(() => {
    ask("GET /api/tables/{table_id}/rounds/{number}", { path: { table_id: table, number: round } }).then(
      (one) => {
        // How the table was made ready comes before the bets, for players who step back to it.
        at.value = Math.max(0, one.steps.findIndex((step) => (step.view as unknown as View).phase === "betting"));
        found.value = one;
      },
      (error: unknown) => (trouble.value = told(error)),
    );
  }, [table, round]);
  const many = found.value?.steps.length ?? 0;
  const move = (by: number): void => void (at.value = Math.max(0, Math.min(many - 1, at.value + by)));
  const place = useRef<HTMLDivElement>(null);
  const there = many > 0;
  useEffect(() => place.current?.focus({ preventScroll: true }), [there]); // the row that was pressed is gone
  if (trouble.value) return <p class="form-no">{trouble.value}</p>;
  const told_ = found.value;
  const step = told_?.steps[at.value];
  if (!told_ || !step) return <p>{t("app.loading")}</p>;
  const view = step.view as unknown as View;
  const viewed = Number(view.viewer.replace("seat:", "")) || 0;
  return (
    <div
      ref={place}
      class="steps"
      role="group"
      aria-label={t("felt.round", { round })}
      tabIndex={-1}
      onKeyDown={(event) => {
        const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (!by || event.target instanceof HTMLInputElement) return; // the slider has these keys itself
        event.preventDefault();
        move(by);
        if (document.activeElement instanceof HTMLButtonElement) place.current?.focus({ preventScroll: true });
      }}
    >
      <Button kind="quiet" onClick={onBack}>
        ← {t("rounds.back")}
      </Button>
      <h3>{t("felt.round", { round })}</h3>
      <div class="step-bar">
        <Button disabled={at.value === 0} keyName="←" onClick={() => move(-1)}>
          {t("rounds.before")}
        </Button>
        <span>{t("rounds.step", { at: at.value + 1, many })}</span>
        <Button disabled={at.value === many - 1} keyName="→" onClick={() => move(1)}>
          {t("rounds.next")}
        </Button>
      </div>
      <input
        type="range"
        class="step-range"
        aria-label={t("rounds.range")}
        min={0}
        max={many - 1}
        value={at.value}
        onInput={(event) => (at.value = Number(event.currentTarget.value))}
      />
      <div class="step-said" role="status">
        {(step.lines ?? []).map((one) => (
          <p key={one.sentence}>{capital(lineWords(one))}</p>
        ))}
      </div>
      <div class="step-felt">
        <Felt view={view} standing={null} seat={viewed} own={seatsOf(view, viewed)} draft={{}} />
      </div>
      <h3>{t("rounds.came")}</h3>
      {told_.seats.map((seat) => (
        <section key={seat.seat} class="round-seat-full">
          <p>
            <b>{t("rounds.seat", { seat: seat.seat, name: seat.player })}</b> {seat.hand ? readHand(seat.readings ?? []) : ""}
          </p>
          <p class="round-cards">
            {seat.cards.map((card) => (
              <Card key={card} card={card} size="small" />
            ))}
          </p>
          <table class="rows">
            <tbody>
              {seat.wagers.map((one) => (
                <tr key={one.wager}>
                  <th scope="row">{betName(one.wager)}</th>
                  <td>{money(one.stake_cents)}</td>
                  <td>{fateOf(one)}</td>
                  <td>{signed(one.net_cents)}</td>
                </tr>
              ))}
              {seat.fee_cents > 0 && (
                <tr>
                  <th scope="row">{t("rail.fee")}</th>
                  <td />
                  <td />
                  <td>{signed(-seat.fee_cents)}</td>
                </tr>
              )}
            </tbody>
          </table>
        </section>
      ))}
    </div>
  );
}
