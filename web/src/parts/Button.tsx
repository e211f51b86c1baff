// Button: one look for everything that can be pressed.
import type { ComponentChildren, ButtonHTMLAttributes } from "preact";

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type" | "disabled"> {
  kind?: "main" | "plain" | "quiet" | "danger";
  /** The key that does the same, shown on the button. */
  keyName?: string;
  type?: "button" | "submit";
  disabled?: boolean;
  children?: ComponentChildren;
}

export function Button({ kind = "plain", keyName, children, class: more = "", ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} class={`button button-${kind} ${more as string}`} aria-keyshortcuts={keyName}>
      <span>{children}</span>
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
