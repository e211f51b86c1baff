// Keys: what a key does on a page; keys in fields, on open dialogs and with other keys held are left alone.
import { useLayoutEffect, useRef } from "preact/hooks";

export type Keys = Record<string, (() => void) | undefined | false>;

/** Let keys do something while a component is there; names are in small letters. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  // A key works with the button that names it, not a moment later.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const on = event.target instanceof Element ? event.target : document.body;
      if (on.closest("input, textarea, select, dialog, [contenteditable]")) return;
      const name = event.key.toLowerCase();
      if ((name === "enter" || name === " ") && on.closest("button, a, summary, [role=button]")) return;
      const act = latest.current[name];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}
