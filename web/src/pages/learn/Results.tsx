// Results: what one has finished of late, in all drills.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../../generated/api";
import { ask } from "../../net/api";
import { moment, t } from "../../texts";
import { plainFigure } from "./figures";

const SHOWN = 10;

export function Results() {
  const results = useSignal<Http.Result[]>([]);
  useEffect(() => {
    ask("GET /api/learn/results")
      .then((found) => (results.value = found.slice(-SHOWN).reverse()))
      .catch(() => undefined); // the drills say themselves what is wrong
  }, []);
  if (!results.value.length) return null;
  return (
    <section class="learn-part" aria-labelledby="learn-results">
      <h2 id="learn-results">{t("learn.results")}</h2>
      <div class="wide" role="region" aria-labelledby="learn-results" tabIndex={0}>
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">{t("learn.when")}</th>
              <th scope="col">{t("learn.what")}</th>
              <th scope="col">{t("learn.score")}</th>
              <th scope="col">{t("learn.lost")}</th>
            </tr>
          </thead>
          <tbody>
            {results.value.map((one) => (
              <tr key={`${one.finished_ms} ${one.drill}`}>
                <td>{moment(one.finished_ms, { dateStyle: "short", timeStyle: "short" })}</td>
                <td>{drillName(one.drill)}</td>
                <td class="number">
                  {one.score}% <span class="small">({t("learn.of", { right: one.right, asked: one.asked })})</span>
                </td>
                <td class="number">{lost(one)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** A drill as a person calls it; one that has no words here by its own name. */
function drillName(drill: string): string {
  const [, paytable, exam] = /^player:([^:]+)(:exam)?$/.exec(drill) ?? [];
  return paytable ? t(exam ? "learn.exam.title" : "learn.drill.title", { paytable }) : drill;
}

function lost(result: Http.Result): string {
  const found = result.details.lost_per_hundred_rounds as Http.Exact | undefined;
  return found ? plainFigure(found) : "";
}
