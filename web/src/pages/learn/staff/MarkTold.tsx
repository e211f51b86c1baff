// MarkTold: what happened to an answer: right or not, the clauses behind it, and what the other books say.
import type { Http } from "../../../generated/api";
import { bookTitle } from "../../../state/titles";
import { t, type Text } from "../../../texts";

export function Verdict({ mark }: { mark: Http.Mark }) {
  return (
    <>
      <p class={mark.right ? "verdict is-right" : "verdict is-wrong"}>
        {t(`staffdrill.outcome.${mark.outcome}` as Text)}
        {mark.points_max > 1 && <span class="small"> {t("learn.of", { right: mark.points, asked: mark.points_max })}</span>}
      </p>
      <p>{mark.sentence}</p>
      {mark.late && <p class="form-no">{t("staffdrill.late", { seconds: Math.round(mark.seconds) })}</p>}
    </>
  );
}

export function MarkTold({ mark }: { mark: Http.Mark }) {
  const wrong = mark.judged.filter((one) => !one.right);
  return (
    <div class="mark">
      {wrong.length > 0 && (
        <table class="rows mark-fields">
          <thead>
            <tr>
              <th scope="col">{t("staffdrill.asked")}</th>
              <th scope="col">{t("staffdrill.said")}</th>
              <th scope="col">{t("staffdrill.is")}</th>
            </tr>
          </thead>
          <tbody>
            {wrong.map((one) => (
              <tr key={one.name}>
                <th scope="row">{one.label}</th>
                <td>{one.given}</td>
                <td>{one.expected}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {(mark.clauses.length > 0 || mark.house_default) && (
        <details open={!mark.right}>
          <summary>{t("staffdrill.clauses")}</summary>
          <dl class="mark-clauses">
            {mark.clauses.map((one) => (
              <div key={one.id}>
                <dt>{one.id}</dt>
                <dd>{one.demand}</dd>
              </div>
            ))}
          </dl>
          {mark.house_default && <p>{t("staffdrill.house")}</p>}
        </details>
      )}
      {mark.elsewhere.length > 0 && (
        <details open>
          <summary>{t("staffdrill.elsewhere")}</summary>
          <dl class="mark-clauses">
            {mark.elsewhere.map((one) => (
              <div key={one.book}>
                <dt>{bookTitle(one.book)}</dt>
                <dd>
                  {one.says} {one.clauses.length > 0 && <span class="small">({one.clauses.slice(0, 4).join(", ")})</span>}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  );
}
