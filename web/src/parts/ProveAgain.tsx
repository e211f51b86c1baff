// Prove again: asks for the password or the second factor once more, before what moves money or gives roles goes on.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, setProveAgain, type Proof } from "../net/api";
import { t } from "../texts";
import { AtProvider } from "./AtProvider";
import { Drawer } from "./Drawer";
import { Form } from "./Form";
import { CodeField, PasskeyButton, proveByPasskey } from "./SecondFactor";

export function ProveAgain() {
  /** What is asked for, and who waits to hear whether it was given. */
  const waits = useSignal<{ proof: Proof; tell: (given: boolean) => void } | null>(null);
  function tell(given: boolean): void {
    waits.value?.tell(given);
    waits.value = null;
  }
  useEffect(() => setProveAgain((proof) => new Promise((resolve) => (waits.value = { proof, tell: resolve }))), []);
  const byCode = waits.value?.proof === "factor_again";
  return (
    <Drawer title={t(byCode ? "factor.again" : "staff.again")} open={waits.value !== null} place="middle" onClose={() => tell(false)}>
      <p class="small">{t(byCode ? "factor.again.how" : "staff.again.how")}</p>
      {waits.value && !byCode && <AtProvider purpose="confirm" />}
      <Form
        submit={t(byCode ? "factor.again.go" : "staff.again.go")}
        onSubmit={async (form) => {
          if (byCode) await ask("POST /api/me/factors/proof", { body: { code: String(form.get("code")) } });
          else await ask("POST /api/me/proof", { body: { password: String(form.get("password")) } });
          tell(true);
        }}
      >
        {byCode ? (
          <CodeField />
        ) : (
          <label>
            {t("account.password")}
            <input name="password" type="password" required maxLength={256} autocomplete="current-password" />
          </label>
        )}
      </Form>
      {byCode && (
        <PasskeyButton
          words="passkey.use"
          onPress={async () => {
            await proveByPasskey();
            tell(true);
          }}
        />
      )}
    </Drawer>
  );
}
