// ExamReport: the result of an exam: the score, what such play costs, and every mistake; all of it as the server says.
import type { Http } from "../../generated/api";
import { Button } from "../../parts/Button";
import { percent, t } from "../../texts";
import { kindWords } from "../../texts/strategy";
import { bestWords, fraction, plainFigure } from "./figures";

export function ExamReport({ report }: { report: Http.ExamReport }) {
  return (
    <section class="learn-part report" aria-labelledby="report-title">
      <h2 id="report-title">{t("learn.exam.score", { right: report.right, asked: report.asked, score: report.score })}</h2>
      <p class={report.passed ? "verdict is-right" : "verdict is-wrong"}>
        {t(report.passed ? "learn.exam.passed" : "learn.exam.failed", { pass: report.pass_percent })}
      </p>
      <dl class="report-figures">
        {report.bets.map((one) => (
          <div key={one.bet}>
            <dt>{t(one.bet === 1 ? "learn.bet1.short" : "learn.bet2.short")}</dt>
            <dd class="figure">{t("learn.of", { right: one.right, asked: one.asked })}</dd>
          </div>
        ))}
        <div>
          <dt>{t("learn.exam.lost")}</dt>
          <dd>
            <span class="figure">{plainFigure(report.lost_per_hundred_rounds)}</span>
            <span class="small">{t("learn.exactly", { exact: fraction(report.lost_per_hundred_rounds) })}</span>
          </dd>
        </div>
        <div>
          <dt>{t("learn.exam.edge")}</dt>
          <dd>
            <span class="figure">{percent(report.house_edge_as_answered.value, 4)}</span>
            <span class="small">{t("learn.exam.best_edge", { edge: percent(report.house_edge_best_play.value, 4) })}</span>
          </dd>
        </div>
      </dl>
      {report.mistakes.length > 0 && (
        <div class="wide" role="region" aria-label={t("learn.exam.mistakes")} tabIndex={0}>
          <table class="rows">
            <caption>{t("learn.exam.mistakes")}</caption>
            <thead>
              <tr>
                <th scope="col">{t("learn.kind")}</th>
                <th scope="col">{t("learn.wrong_of")}</th>
                <th scope="col">{t("learn.best_is")}</th>
                <th scope="col">{t("learn.lost")}</th>
              </tr>
            </thead>
            <tbody>
              {report.mistakes.map((one) => (
                <tr key={one.kind}>
                  <td>{t("learn.of_bet", { bet: one.bet, words: kindWords(one.kind, one.words) })}</td>
                  <td class="number">{t("learn.of", { right: one.wrong, asked: one.asked })}</td>
                  <td class="whole">{bestWords(one.best)}</td>
                  <td class="number">{plainFigure(one.lost_per_hundred_rounds)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Button onClick={() => download(report)}>{t("learn.exam.download")}</Button>
    </section>
  );
}

function download(report: Http.ExamReport): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(report, null, 2)], { type: "application/json" }));
  link.download = `${report.paytable}-exam.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
