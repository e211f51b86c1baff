// Tabs: tells the tabs of one browser that the same table is open in another of them.
import { signal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

/** Whether this table is open in another tab too. */
export function useTabs(id: string): ReadonlySignal<boolean> {
  const others = useMemo(() => signal(false), [id]);
  useEffect(() => {
    if (!("BroadcastChannel" in globalThis)) return undefined;
    const channel = new BroadcastChannel(`letitride.table.${id}`);
    channel.onmessage = ({ data }) => {
      if (data === "here") channel.postMessage("too");
      others.value = data !== "gone";
      if (data === "gone") channel.postMessage("who");
      if (data === "who") channel.postMessage("too");
    };
    const gone = (): void => channel.postMessage("gone");
    channel.postMessage("here");
    addEventListener("pagehide", gone);
    return () => {
      gone();
      removeEventListener("pagehide", gone);
      channel.close();
    };
  }, [id]);
  return others;
}
