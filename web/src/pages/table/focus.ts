// Focus: where the keyboard goes when what it was on goes away: from a drawer to the rail, on the rail to what comes next.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** When a drawer closes, let Enter press the rail's main button, not open the drawer again. */
export function useFocusBack(open: boolean): void {
  const opener = useRef<Element | null>(null);
  if (open && !opener.current) opener.current = document.activeElement;
  useLayoutEffect(() => {
    const back = opener.current;
    if (open || !back) return;
    opener.current = null;
    const main = document.querySelector<HTMLElement>(".rail .button-main:not(:disabled)");
    (main ?? (back as HTMLElement)).focus({ preventScroll: true });
  }, [open]);
}

/** When a button that was pressed by a key gives way to what is asked next, keep the focus there, not nowhere. */
export function useFocusNext(keyed: RefObject<boolean>): RefObject<HTMLDivElement | null> {
  const acts = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const next = acts.current?.lastElementChild;
    if (!keyed.current || document.activeElement !== document.body || !(next instanceof HTMLElement)) return;
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
  });
  return acts;
}
