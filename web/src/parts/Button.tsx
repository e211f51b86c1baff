// Button: one look for everything that can be pressed; one that waits for an answer says so.
import type { ComponentChildren, ButtonHTMLAttributes } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../texts";

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type" | "disabled"> {
  kind?: "main" | "plain" | "quiet" | "danger";
  /** The key that does the same, shown on the button. */
  keyName?: string | undefined;
  type?: "button" | "submit";
  disabled?: boolean;
  /** Whether what it did waits for its answer; left out, it is found by its being pressed and then disabled. */
  waits?: boolean;
  children?: ComponentChildren;
}

export function Button({ kind = "plain", keyName, children, waits, class: more = "", onClick, disabled = false, ...rest }: ButtonProps) {
  const [pressed, setPressed] = useState(false);
  useEffect(() => {
    if (pressed && !disabled) setPressed(false);
  }, [disabled]);
  const waiting = waits ?? (pressed && disabled);
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled}
      class={`button button-${kind} ${waiting ? "is-waiting" : ""} ${more as string}`}
      aria-keyshortcuts={keyName}
      aria-busy={waiting || undefined}
      onClick={(event) => {
        setPressed(true);
        if (typeof onClick === "function") onClick(event);
      }}
    >
      <span>{children}</span>
      {waiting && <span class="spoken">{t("button.waits")}</span>}
      {keyName && <kbd aria-hidden="true">{keyName}</kbd>}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ kind = "plain", href, children }: { kind?: "main" | "plain" | "quiet"; href: string; children: ComponentChildren }) {
  return (
    <a class={`button button-${kind}`} href={href}>
      <span>{children}</span>
    </a>
  );
}
