// Approvals: what waits for a second person: who asked, how much, for what; approve it or decline it, with a reason.
import { useSignal } from "@preact/signals";
import type { Http } from "../../generated/api";
import { ask, capital } from "../../net/api";
import { Button } from "../../parts/Button";
import { money, t, type Text } from "../../texts";
import { momentOf, No, Reason, useAsked } from "./parts";

const LOOK_MS = 5_000;

interface Wish {
  one: Http.ApprovalTold;
  what: "approve" | "decline";
}

export function Approvals() {
  const found = useAsked(() => ask("GET /api/approvals"), [], LOOK_MS);
  const wish = useSignal<Wish | null>(null);
  const every = found.value.value ?? [];
  const waiting = every.filter((one) => one.state === "waiting");
  const over = every.filter((one) => one.state !== "waiting");
  return (
    <>
      <h1>{t("staff.nav.approvals")}</h1>
      <No>{found.refused.value}</No>
      <section aria-label={t("staff.approvals.waiting")}>
        <h2>{t("staff.approvals.waiting")}</h2>
        {found.value.value && !waiting.length && <p>{t("staff.approvals.none")}</p>}
        {waiting.map((one) => (
          <article key={one.id} class="staff-box staff-box-main" aria-label={one.about}>
            <h3>{capital(one.about)}</h3>
            <p>{t("staff.approvals.asked", { name: one.asked_by, when: momentOf(one.asked_ms), until: momentOf(one.until_ms) })}</p>
            <p>{one.why}</p>
            {one.refused && !one.yours && <p class="staff-blocked">{capital(one.refused)}</p>}
            <p class="staff-actions">
              {!one.refused && (
                <Button kind="main" onClick={() => (wish.value = { one, what: "approve" })}>
                  {t("staff.approvals.approve", { cents: money(one.cents) })}
                </Button>
              )}
              {(!one.refused || one.yours) && (
                <Button kind="danger" onClick={() => (wish.value = { one, what: "decline" })}>
                  {t(one.yours ? "staff.approvals.takeback" : "staff.approvals.decline")}
                </Button>
              )}
            </p>
          </article>
        ))}
      </section>
      <section aria-label={t("staff.approvals.over")}>
        <h2>{t("staff.approvals.over")}</h2>
        <div class="staff-scroll" tabIndex={0} role="group" aria-label={t("staff.approvals.over")}>
          <table class="rows">
            <thead>
              <tr>
                <th scope="col">{t("staff.when")}</th>
                <th scope="col">{t("staff.approvals.what")}</th>
                <th scope="col">{t("staff.approvals.by")}</th>
                <th scope="col">{t("staff.approvals.state")}</th>
                <th scope="col">{t("staff.approvals.decided")}</th>
              </tr>
            </thead>
            <tbody>
              {over.map((one) => (
                <tr key={one.id}>
                  <td>{momentOf(one.decided_ms || one.asked_ms)}</td>
                  <td>{one.about}</td>
                  <td>{one.asked_by}</td>
                  <td>{t(`staff.approvals.state.${one.state}` as Text)}</td>
                  <td>{[one.decided_by, one.decided_why, one.outcome].filter(Boolean).join(": ")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      {wish.value && <Decide wish={wish.value} onClose={() => (wish.value = null)} onDone={() => void found.again()} />}
    </>
  );
}

function Decide({ wish, onClose, onDone }: { wish: Wish; onClose: () => void; onDone: () => void }) {
  const { one, what } = wish;
  async function send(why: string): Promise<void> {
    const path = { approval_id: one.id };
    if (what === "approve") await ask("POST /api/approvals/{approval_id}/approve", { path, body: { why } });
    else await ask("POST /api/approvals/{approval_id}/decline", { path, body: { why } });
    onDone();
  }
  const words: Text = what === "approve" ? "staff.approvals.approve" : one.yours ? "staff.approvals.takeback" : "staff.approvals.decline";
  return (
    <Reason
      title={capital(one.about)}
      text={t(what === "approve" ? "staff.approvals.sure" : "staff.approvals.not", { name: one.asked_by })}
      submit={t(words, { cents: money(one.cents) })}
      kind={what === "approve" ? "main" : "danger"}
      onClose={onClose}
      onSubmit={send}
    />
  );
}
