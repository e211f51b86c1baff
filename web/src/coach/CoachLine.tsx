// Coach line: the advice in one line beside the decisions, and how the last decision was; nothing where no advice is allowed.
import type { Connection } from "../net/table";
import { t } from "../texts";
import { advisor, type Remark, words } from "./advisor";

export function CoachLine({ table }: { table: Connection }) {
  const { decision: found, verdict } = advisor(table);
  const decision = found.value;
  if (!table.view.value?.coach || !table.seat.value) return null;
  return (
    <p class={`coach-line ${verdict.value.some((one) => one.costly) ? "is-costly" : ""} ${verdict.value.length > 1 ? "is-many" : ""}`} role="status">
      {decision ? (
        decision.even ? (
          t("coach.line.even")
        ) : (
          <>
            <b class={decision.best === "ride" ? "is-ride" : "is-pull"}>{t("coach.line", { best: words(decision.best) })}</b>{" "}
            {t("coach.gain", { gain: decision.gain_text })}
          </>
        )
      ) : (
        <Remarks remarks={verdict.value} />
      )}
    </p>
  );
}

/** How decisions were, each with why where there is room for it. */
export function Remarks({ remarks }: { remarks: Remark[] }) {
  return (
    <>
      {remarks.map((one) => (
        <span key={one.text}>
          {one.text} {one.why && <span class="coach-why">{one.why} </span>}
        </span>
      ))}
    </>
  );
}
