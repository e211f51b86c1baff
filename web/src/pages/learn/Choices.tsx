// Decision buttons: the two decisions as two large buttons with keys; it knows nothing of which is right.
import { useLayoutEffect } from "preact/hooks";
import { t } from "../../texts";
import type { Choice } from "./figures";

const KEYS: Record<string, Choice> = { r: "ride", t: "withdraw" };

export function Choices({ onChoose, disabled }: { onChoose: (choice: Choice) => void; disabled: boolean }) {
  useKeys((key) => {
    const choice = KEYS[key];
    if (choice && !disabled) onChoose(choice);
    return Boolean(choice);
  });
  return (
    <div class="learn-choices">
      <button type="button" class="learn-choice learn-choice-ride" disabled={disabled} aria-keyshortcuts="R" onClick={() => onChoose("ride")}>
        <span>{t("learn.ride")}</span>
        <kbd aria-hidden="true">R</kbd>
      </button>
      <button type="button" class="learn-choice learn-choice-pull" disabled={disabled} aria-keyshortcuts="T" onClick={() => onChoose("withdraw")}>
        <span>{t("learn.withdraw")}</span>
        <kbd aria-hidden="true">T</kbd>
      </button>
    </div>
  );
}

/** Hear a key from the moment it is drawn, while no field is written into; `heard` says whether the key was meant for it. */
export function useKeys(heard: (key: string) => boolean): void {
  useLayoutEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (event.target instanceof Element && event.target.closest("input, select, textarea, dialog")) return;
      if (heard(event.key.toLowerCase())) event.preventDefault();
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}
