// Panel: the coach opened: advice for the decision at hand, and the player's rounds against expectation.
import { useEffect, useMemo } from "preact/hooks";
import type { Http } from "../generated/api";
import type { Connection } from "../net/table";
import { signed, t } from "../texts";
import { Advice } from "./Advice";
import { judged } from "./advisor";
import { Graph } from "./Graph";
import { follow, type Point } from "./session";

export default function Panel({ table }: { table: Connection }) {
  const session = useMemo(() => follow(table), [table]);
  useEffect(() => () => session.end(), [session]);
  const rounds = session.rounds.value;
  const points = session.points.value;
  const last = rounds.filter((one) => one.round === rounds.at(-1)?.round); // each hand of the last round
  return (
    <div class="coach">
      <Advice table={table} />
      {last.map((one) => (
        <LastRound key={one.seat} round={one} hands={last.length} />
      ))}
      <section class="coach-session" aria-labelledby="coach-session">
        <h3 id="coach-session">{t("coach.session")}</h3>
        {points.length ? <Sums rounds={rounds} points={points} /> : <p class="small">{t("coach.none")}</p>}
      </section>
    </div>
  );
}

function LastRound({ round, hands }: { round: Http.RoundReviewed; hands: number }) {
  if (!round.decisions.length) return null;
  const title = t("coach.last", { round: round.round }) + (hands > 1 ? ` · ${t("rail.hand", { seat: round.seat })}` : "");
  return (
    <section class="coach-last" aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {round.decisions.map((one) => (
          <li key={one.bet} class={one.best && !one.even && one.best !== one.chosen ? "is-bad" : ""}>
            {judged(one)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Sums({ rounds, points }: { rounds: Http.RoundReviewed[]; points: Point[] }) {
  const last = points[points.length - 1]!;
  const mistakes = rounds.reduce((sum, one) => sum + one.mistakes_cents.value, 0);
  const choices = rounds.flatMap((one) => one.decisions).filter((one) => one.best);
  const right = choices.filter((one) => one.even || one.best === one.chosen).length;
  const whole = (cents: number) => signed(Math.round(cents));
  return (
    <>
      <dl class="coach-sums">
        <div>
          <dt>{t("coach.rounds")}</dt>
          <dd>{rounds.length}</dd>
        </div>
        <div>
          <dt>{t("coach.result")}</dt>
          <dd>{whole(last.result)}</dd>
        </div>
        <div>
          <dt>{t("coach.expected")}</dt>
          <dd>{whole(last.expected + mistakes)}</dd>
        </div>
        <div>
          <dt>{t("coach.mistakes")}</dt>
          <dd>{whole(-mistakes)}</dd>
        </div>
        <div>
          <dt>{t("coach.luck")}</dt>
          <dd>{whole(last.result - last.expected)}</dd>
        </div>
      </dl>
      <Graph points={points} />
      <p class="small">
        {choices.length > 0 && t("coach.right", { right, all: choices.length })} {t("coach.luck.how")}
      </p>
      <details class="par-more">
        <summary>{t("coach.list")}</summary>
        <table class="rows coach-list">
          <thead>
            <tr>
              <th scope="col">{t("coach.round")}</th>
              <th scope="col">{t("coach.result")}</th>
              <th scope="col">{t("coach.expected")}</th>
              <th scope="col">{t("coach.mistakes")}</th>
            </tr>
          </thead>
          <tbody>
            {rounds.toReversed().map((one) => (
              <tr key={one.round}>
                <th scope="row">{one.round}</th>
                <td>{whole(one.result_cents)}</td>
                <td>{whole(one.expected_cents.value)}</td>
                <td>{whole(-one.mistakes_cents.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
