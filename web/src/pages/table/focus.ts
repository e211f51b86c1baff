// Focus: where the keyboard goes when a drawer of the table closes: to what can be pressed on the rail, else back.
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
