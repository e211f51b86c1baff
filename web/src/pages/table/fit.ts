// Fit: how many of a row's children find room in it beside the last one, which stands for the others; it hides none itself.
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** How many of things so wide fit into a row; `more` wide is what stands for those that do not. */
export function fitting(widths: readonly number[], more: number, room: number): number {
  const all = widths.reduce((sum, one) => sum + one, 0);
  if (all <= room) return widths.length;
  let left = room - more;
  const over = widths.findIndex((one) => (left -= one) < 0);
  return Math.max(0, over);
}

/** Measure a row whose width its children do not decide, whenever that changes or what stands in it (`what`). */
export function useFit(row: RefObject<HTMLElement | null>, what: string): number {
  const [fits, setFits] = useState(Infinity);
  useLayoutEffect(() => {
    const one = row.current!;
    const look = (): void => {
      const all = [...one.children] as HTMLElement[];
      const hidden = all.map((child) => child.hidden);
      for (const child of all) child.hidden = false;
      const widths = all.map((child) => child.getBoundingClientRect().width);
      all.forEach((child, at) => (child.hidden = hidden[at]!));
      setFits(fitting(widths.slice(0, -1), widths.at(-1)!, one.clientWidth));
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(one);
    return () => watch.disconnect();
  }, [what]);
  return fits;
}
