// Tables: all tables of the house at a glance, and what the floor does to them from here: close, open, set going again.
import { useSignal } from "@preact/signals";
import type { Http } from "../../generated/api";
import { AUDITORS, MANAGERS, SUPERVISORS } from "../../generated/roles";
import { ask } from "../../net/api";
import { Button } from "../../parts/Button";
import { say } from "../../parts/Toast";
import { beyond, bookTitle } from "../../state/titles";
import { learnBets, money, spoken, t, type Text } from "../../texts";
import { OpenTable } from "./OpenTable";
import { Clauses, has, named, No, Reason, useAsked } from "./parts";

const LOOK_MS = 2000;
type Wish = { table: Http.DeskTable; what: "close" | "reopen" | "resume" | "void" };

export function Tables() {
  const desk = useAsked(() => ask("GET /api/desk"), [], LOOK_MS);
  const wish = useSignal<Wish | null>(null);
  const opening = useSignal(false);
  const tables = desk.value.value;
  for (const one of tables ?? []) learnBets(Object.entries(one.side_bets));
  const trouble = (tables ?? []).filter((one) => one.state === "halted").length;
  return (
    <>
      <div class="staff-head">
        <h1>{t("staff.nav.tables")}</h1>
        {has(...MANAGERS) && (
          <Button onClick={() => (opening.value = true)}>{t("staff.open.title")}</Button>
        )}
      </div>
      <No>{desk.refused.value}</No>
      <p role="status" class={trouble ? "staff-alarm" : "small"}>
        {tables && (trouble ? t("staff.tables.halted", { number: trouble }) : t("staff.tables.fine", { number: tables.length }))}
      </p>
      <ul class="staff-tables">
        {[...(tables ?? [])].sort(byUrgency).map((one) => (
          <Glance key={one.id} table={one} onWish={(what) => (wish.value = { table: one, what })} />
        ))}
      </ul>
      {wish.value && (
        <Ask
          wish={{ ...wish.value, table: tables?.find((one) => one.id === wish.value!.table.id) ?? wish.value.table }}
          onClose={() => (wish.value = null)}
          onDone={() => {
            say(t(`staff.${wish.value!.what}.done` as Text, { name: wish.value!.table.name }));
            void desk.again();
          }}
        />
      )}
      {opening.value && <OpenTable onClose={() => (opening.value = false)} onDone={() => void desk.again()} />}
    </>
  );
}

const URGENT = ["halted", "closing", "open", "closed"];
const byUrgency = (one: Http.DeskTable, other: Http.DeskTable): number =>
  URGENT.indexOf(one.state) - URGENT.indexOf(other.state) || one.name.localeCompare(other.name);

