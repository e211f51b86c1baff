// Steady: a tray that never gets lower while it is there, so that nothing on it or above it moves during a round.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** What is seen of the table above the tray, however large the text: a higher tray is scrolled. */
const FELT_PX = 220;

/** Keep an element as high as it has been, as long as its width and `rows` stay the same. */
export function useSteadyHeight(rows: number): RefObject<HTMLElement | null> {
  const tray = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const one = tray.current!;
    let [width, height] = [0, 0];
    const look = (): void => {
      if (one.offsetWidth !== width) {
        [width, height] = [one.offsetWidth, 0];
        one.style.minHeight = "";
        one.removeAttribute("data-tall");
      }
      const tall = one.offsetHeight > innerHeight - FELT_PX && getComputedStyle(one).position === "sticky";
      if (tall) one.setAttribute("data-tall", "");
      const now = Math.ceil(one.getBoundingClientRect().height);
      if (now <= height) return;
      height = now;
      one.style.minHeight = `${height}px`;
    };
    const watch = new ResizeObserver(look);
    watch.observe(one);
    return () => watch.disconnect();
  }, [rows]);
  return tray;
}
