// Rules drawer: the player's rules of a table in a dialog, from the lobby or at the table; loaded when it is opened first.
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { t } from "../texts";
import { withTexts } from "../texts/language";
import { Drawer } from "./Drawer";

const loaded = signal<ComponentType<{ table: string }> | null>(null);
const failed = signal(false);

export function RulesDrawer({ table, name, onClose }: { table: string; name: string; onClose: () => void }) {
  useEffect(() => {
    failed.value = false;
    void withTexts(import("../rules/TableRules")).then(
      (found) => (loaded.value = found.default),
      () => (failed.value = true),
    );
  }, []);
  const Inside = loaded.value;
  return (
    <Drawer title={t("house.title", { name })} place="wide" open onClose={onClose}>
      {Inside ? <Inside table={table} /> : <p role={failed.value ? "alert" : undefined}>{t(failed.value ? "app.failed" : "app.loading")}</p>}
    </Drawer>
  );
}
