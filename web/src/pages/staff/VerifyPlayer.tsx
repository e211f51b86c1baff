// Verify player: an administrator says to whom an account belongs; how that is checked is the house's own business.
import { ask } from "../../net/api";
import { say } from "../../parts/Toast";
import { t } from "../../texts";
import { Form, textOf } from "./parts";

export function VerifyPlayer() {
  return (
    <section class="staff-box">
      <h2>{t("staff.verify")}</h2>
      <p class="small">{t("staff.verify.how")}</p>
      <Form
        submit={t("staff.verify.do")}
        label={t("staff.verify")}
        clears
        onSubmit={async (form) => {
          const name = textOf(form, "name");
          const body = { reference: textOf(form, "reference"), why: textOf(form, "why") };
          await ask("POST /api/people/{name}/verification", { path: { name }, body });
          say(t("staff.verify.done", { name }));
        }}
      >
        <label>
          {t("staff.voucher.name")}
          <input name="name" required maxLength={24} autocomplete="off" />
        </label>
        <label>
          {t("staff.verify.reference")}
          <input name="reference" required maxLength={200} autocomplete="off" />
        </label>
        <label>
          {t("staff.verify.why")}
          <input name="why" required maxLength={200} autocomplete="off" />
        </label>
      </Form>
    </section>
  );
}
