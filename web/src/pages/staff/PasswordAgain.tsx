// Password again: asks an administrator for the password once more, before what moves money or gives roles goes on.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, setPasswordAgain } from "../../net/api";
import { Drawer } from "../../parts/Drawer";
import { t } from "../../texts";
import { Form } from "./parts";

export function PasswordAgain() {
  /** Those who wait to hear whether the password was given. */
  const waits = useSignal<((given: boolean) => void) | null>(null);
  function tell(given: boolean): void {
    waits.value?.(given);
    waits.value = null;
  }
  useEffect(() => {
    setPasswordAgain(() => new Promise((resolve) => (waits.value = resolve)));
    return () => setPasswordAgain(async () => false);
  }, []);
  return (
    <Drawer title={t("staff.again")} open={waits.value !== null} place="middle" onClose={() => tell(false)}>
      <p class="small">{t("staff.again.how")}</p>
      <Form
        submit={t("staff.again.go")}
        onSubmit={async (form) => {
          await ask("POST /api/me/proof", { body: { password: String(form.get("password")) } });
          tell(true);
        }}
      >
        <label>
          {t("account.password")}
          <input name="password" type="password" required maxLength={256} autocomplete="current-password" />
        </label>
      </Form>
    </Drawer>
  );
}
