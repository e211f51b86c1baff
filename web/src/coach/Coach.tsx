// Coach: a part of the table page that opens beside the game, where the table's book allows advice; loaded when opened.
// It asks the server for everything it says, and only what the server gives one's own seat.
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { Connection } from "../net/table";
import { coachOpen } from "../state/settings";
import { t } from "../texts";

const panel = signal<ComponentType<{ table: Connection }> | null>(null);

/** The coach of somebody who sits at a table; put it where it can be seen together with the choices. */
export function Coach({ table }: { table: Connection }) {
  const view = table.view.value;
  const open = coachOpen.value && (view?.coach ?? false);
  useEffect(() => {
    if (open && !panel.value) void import("./Panel").then((found) => (panel.value = found.default));
  }, [open]);
  if (!view || !table.seat.value) return null;
  const Panel = panel.value;
  return (
    <section class="coach" aria-label={t("coach.title")}>
      <details open={coachOpen.value} onToggle={(event) => (coachOpen.value = event.currentTarget.open)}>
        <summary>
          <h2>{t("coach.title")}</h2>
        </summary>
        {view.coach ? open && Panel && <Panel table={table} /> : <p class="coach-no">{t("coach.forbidden")}</p>}
      </details>
    </section>
  );
}
