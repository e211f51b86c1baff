// Advice: what a hand is worth, both ways, why, and what the other decision costs; all of it as the server says.
import type { Http } from "../../generated/api";
import { t } from "../../texts";
import { kindWords, ruleWords } from "../../texts/strategy";
import { does, fraction, plainFigure, signedFigure } from "./figures";

export function Advice({ advice, mistake }: { advice: Http.LookedUp; mistake: boolean }) {
  return (
    <>
      <p class="advice-class">{kindWords(advice.kind, advice.words)}</p>
      <table class="rows advice-values">
        <caption class="small">{t("learn.value")}</caption>
        <tbody>
          {(["ride", "withdraw"] as const).map((choice) => (
            <tr key={choice} class={advice.best.includes(choice) ? "is-best" : ""}>
              <th scope="row">
                {does(choice)} {advice.best.includes(choice) && <span class="advice-best">{t("learn.best")}</span>}
              </th>
              <td class="number">
                {signedFigure(advice.value[choice], 6)}{" "}
                {choice === "ride" && advice.value.ride.exact !== "0" && <span class="small">{fraction(advice.value.ride)}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="advice-why">{whyWords(advice)}</p>
      {advice.cost.exact !== "0" && (
        <p class={mistake ? "advice-cost is-mistake" : "advice-cost"}>
          {t(mistake ? "learn.cost.yours" : "learn.cost.other", {
            cost: plainFigure(advice.cost, 6),
            hundred: plainFigure(advice.cost_per_hundred_rounds),
            exact: fraction(advice.cost_per_hundred_rounds),
          })}
        </p>
      )}
    </>
  );
}

/** The rule of thumb behind a decision, as a sentence. */
export function whyWords(advice: Http.LookedUp): string {
  const worded = (code: string, words: string): string => ruleWords(code, advice.bet + 2, words);
  if (advice.best.length > 1) return t("learn.why.either");
  if (advice.rule) return t("learn.why.rule", { rule: worded(advice.rule_code ?? "", advice.rule) });
  const near = advice.near.map((words, at) => worded(advice.near_codes?.[at] ?? "", words));
  return near.length ? t("learn.why.near", { rules: near.join(t("learn.why.or")) }) : t("learn.why.none");
}
