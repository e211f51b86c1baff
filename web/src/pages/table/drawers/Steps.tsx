// Steps: a past round step by step, as the person was allowed to see it, by buttons, keys or the slider.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Http, View } from "../../../generated/api";
import { ask, capital, told } from "../../../net/api";
import { Button } from "../../../parts/Button";
import { Card } from "../../../parts/Card";
import { betName, money, signed, t } from "../../../texts";
import { readHand } from "../../../texts/engine";
import { lineWords } from "../../../texts/past";
import { Felt } from "../Felt";
import { fateOf } from "../sums";
import { seatsOf } from "../hands";

/** What a seat won or lost in a round, as its bank too, after the fee; null while the round is on. */
export function netOf(round: Pick<Http.RoundSummary, "bank">, seat: Http.SeatSummary): number | null {
  if (seat.net_cents === null) return null;
  const bank = round.bank?.seat === seat.seat ? (round.bank.net_cents ?? 0) : 0;
  return seat.net_cents + bank - seat.fee_cents;
}

interface Props {
  table: string;
  round: number;
  /** Back to the list it was chosen from, where there is one. */
  onBack?: () => void;
  onDispute?: (() => void) | undefined;
}

export function Steps({ table, round, onBack, onDispute }: Props) {
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
      {onBack && (
        <Button kind="quiet" onClick={onBack}>
          ← {t("rounds.back")}
        </Button>
      )}
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
      {onDispute && <Button onClick={onDispute}>{t("rounds.dispute")}</Button>}
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
              {told_.bank?.seat === seat.seat && (
                <tr>
                  <th scope="row">{t("results.bank")}</th>
                  <td>{money(told_.bank.stake_cents)}</td>
                  <td />
                  <td>{told_.bank.net_cents === null ? "" : signed(told_.bank.net_cents)}</td>
                </tr>
              )}
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
