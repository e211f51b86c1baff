// Tabs: tells the tabs of one browser that the same table is open in another of them.
import { signal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

const ASK_MS = 3000;
const MISSED_MS = 10_000;

/** Whether this table is open in another tab too. */
export function useTabs(id: string): ReadonlySignal<boolean> {
  const others = useMemo(() => signal(false), [id]);
  useEffect(() => {
    if (!("BroadcastChannel" in globalThis)) return undefined;
    const channel = new BroadcastChannel(`letitride.table.${id}`);
    let heard = 0;
    channel.onmessage = ({ data }) => {
      if (data === "here") channel.postMessage("too");
      others.value = data !== "gone";
      if (data === "gone") channel.postMessage("who");
      else heard = Date.now();
      if (data === "who") channel.postMessage("too");
    };
    // A tab that is killed, or closed in a hurry, says no word: it is missed when it does not answer any more.
    const timer = setInterval(() => {
      if (!others.value) return;
      if (Date.now() - heard > MISSED_MS) others.value = false;
      channel.postMessage("who");
    }, ASK_MS);
    const gone = (): void => channel.postMessage("gone");
    channel.postMessage("here");
    addEventListener("pagehide", gone);
    return () => {
      clearInterval(timer);
      gone();
      removeEventListener("pagehide", gone);
      channel.close();
    };
  }, [id]);
  return others;
}
