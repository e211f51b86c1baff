// Toast: short sentences about what happened, seen and spoken; they go by themselves.
import { signal } from "@preact/signals";
import { t } from "../texts";

interface Said {
  id: number;
  text: string;
  kind: "news" | "trouble";
}

const said = signal<Said[]>([]);
const SHOWN_MS = 7000;
let last = 0;

/** Say something; what went wrong is spoken at once. */
export function say(text: string, kind: Said["kind"] = "news"): void {
  const one = { id: ++last, text, kind };
  said.value = [...said.value.filter((other) => other.text !== text).slice(-2), one];
  setTimeout(() => drop(one.id), SHOWN_MS);
}

/** How many dialogs are open: the page behind them is out of reach, so they show what is said. */
export const dialogs = signal(0);

/** The toasts of the page itself, unless a dialog shows them. */
export function PageToasts() {
  return dialogs.value ? null : <Toasts />;
}

const drop = (id: number): void => {
  said.value = said.value.filter((other) => other.id !== id);
};

export function Toasts() {
  const of = (kind: Said["kind"]) =>
    said.value
      .filter((one) => one.kind === kind)
      .map((one) => (
        <p key={one.id} class={`toast toast-${kind}`}>
          <span>{one.text}</span>
          <button type="button" class="icon-button" aria-label={t("app.close")} onClick={() => drop(one.id)}>
            ✕
          </button>
        </p>
      ));
  return (
    <div class="toasts">
      <div role="status">{of("news")}</div>
      <div role="alert">{of("trouble")}</div>
    </div>
  );
}
