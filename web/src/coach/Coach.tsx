// Coach: what is in the coach's drawer at a table, loaded when it is opened; after leaving too, for the rounds played.
// It asks the server for everything it says, and the server tells only what the player's own seat may know.
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { Connection } from "../net/table";
import { t } from "../texts";

const panel = signal<ComponentType<{ table: Connection }> | null>(null);

export function Coach({ table }: { table: Connection }) {
  useEffect(() => void import("./Panel").then((found) => (panel.value = found.default)), []);
  const Panel = panel.value;
  if (table.view.value?.coach) return Panel && <Panel table={table} />;
  return (
    <p>
      {t("coach.forbidden")} {t("coach.forbidden.after")}
    </p>
  );
}