function Glance({ table, onWish }: { table: Http.DeskTable; onWish: (what: Wish["what"]) => void }) {
  const [least, most] = table.limits_cents;
  const supervises = has(...SUPERVISORS);
  return (
    <li class={`staff-glance is-${table.state}`}>
      <div class="staff-glance-head">
        <h2>{table.name}</h2>
        <span class={`staff-state is-${table.state}`}>{t(`staff.state.${table.state}`)}</span>
      </div>
      <p class="small">
        {[
          beyond(bookTitle(table.rulebook), table.name),
          typeof least === "number" && typeof most === "number" && `${money(least)} – ${money(most)}`,
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {table.reason && table.state !== "open" && <p class="staff-reason">{table.reason}</p>}
      <dl class="staff-facts">
        <dt>{t("staff.dealer")}</dt>
        <dd>{table.dealer === "automatic" ? t("staff.automatic") : table.dealer}</dd>
        <dt>{t("staff.round")}</dt>
        <dd>
          {table.round || "–"} {table.phase && <span class="small">{t("staff.in", { phase: phaseOf(table.phase) })}</span>}
        </dd>
        <dt>{t("staff.players")}</dt>
        <dd>
          {table.here ? `${table.players.length} / ${table.seats}` : "–"}{" "}
          <span class="small">{table.players.join(", ")}</span>
        </dd>
        {table.waits_for && (
          <>
            <dt>{t("staff.next")}</dt>
            <dd>{spoken(table.waits_for)}</dd>
          </>
        )}
      </dl>
      {table.rulings.map((one) => (
        <p key={one} class="staff-ruled small">{one}</p>
      ))}
      {table.disputes > 0 && (
        <p class="staff-alarm">
          {t("staff.disputes.open", { number: table.disputes })}
          {table.disputes_wait_for.length > 0 &&
            ` ${t("staff.disputes.wait", { roles: table.disputes_wait_for.map((role) => named(`role.${role}`)).join(", ") })}`}
        </p>
      )}
      {!table.here && table.state === "open" && <p class="small">{t("staff.elsewhere")}</p>}
      <div class="staff-actions">
        {table.state !== "closed" && table.state !== "halted" && table.roles.length > 0 && (
          <a class="button button-main" href={`/staff/table/${encodeURIComponent(table.id)}`} aria-label={t("staff.work.at", { name: table.name })}>
            {t("staff.work")}
          </a>
        )}
        {has(...AUDITORS) && (
          <a class="button" href={`/staff/review/${encodeURIComponent(table.id)}`} aria-label={t("staff.walk.at", { name: table.name })}>
            {t("staff.walk")}
          </a>
        )}
        {supervises && table.state === "open" && (
          <Button kind="quiet" onClick={() => onWish("close")} aria-label={t("staff.close.at", { name: table.name })}>
            {t("staff.close")}
          </Button>
        )}
        {supervises && (table.state === "closing" || table.state === "closed") && (
          <Button onClick={() => onWish("reopen")} aria-label={t("staff.reopen.at", { name: table.name })}>
            {t("staff.reopen")}
          </Button>
        )}
        {supervises && table.state === "halted" && (
          <>
            <Button kind="main" onClick={() => onWish("resume")}>{t("staff.resume")}</Button>
            <Button kind="danger" onClick={() => onWish("void")}>{t("staff.void")}</Button>
          </>
        )}
      </div>
    </li>
  );
}

/** The part of the procedure in words. */
export function phaseOf(phase: string): string {
  return named(`staff.phase.${phase}`);
}

function Ask({ wish, onClose, onDone }: { wish: Wish; onClose: () => void; onDone: () => void }) {
  const { table, what } = wish;
  async function send(why: string): Promise<void> {
    const path = { table_id: table.id };
    if (what === "resume" || what === "void") await ask("POST /api/tables/{table_id}/recover", { path, body: { how: what, why } });
    else await ask("POST /api/tables/{table_id}/state", { path, body: { state: what === "close" ? "closing" : "open", why, without_notice: what === "close" && table.closing_notice !== null } });
    onDone();
  }
  return (
    <Reason
      title={t(`staff.${what}.title` as Text, { name: table.name })}
      text={t(`staff.${what}.text` as Text)}
      submit={t(`staff.${what}` as Text)}
      kind={what === "void" || what === "close" ? "danger" : "main"}
      onClose={onClose}
      onSubmit={send}
    >
      {what === "close" && table.players.length > 0 && <Seated table={table} />}
    </Reason>
  );
}

/** Who sits at a table that is to be closed, and what the book wants for their sake. */
function Seated({ table }: { table: Http.DeskTable }) {
  const { players, closing_notice: notice } = table;
  return (
    <>
      <p>
        {t("staff.close.seated", { number: players.length, players: players.join(", ") })}
      </p>
      {notice && (
        <>
          <p class="staff-reason">{t("staff.close.notice", { minutes: notice.minutes })}</p>
          <Clauses clauses={notice.clauses} none={t("staff.default")} />
          <label class="check">
            <input type="checkbox" name="sure" required />
            {t("staff.close.sure")}
          </label>
        </>
      )}
    </>
  );
}
