// Issue voucher: a promotional voucher for a player; what it comes to is decided at the table where it is redeemed.
import { useSignal } from "@preact/signals";
import type { Http } from "../../generated/api";
import { ask } from "../../net/api";
import { hex, random } from "../../net/bytes";
import { say } from "../../parts/Toast";
import { centsOf, money, t } from "../../texts";
import { Form, textOf } from "./parts";

export function IssueVoucher() {
  const ends = useSignal(true);
  const reference = useSignal(hex(random(16))); // sent again after a failure, it is the same voucher
  return (
    <section class="staff-box">
      <h2>{t("staff.voucher")}</h2>
      <p class="small">{t("staff.voucher.how")}</p>
      <Form
        submit={t("staff.voucher.issue")}
        label={t("staff.voucher")}
        clears
        onSubmit={async (form) => {
          const name = textOf(form, "name");
          const body = {
            cents: centsOf(textOf(form, "amount")) ?? 0,
            into: String(form.get("into")) as Http.VoucherShown["into"],
            days: ends.value ? Number(form.get("days")) : null,
            why: textOf(form, "why"),
            reference: reference.value,
          };
          const issued = await ask("POST /api/vouchers/{name}", { path: { name }, body });
          reference.value = hex(random(16));
          ends.value = true;
          say(t("staff.voucher.issued", { name, amount: money(issued.cents) }));
        }}
      >
        <label>
          {t("staff.voucher.name")}
          <input name="name" required maxLength={24} autocomplete="off" />
        </label>
        <label>
          {t("staff.voucher.amount")}
          <input name="amount" required inputMode="decimal" pattern="[0-9]+([.][0-9]{1,2})?" autocomplete="off" />
        </label>
        <label>
          {t("staff.voucher.into")}
          <select name="into">
            <option value="chips">{t("staff.voucher.chips")}</option>
            <option value="tokens">{t("staff.voucher.tokens")}</option>
            <option value="match_play">{t("staff.voucher.match_play")}</option>
          </select>
        </label>
        <label>
          {t("staff.voucher.end")}
          <select name="end" onChange={(event) => (ends.value = event.currentTarget.value === "days")}>
            <option value="days">{t("staff.voucher.end.days")}</option>
            <option value="none">{t("staff.voucher.end.none")}</option>
          </select>
        </label>
        {ends.value && (
          <label>
            {t("staff.voucher.days")}
            <input name="days" type="number" required min={1} max={3650} defaultValue="30" />
          </label>
        )}
        <label>
          {t("staff.voucher.why")}
          <input name="why" required maxLength={200} autocomplete="off" />
        </label>
      </Form>
    </section>
  );
}
