// Script: the dealer's next step as one key and one large button, with its clauses, and what comes after it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Http, View } from "../../generated/api";
import { capital } from "../../net/api";
import { spoken, t, type Text } from "../../texts";
import { Clauses } from "./parts";

export interface ScriptProps {
  view: View;
  desk: Http.DeskOfTable | null;
  role: string;
  /** Whether one may do steps now: a dealer on shift, or the floor. */
  acts: boolean;
  busy: boolean;
  keys: boolean;
  onNext: () => void;
  /** What stands beside the step, always in sight. */
  children?: ComponentChildren;
}

export function Script({ view, desk, role, acts, busy, keys, onNext, children }: ScriptProps) {
  const line = view.script;
  const button = useRef<HTMLButtonElement>(null);
  const current = desk?.version === view.version ? desk : null;
  const mine = acts && line?.actor === role;
  const words = line ? capital(spoken(line.text)) : t("staff.script.none");
  const blocked = mine ? current?.blocked : null;
  useEffect(() => {
    // The dealer who takes the shift has the key at hand at once.
    if (acts && (document.activeElement === document.body || !document.activeElement)) button.current?.focus();
  }, [acts]);
  const clauses = current?.script[0]?.clauses ?? (line?.clauses ?? []).map((id) => ({ id, demand: "" }));
  return (
    <section class="staff-script" aria-label={t("staff.script")}>
      {acts && (role === "dealer" || line?.actor === role) ? (
        <button
          ref={button}
          type="button"
          class={`staff-step ${mine ? "" : "is-waiting"}`}
          aria-disabled={!mine || busy}
          aria-keyshortcuts={keys ? "N" : undefined}
          onClick={() => mine && !busy && onNext()}
        >
          <span class="staff-step-eyebrow">
            {mine ? t("staff.step.next") : line ? t(`staff.step.waits.${line.actor}` as Text) : t("staff.step.waits")}
          </span>
          <span class="staff-step-words">{words}</span>
          {mine && keys && <kbd aria-hidden="true">N</kbd>}
        </button>
      ) : (
        <div class="staff-step is-watching">
          <span class="staff-step-eyebrow">{line ? t(`staff.step.of.${line.actor}` as Text) : t("staff.step.waits")}</span>
          <span class="staff-step-words">{words}</span>
        </div>
      )}
      {/* While another dealer deals, their steps are not read out. */}
      <p class="spoken" role="status">
        {!acts ? "" : line ? `${t(`staff.step.of.${line.actor}` as Text)}: ${words}` : words}
      </p>
      {blocked && <p class="staff-blocked">{blocked}</p>}
      {line && <Clauses clauses={clauses} none={t("staff.procedure")} />}
      {children}
      {current && current.script.length > 1 && (
        <details class="staff-coming" open={innerWidth > 900}>
          <summary>{t("staff.coming")}</summary>
          <ol>
            {current.script.slice(1).map((one, at) => (
              <li key={at} class={one.mends ? "is-mending" : ""}>
                <span>{capital(spoken(one.text))}</span>
                <span class="small">
                  {one.actor !== "dealer" && t(`staff.actor.${one.actor}` as Text)} {one.clauses.map((clause) => clause.id).join(" ")}
                </span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}
