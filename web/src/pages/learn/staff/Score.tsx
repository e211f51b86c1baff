// Score: what a drill of a dealer or of the floor has come to.
import type { Http } from "../../../generated/api";
import { t } from "../../../texts";

export function Score({ summary }: { summary: Http.DrillSummary }) {
  const noticed = summary.catches + summary.misses + summary.false_alarms + summary.all_clear > 0;
  return (
    <dl class="drill-score">
      <div>
        <dt>{t("learn.score")}</dt>
        <dd>{summary.score}%</dd>
      </div>
      <div>
        <dt>{t("staffdrill.level")}</dt>
        <dd>{t("staffdrill.of_levels", { level: summary.level })}</dd>
      </div>
      {noticed && (
        <>
          <div>
            <dt>{t("staffdrill.catches")}</dt>
            <dd>{summary.catches}</dd>
          </div>
          <div>
            <dt>{t("staffdrill.misses")}</dt>
            <dd>{summary.misses}</dd>
          </div>
          <div>
            <dt>{t("staffdrill.false_alarms")}</dt>
            <dd>{summary.false_alarms}</dd>
          </div>
          <div>
            <dt>{t("staffdrill.all_clear")}</dt>
            <dd>{summary.all_clear}</dd>
          </div>
        </>
      )}
      {summary.late > 0 && (
        <div>
          <dt>{t("staffdrill.too_late")}</dt>
          <dd>{summary.late}</dd>
        </div>
      )}
    </dl>
  );
}
