// MyAssignments: what an instructor has set one, what is still to do first.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../../../generated/api";
import { ask } from "../../../net/api";
import { ButtonLink } from "../../../parts/Button";
import { moment, t } from "../../../texts";
import { drillWords, pageOf } from "./names";

export function MyAssignments() {
  const set = useSignal<Http.AssignmentTold[]>([]);
  useEffect(() => {
    ask("GET /api/learn/assignments/mine")
      .then((found) => (set.value = found))
      .catch(() => undefined); // the drills say themselves what is wrong
  }, []);
  if (!set.value.length) return null;
  const open = [...set.value].sort((one, other) => Number(one.done_ms !== null) - Number(other.done_ms !== null));
  return (
    <section class="learn-part" aria-labelledby="learn-set">
      <h2 id="learn-set">{t("assign.mine")}</h2>
      <ul class="assign-list">
        {open.map((one) => (
          <li key={one.id}>
            <p>
              <b>{drillWords(one.drill)}</b> <span class="small">{t("assign.by", { by: one.by })}</span>
              {one.due_ms > 0 && (
                <span class={one.late ? "assign-late" : "small"}> {t("assign.due", { when: moment(one.due_ms) })}</span>
              )}
            </p>
            {one.note && <p>{one.note}</p>}
            <p class="learn-ways">
              {one.best_score !== null && <span class="assign-done">{t("assign.best", { score: one.best_score, attempts: one.attempts })}</span>}
              <ButtonLink kind={one.done_ms === null ? "main" : "plain"} href={pageOf(one)}>
                {t(one.done_ms === null ? "assign.begin" : "assign.again")}
              </ButtonLink>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
