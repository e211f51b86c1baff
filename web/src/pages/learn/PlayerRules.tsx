// PlayerRules: the rules of thumb of a paytable, and every kind of decision with its value and how well it is known.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PageProps } from "..";
import type { Http } from "../../generated/api";
import { ask, told } from "../../net/api";
import { Button } from "../../parts/Button";
import { say } from "../../parts/Toast";
import { me } from "../../state/session";
import { t, type Text } from "../../texts";
import { kindWords, ruleWords } from "../../texts/strategy";
import { bestWords, fraction, plainFigure, signedFigure } from "./figures";
import { LessonHead } from "./LessonHead";
import { StandingBar } from "./StandingBar";

export default function PlayerRules({ params }: PageProps) {
  const paytable = params.id ?? "";
  const lesson = useSignal<Http.LessonInFull | null>(null);
  const trouble = useSignal("");

  async function look(): Promise<void> {
    trouble.value = "";
    try {
      lesson.value = await ask("GET /api/learn/player/{paytable}", { path: { paytable } });
    } catch (error) {
      trouble.value = told(error);
    }
  }

  useEffect(() => void look(), [me.value?.name]);

  async function restart(): Promise<void> {
    if (!confirm(t("learn.restart.sure"))) return;
    try {
      await ask("DELETE /api/learn/player/{paytable}", { path: { paytable } });
      await look();
    } catch (error) {
      say(told(error), "trouble");
    }
  }

  const one = lesson.value;
  return (
    <div class="page learn">
      <LessonHead paytable={paytable} title={t("learn.rules.title", { paytable })} />
      {trouble.value && (
        <p class="form-no" role="alert">
          {trouble.value}
        </p>
      )}
      {one && (
        <>
          <p>{t("learn.rules.how")}</p>
          <div class="rules-two">
            {(["1", "2"] as const).map((bet) => (
              <section key={bet} class="learn-part" aria-labelledby={`rules-${bet}`}>
                <h2 id={`rules-${bet}`}>{t(`learn.bet${bet}` as Text)}</h2>
                <ul>
                  {(one.rules[bet] ?? []).map((rule, at) => (
                    <li key={rule}>{ruleWords(one.rule_codes[bet]?.[at] ?? "", Number(bet) + 2, rule)}</li>
                  ))}
                </ul>
              </section>
            ))}
          </div>
          <p class="small">{t("learn.terms")}</p>
          {one.standing && <StandingBar standing={one.standing} />}
          {one.standing && one.standing.asked > 0 && (
            <Button kind="danger" onClick={() => void restart()}>
              {t("learn.restart")}
            </Button>
          )}
          {([1, 2] as const).map((bet) => (
            <KindTable key={bet} bet={bet} kinds={one.kinds.filter((kind) => kind.bet === bet)} mine={one.standing !== null} />
          ))}
        </>
      )}
    </div>
  );
}

function KindTable({ bet, kinds, mine }: { bet: 1 | 2; kinds: Http.DecisionKind[]; mine: boolean }) {
  return (
    <div class="wide" role="region" aria-label={t(`learn.kinds${bet}` as Text)} tabIndex={0}>
      <table class="rows kinds">
        <caption>{t(`learn.kinds${bet}` as Text)}</caption>
        <thead>
          <tr>
            <th scope="col">{t("learn.kind")}</th>
            <th scope="col">{t("learn.best_is")}</th>
            <th scope="col">{t("learn.ride_value")}</th>
            <th scope="col">{t("learn.kind_cost")}</th>
            {mine && <th scope="col">{t("learn.kind_state")}</th>}
          </tr>
        </thead>
        <tbody>
          {kinds.map((one) => (
            <tr key={one.kind} class={`best-${one.best.length > 1 ? "either" : one.best[0]}`}>
              <td>{kindWords(one.kind, one.words)}</td>
              <td class="kind-best whole">{bestWords(one.best)}</td>
              <td class="number">
                {signedFigure(one.value)} {one.value.exact !== "0" && <span class="small kind-exact">{fraction(one.value)}</span>}
              </td>
              <td class="number">{plainFigure(one.cost_per_hundred_rounds)}</td>
              {mine && (
                <td>
                  {t(`learn.state.${one.state}` as Text)} {one.asked > 0 && <span class="small">{t("learn.of", { right: one.right, asked: one.asked })}</span>}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
