// Disputes: players' disputes on their way from role to role, and the ruling of the role whose turn it is.
import { useSignal } from "@preact/signals";
import type { Dispute, Http, View } from "../../generated/api";
import type { Command } from "../../net/table";
import { Button } from "../../parts/Button";
import { Drawer } from "../../parts/Drawer";
import { say } from "../../parts/Toast";
import { t } from "../../texts";
import { concernsOf } from "../table/disputed";
import { Steps } from "../table/drawers/Steps";
import { fieldCents, Form, named, textOf } from "./parts";

interface Props {
  view: View;
  desk: Http.DeskOfTable;
  /** As what one may be at this table. */
  mine: string[];
  onAct: (command: Command) => Promise<void>;
}

export function Complaints({ view, desk, mine: roles, onAct }: Props) {
  const open = useSignal<Dispute | null>(null);
  if (!view.disputes.length) return null;
  const offer = desk.decisions.find((one) => one.number === open.value?.number);
  return (
    <section class="staff-complaints">
      <h2>{t("staff.disputes")}</h2>
      {view.disputes.map((one) => {
        const mine = desk.decisions.some((offered) => offered.number === one.number);
        return (
          <article key={one.number}>
            <p>
              <b>{t("staff.seat.of", { number: one.seat, player: one.player })}</b>: {one.about}
            </p>
            {one.concerns && (
              <p class="small">
                {concernsOf(one.concerns)} · <a href={`/staff/review/${encodeURIComponent(desk.table)}/${one.concerns.round}`}>{t("staff.dispute.review", { round: one.concerns.round })}</a>
              </p>
            )}
            {(one.decisions ?? []).map((decision, at) => (
              <p key={at} class="small">{decision}</p>
            ))}
            <p class="small">
              {!waits(one)
                ? t("staff.dispute.decided")
                : t("staff.dispute.heard", { roles: one.heard_by.map((role) => named(`role.${role}`)).join(" → ") })}
            </p>
            {!mine && waits(one) && <p class="small">{whoCan(one.heard_by[0] ?? "", roles)}</p>}
            {mine && <Button onClick={() => (open.value = one)}>{t("staff.dispute.decide")}</Button>}
          </article>
        );
      })}
      {open.value && offer && (
        <Drawer title={t("staff.dispute.title", { number: offer.number })} open place="middle" onClose={() => (open.value = null)}>
          <p>{open.value.about}</p>
          {open.value.concerns && (
            <details open>
              <summary>{concernsOf(open.value.concerns)}</summary>
              <Steps table={desk.table} round={open.value.concerns.round} />
            </details>
          )}
          <Form
            submit={t("staff.dispute.decide")}
            onSubmit={async (form) => {
              await onAct({
                type: "DecideDispute",
                number: offer.number,
                upheld: form.get("upheld") === "yes",
                cents: fieldCents(form, "cents") ?? 0,
                why: textOf(form, "why"),
                absent: offer.absent,
              });
              say(t("staff.dispute.done"));
              open.value = null;
            }}
          >
            {offer.absent.length > 0 && (
              <label class="check">
                <input type="checkbox" required />
                {t("staff.dispute.absent", { roles: offer.absent.map((role) => named(`role.${role}`)).join(", ") })}
              </label>
            )}
            <fieldset class="choices">
              <legend>{t("staff.dispute.decision")}</legend>
              <label>
                <input type="radio" name="upheld" value="yes" required /> {t("staff.dispute.upheld")}
              </label>
              <label>
                <input type="radio" name="upheld" value="no" required /> {t("staff.dispute.rejected")}
              </label>
            </fieldset>
            {offer.pays && (
              <label>
                {t("staff.dispute.cents")}
                <input name="cents" inputMode="decimal" pattern="[0-9]+([.][0-9]{1,2})?" />
              </label>
            )}
            <label>
              {t("staff.why")}
              <input name="why" required maxLength={200} autocomplete="off" />
            </label>
          </Form>
        </Drawer>
      )}
    </section>
  );
}

/** Whether a dispute waits for a decision, not for its player. */
const waits = (one: Dispute): boolean => !one.decisions?.length || Boolean(one.appealed);

/** How a dispute reaches the instance that rules on it, where that is another role of yours, or no account has that role. */
function whoCan(role: string, mine: string[]): string {
  if (mine.includes(role)) return t("staff.dispute.change", { role: named(`role.${role}`) });
  return role === "operator" ? t("staff.dispute.operator") : role === "games_supervisor" ? t("staff.dispute.games") : "";
}
