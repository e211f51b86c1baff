// Second factor: the code or the passkey that is asked for after the password, at a sign-in and again; a passkey by itself.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask, told } from "../net/api";
import { askPasskey, canPasskeys } from "../net/passkeys";
import { loadWays, ways } from "../state/provider";
import { codeWanted, signInByCode, signInByPasskey } from "../state/session";
import { t } from "../texts";
import { Button } from "./Button";
import { Form, No } from "./Form";
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

async function enterByPasskey(): Promise<void> {
  const known = await signInByPasskey();
  say(t("account.in.done", { name: known.name }));
}

/** Give a passkey again, in place of a code. */
export async function proveByPasskey(): Promise<void> {
  const { options } = await ask("POST /api/me/factors/proof/passkey/options");
  await ask("POST /api/me/factors/proof/passkey", { body: { credential: await askPasskey(options) } });
}

/** A passkey in place of name and password. */
export const PasskeySignIn = () => <PasskeyButton words="passkey.in" onPress={enterByPasskey} />;

/** Whether this house and this browser have passkeys. */
export function useHasPasskeys(): boolean {
  useEffect(() => void loadWays().catch(() => undefined), []);
  return canPasskeys() && (ways.value?.passkeys ?? false);
}

/** Asks the device, and says why it was refused; nothing where there are no passkeys. */
export function PasskeyButton({ words, onPress }: { words: "passkey.use" | "passkey.in"; onPress: () => Promise<void> }) {
  const has = useHasPasskeys();
  const busy = useSignal(false);
  const refused = useSignal("");
  async function press(): Promise<void> {
    busy.value = true;
    refused.value = "";
    try {
      await onPress();
    } catch (error) {
      refused.value = told(error);
    } finally {
      busy.value = false;
    }
  }
  if (!has) return null;
  return (
    <>
      <No>{refused.value}</No>
      <Button class="factor-back" disabled={busy.value} onClick={() => void press()}>
        {t(words)}
      </Button>
    </>
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
      <PasskeyButton words="passkey.use" onPress={enterByPasskey} />
      <Button class="factor-back" onClick={() => (codeWanted.value = false)}>{t("factor.back")}</Button>
    </>
  );
}
