// Coach: the button of the table page that opens the coach, and its drawer; what is in it is loaded when it is opened.
// It asks the server for everything it says, and the server tells only what the player's own seat may know.
import { signal, useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { Connection } from "../net/table";
import { useFocusBack } from "../pages/table/focus";
import { useKeys } from "../pages/table/keys";
import { Button } from "../parts/Button";
import { Drawer } from "../parts/Drawer";
import { t } from "../texts";

const panel = signal<ComponentType<{ table: Connection }> | null>(null);

/** Opens the coach; after leaving too, for the results of the rounds played. */
export function Coach({ table }: { table: Connection }) {
  const open = useSignal(false);
  function show(): void {
    open.value = true;
    void import("./Panel").then((found) => (panel.value = found.default));
  }
  useKeys({ w: show });
  useFocusBack(open.value);
  const Panel = panel.value;
  return (
    <>
      <Button kind="quiet" keyName="W" onClick={show}>
        {t("coach.title")}
      </Button>
      <Drawer title={t("coach.title")} open={open.value} onClose={() => (open.value = false)}>
        {table.view.value?.coach ? Panel && <Panel table={table} /> : <p>{t("coach.forbidden")} {t("coach.forbidden.after")}</p>}
      </Drawer>
    </>
  );
}
