// Coach line: the advice in one line beside the decisions, and how the last decision was; nothing where no advice is allowed.
import type { Connection } from "../net/table";
import { t } from "../texts";
import { advisor, words } from "./advisor";

export function CoachLine({ table }: { table: Connection }) {
  const { decision: found, verdict, costly } = advisor(table);
  const decision = found.value;
  if (!table.view.value?.coach || !table.seat.value) return null;
  return (
    <p class={`coach-line ${costly.value ? "is-costly" : ""}`} role="status">
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
        verdict.value
      )}
    </p>
  );
}
