// Advice: what the decision at hand is worth in full: both sides of it, the rule behind it, and how the last one was.
import type { Http } from "../generated/api";
import type { Connection } from "../net/table";
import { Button } from "../parts/Button";
import { t, type Text } from "../texts";
import { holdingWords, ruleWords } from "../texts/strategy";
import { advisor, words } from "./advisor";
import { Remarks } from "./CoachLine";
import { choose, MODES, mode } from "./mode";

export function Advice({ table }: { table: Connection }) {
  const { decision: found, verdict, due, once } = advisor(table);
  const decision = found.value;
  return (
    <div class="coach-advice">
      <CoachMode />
      {decision ? (
        <>
          <p class={`coach-best is-${decision.even ? "even" : decision.best === "ride" ? "ride" : "pull"}`}>
            {decision.even ? t("coach.either", { bet: decision.bet }) : t("coach.bet", { bet: decision.bet, best: words(decision.best) })}
          </p>
          <p>
            {t("coach.have", { holding: holdingWords(decision.holding_code ?? "", decision.bet + 2, decision.holding) })}{" "}
            {decision.rule ? t("coach.rule", { rule: ruleOf(decision, decision.rule) }) : t("coach.norule")}
          </p>
          <p>{decision.even ? t("coach.same") : t("coach.gain", { gain: decision.gain_text })}</p>
          <Worths decision={decision} />
        </>
      ) : verdict.value.length ? (
        <p class="coach-verdict">
          <Remarks remarks={verdict.value} />
        </p>
      ) : (
        <p class="small">{t(`coach.waits.${mode.value}`)}</p>
      )}
      {due.value && !decision && mode.value !== "before" && <Button onClick={once}>{t("coach.once")}</Button>}
    </div>
  );
}

/** When the coach speaks to this person. */
export function CoachMode() {
  return (
    <fieldset class="choices coach-mode">
      <legend>{t("coach.mode")}</legend>
      {MODES.map((one) => (
        <label key={one}>
          <input type="radio" name="coach" checked={mode.value === one} onChange={() => void choose(one)} />
          <span>{t(`coach.mode.${one}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** A line of the rule list in the language in force. */
function ruleOf(decision: Http.DueChoice, rule: string): string {
  return ruleWords(decision.rule_codes?.[decision.rules.indexOf(rule)] ?? "", decision.bet + 2, rule);
}

function Worths({ decision }: { decision: Http.DueChoice }) {
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
                <span class={`coach-bar ${one.cents.value < 0 ? "in-minus" : "in-plus"}`} style={{ width: `${(Math.abs(one.cents.value) / most) * 100}%` }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <details class="par-more">
        <summary>{t("coach.rules", { bet: decision.bet })}</summary>
        {decision.rules.length > 0 && (
          <ul class="par-rules">
            {decision.rules.map((rule) => (
              <li key={rule} class={rule === decision.rule ? "is-this" : ""}>
                {ruleOf(decision, rule)}
              </li>
            ))}
          </ul>
        )}
        <p class="small">{t("coach.convention", { words: (decision.convention_codes ?? []).map((code) => t(`coach.how.${code}` as Text)).join("; ") })}</p>
      </details>
    </>
  );
}
