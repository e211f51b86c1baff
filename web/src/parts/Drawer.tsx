// Drawer: a dialog at the side of the page; the browser keeps the focus in it and closes it by Escape.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../texts";
import { dialogs, Toasts } from "./Toast";

export interface DrawerProps {
  title: string;
  open: boolean;
  onClose: () => void;
  /** 'middle' for something that has to be answered, 'wide' for something to read at one glance. */
  place?: "side" | "middle" | "wide";
  children?: ComponentChildren;
}

export function Drawer({ title, open, onClose, place = "side", children }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  // With what it shows, not a frame later: till then a key or a click would still go to what is behind it, or before it.
  useLayoutEffect(() => {
    const one = dialog.current;
    if (!one || !open) return;
    if (!one.open) one.showModal();
    dialogs.value += 1;
    return () => {
      one.close(); // so that what had the focus has it again
      dialogs.value -= 1;
    };
  }, [open]);
  /** The browser tells only with the next frame that it has closed: by then another drawer may be wanted, or this one anew. */
  function closed(): void {
    if (open && dialog.current && !dialog.current.open) onClose();
  }
  return (
    <dialog
      ref={dialog}
      class={`drawer drawer-${place}`}
      aria-labelledby={name}
      onCancel={(event) => event.target === dialog.current && onClose()}
      onClose={closed}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {open && (
        <div class="drawer-body">
          <div class="drawer-head">
            <h2 id={name}>{title}</h2>
            <button type="button" class="icon-button" aria-label={t("app.close")} onClick={onClose}>
              ✕
            </button>
          </div>
          {children}
          <Toasts />
        </div>
      )}
    </dialog>
  );
}
