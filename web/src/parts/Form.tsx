// Form: a form that waits for its answer and says what was refused.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { told } from "../net/api";
import { Button } from "./Button";

/** Why something was refused, seen and spoken. */
export function No({ children }: { children: ComponentChildren }) {
  return children ? (
    <p class="form-no" role="alert">
      {children}
    </p>
  ) : null;
}

export interface FormProps {
  submit: string;
  kind?: "main" | "plain" | "danger";
  /** What is done with what was filled in; what it throws is shown. */
  onSubmit: (form: FormData) => Promise<void>;
  disabled?: boolean;
  /** Whether the fields are empty again once it is done. */
  clears?: boolean;
  class?: string;
  label?: string;
  children?: ComponentChildren;
}

/** A form that waits for its answer and says what was refused. */
export function Form({ submit, kind = "main", onSubmit, disabled = false, clears = false, children, ...rest }: FormProps) {
  const busy = useSignal(false);
  const refused = useSignal("");
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    if (busy.value) return;
    busy.value = true;
    refused.value = "";
    try {
      await onSubmit(new FormData(form));
      if (clears) form.reset();
    } catch (error) {
      refused.value = told(error);
    } finally {
      busy.value = false;
    }
  }
  return (
    <form class={`form ${rest.class ?? ""}`} aria-label={rest.label} onSubmit={(event) => void send(event)}>
      {children}
      <No>{refused.value}</No>
      <Button kind={kind} type="submit" disabled={disabled || busy.value}>
        {submit}
      </Button>
    </form>
  );
}
