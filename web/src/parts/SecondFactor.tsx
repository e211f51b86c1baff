// Second factor: the code that is asked for after the password, at a sign-in and again.
import { useEffect, useRef } from "preact/hooks";
import { codeWanted, signInByCode } from "../state/session";
import { t } from "../texts";
import { Button } from "./Button";
import { Form } from "./Form";
import { say } from "./Toast";

/** The field for a code of the app; a recovery code has letters, so where one will do the field takes more than digits. */
export function CodeField({ recovery = true }: { recovery?: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <label>
      {t("factor.code")}
      <input ref={field} name="code" autocomplete="one-time-code" inputMode={recovery ? "text" : "numeric"} required maxLength={64} spellcheck={false} />
      <span class="small">{t(recovery ? "factor.code.how" : "factor.code.app")}</span>
    </label>
  );
}

/** The second half of a sign-in. */
export function CodeStep() {
  return (
    <>
      <p>{t("factor.step")}</p>
      <Form
        submit={t("account.in")}
        onSubmit={async (form) => {
          const known = await signInByCode(String(form.get("code")));
          say(t("account.in.done", { name: known.name }));
        }}
      >
        <CodeField />
      </Form>
      <Button class="factor-back" onClick={() => (codeWanted.value = false)}>{t("factor.back")}</Button>
    </>
  );
}
