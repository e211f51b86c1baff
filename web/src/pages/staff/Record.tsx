// Record: the audit trail: who did what, when and why, the latest first; and the way to the walks.
import { useSignal } from "@preact/signals";
import type { Http } from "../../generated/api";
import { ask, told } from "../../net/api";
import { Button } from "../../parts/Button";
import { t } from "../../texts";
import { momentOf, No, useAsked } from "./parts";

const PAGE = 200;

export function Record() {
  const rows = useSignal<Http.Audited[]>([]);
  const refused = useSignal("");
  const words = useSignal("");
  const first = useAsked(async () => {
    rows.value = (await ask("GET /api/audit", { query: { limit: PAGE, latest: true } })).reverse();
    return true;
  });
  const tables = useAsked(() => ask("GET /api/desk"));
  const oldest = rows.value.at(-1)?.number ?? 1;
  async function older(): Promise<void> {
    refused.value = "";
    try {
      const after = Math.max(oldest - 1 - PAGE, 0);
      const found = await ask("GET /api/audit", { query: { after, limit: PAGE } });
      rows.value = [...rows.value, ...found.filter((one) => one.number < oldest).reverse()];
    } catch (error) {
      refused.value = told(error);
    }
  }
  const wanted = words.value.toLowerCase();
  const shown = rows.value.filter((one) => `${one.who} ${one.what} ${one.why}`.toLowerCase().includes(wanted));
  return (
    <>
      <h1>{t("staff.nav.audit")}</h1>
      <No>{first.refused.value || refused.value || tables.refused.value}</No>
      <section>
        <h2>{t("staff.walks")}</h2>
        <ul class="staff-links">
          {(tables.value.value ?? []).map((one) => (
            <li key={one.id}>
              <a href={`/staff/review/${encodeURIComponent(one.id)}`}>{one.name}</a>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{t("staff.record")}</h2>
        <label class="staff-filter">
          {t("staff.record.filter")}
          <input type="search" value={words.value} onInput={(event) => (words.value = event.currentTarget.value)} />
        </label>
        <p class="small" role="status">{first.value.value && t("staff.record.shown", { shown: shown.length, of: rows.value.length })}</p>
        <div class="staff-scroll" tabIndex={0} role="group" aria-label={t("staff.record")}>
          <table class="rows">
            <thead>
              <tr>
                <th scope="col">{t("staff.number")}</th>
                <th scope="col">{t("staff.when")}</th>
                <th scope="col">{t("staff.who")}</th>
                <th scope="col">{t("staff.what")}</th>
                <th scope="col">{t("staff.why.short")}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((one) => (
                <tr key={one.number}>
                  <td>{one.number}</td>
                  <td class="staff-nowrap">{momentOf(one.at_ms)}</td>
                  <td>{one.who}</td>
                  <td>{one.what}</td>
                  <td>{one.why}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {oldest > 1 && rows.value.length > 0 && <Button onClick={() => void older()}>{t("staff.record.older")}</Button>}
      </section>
    </>
  );
}
