// Advice: what the choice at hand is worth, as the server tells it for one's own seat, and how the last one was.
import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../generated/api";
import { ask } from "../net/api";
import type { Connection } from "../net/table";
import { Button } from "../parts/Button";
import { advising } from "../state/settings";
import { t, type Text } from "../texts";

const words = (choice: string): string => t(`coach.${choice}` as Text);

export function Advice({ table }: { table: Connection }) {
  const told = useSignal<Http.DecisionTold | null>(null);
  const verdict = useSignal<string>("");
  const once = useSignal("");
  const moment = useComputed(() => {
    const view = table.view.value;
    const mine = view?.seats[table.seat.value];
    const bet = view?.phase === "choice_1" ? 1 : view?.phase === "choice_2" ? 2 : 0;
    const chosen = mine?.choices[String(bet)];
    return { round: view?.round ?? 0, bet, chosen, due: bet > 0 && !chosen && (mine?.looked ?? false) && (mine?.cards.length ?? 0) > 0 };
  });
  const { round, bet, chosen, due } = moment.value;
  const at = `${round}/${bet}`;
  const wanted = due && (advising.value || once.value === at);

  useEffect(() => {
    if (!due) return;
    let over = false;
    verdict.value = "";
    told.value = null;
    if (!wanted) return;
    ask("GET /api/tables/{table_id}/advice", { path: { table_id: table.id } }).then(
      (found) => {
        if (!over && found.decision?.bet === bet) told.value = found.decision;
      },
      () => undefined, // one can choose without it
    );
    return () => {
      over = true;
    };
  }, [at, due, wanted]);

  useEffect(() => {
    const known = told.value;
    if (!chosen || !known || known.bet !== bet) return;
    verdict.value = judged({ ...known, chosen, cost_text: known.gain_text });
    told.value = null;
  }, [chosen, at]);

  const decision = due ? told.value : null;
  return (
    <div class="coach-advice">
      <label class="check">
        <input type="checkbox" checked={advising.value} onChange={(event) => (advising.value = event.currentTarget.checked)} />
        {t("coach.advise")}
      </label>
      <div role="status">
        {decision ? (
          <>
            <p class={`coach-best is-${decision.even ? "even" : decision.best === "ride" ? "ride" : "pull"}`}>
              {decision.even ? t("coach.either", { bet: decision.bet }) : t("coach.bet", { bet: decision.bet, best: words(decision.best) })}
            </p>
            <p>
              {t("coach.have", { holding: decision.holding })} {decision.rule ? t("coach.rule", { rule: decision.rule }) : t("coach.norule")}
            </p>
            <p>{decision.even ? t("coach.same") : t("coach.gain", { gain: decision.gain_text })}</p>
          </>
        ) : verdict.value ? (
          <p class="coach-verdict">{verdict.value}</p>
        ) : (
          <p class="small">{t(advising.value ? "coach.waits" : "coach.off")}</p>
        )}
      </div>
      {decision && <Worths decision={decision} />}
      {due && !advising.value && !decision && (
        <Button onClick={() => (once.value = at)}>{t("coach.once")}</Button>
      )}
    </div>
  );
}

/** How a choice was, in a sentence. */
export function judged(made: Pick<Http.ChoiceMadeTold, "bet" | "best" | "even" | "cost_text"> & { chosen: string }): string {
  if (!made.best) return t("coach.unseen", { bet: made.bet });
  if (made.even) return t("coach.level", { bet: made.bet });
  if (made.best === made.chosen) return t("coach.good", { bet: made.bet, choice: words(made.chosen) });
  return t("coach.bad", { bet: made.bet, choice: words(made.chosen), best: words(made.best), cost: made.cost_text ?? "" });
}

function Worths({ decision }: { decision: Http.DecisionTold }) {
  const most = Math.max(...decision.choices.map((one) => Math.abs(one.cents.value)), 1);
  return (
    <>
      <table class="rows coach-worths">
        <caption>{t("coach.worth")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("coach.choice")}</th>
            <th scope="col">{t("coach.average")}</th>
            <th scope="col">{t("coach.units")}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {decision.choices.map((one) => (
            <tr key={one.choice} class={one.choice === decision.best && !decision.even ? "is-best" : ""}>
              <th scope="row">{words(one.choice)}</th>
              <td>{one.text}</td>
              <td title={one.units.exact}>{one.units_text}</td>
              <td aria-hidden="true" class="coach-bar-cell">
                <span class={`coach-bar ${one.cents.value < 0 ? "is-lost" : "is-won"}`} style={{ width: `${(Math.abs(one.cents.value) / most) * 100}%` }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <details class="par-more">
        <summary>{t("coach.rules", { bet: decision.bet })}</summary>
        <ul class="par-rules">
          {decision.rules.map((rule) => (
            <li key={rule} class={rule === decision.rule ? "is-this" : ""}>
              {rule}
            </li>
          ))}
        </ul>
        <p class="small">{decision.convention}.</p>
      </details>
    </>
  );
}
