// Clock: how many seconds a question has left, for those who want to see clocks.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { clocks } from "../../../state/settings";
import { t } from "../../../texts";

export function Clock({ seconds, open }: { seconds: number; open: number }) {
  const left = useSignal(Math.max(0, Math.ceil(seconds - open)));
  useEffect(() => {
    const ends = performance.now() + (seconds - open) * 1000;
    const timer = setInterval(() => (left.value = Math.max(0, Math.ceil((ends - performance.now()) / 1000))), 250);
    return () => clearInterval(timer);
  }, [seconds, open]);
  if (!clocks.value) return null;
  return (
    <span class={left.value ? "drill-clock" : "drill-clock is-over"} role="timer">
      {left.value ? t("staffdrill.left", { seconds: left.value }) : t("staffdrill.over")}
    </span>
  );
}
