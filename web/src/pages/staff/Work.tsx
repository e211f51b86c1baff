// Work: one table for the staff on duty: the script, irregularities, orders and disputes, by the role taken.
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import type { Http } from "../../generated/api";
import { OVERSEES } from "../../generated/roles";
import { ask, capital, inBackground, Refused, told } from "../../net/api";
import { connect, type Command, type Connection } from "../../net/table";
import { Button } from "../../parts/Button";
import { say } from "../../parts/Toast";
import { me } from "../../state/session";
import { staffKeys } from "../../state/settings";
import { spoken, t, type Text } from "../../texts";
import { Complaints } from "./Complaints";
import { Orders } from "./Orders";
import { has, minuteHere, No, useAsked } from "./parts";
import { Pit } from "./Pit";
import { Script } from "./Script";
import { Rulings, Wrong } from "./Wrong";

type Role = Http.DeskTable["roles"][number];

export function Work({ id }: { id: string }) {
  const wanted = new URLSearchParams(location.search).get("role");
  const chosen = useSignal<Role | undefined>(undefined);
  const tables = useAsked(() => ask("GET /api/desk"), [id]);
  const table = tables.value.value?.find((one) => one.id === id);
  const mine = table?.roles ?? [];
  const role = chosen.value ?? mine.find((one) => one === wanted) ?? mine[0];
  const plays = table?.players.includes(me.value?.name ?? "");
  const lost = tables.value.value && !table;
  return (
    <div class="page staff staff-work">
      <div class="staff-head">
        <h1>{table?.name ?? id}</h1>
        <a class="button button-quiet" href="/staff">
          {t("staff.back")}
        </a>
      </div>
      <No>{tables.refused.value}</No>
      {mine.length > 1 && (
        <fieldset class="choices staff-roles">
          <legend>{t("staff.as")}</legend>
          {mine.map((one) => (
            <label key={one}>
              <input type="radio" name="role" checked={role === one} onChange={() => (chosen.value = one)} />
              <span>{t(`role.${one}`)}</span>
            </label>
          ))}
        </fieldset>
      )}
      {role && mine.length === 1 && !has(role) && <p>{t("staff.as.one", { role: t(`role.${role}`) })}</p>}
      {lost ? (
        <p>{t("staff.work.lost")}</p>
      ) : plays ? (
        <p>{t("staff.work.plays")}</p>
      ) : (
        table && (role ? <Desk key={role} id={id} role={role} mine={mine} /> : <p>{t("staff.work.norole")}</p>)
      )}
    </div>
  );
}

/** What one may do at the table, asked for anew whenever the table has changed. */
function useDesk(table: Connection, role: Role) {
  const desk = useSignal<Http.DeskOfTable | null>(null);
  /** Where the table is at another server of the house: what this one says to that. */
  const elsewhere = useSignal("");
  useEffect(() => {
    let over = false;
    let busy = false;
    let due = false;
    async function look(): Promise<void> {
      due = true;
      if (busy) return;
      busy = true;
      while (due && !over) {
        due = false;
        try {
          const found = await inBackground(() => ask("GET /api/tables/{table_id}/desk", { path: { table_id: table.id }, query: { role } }));
          if (!over) desk.value = found;
          elsewhere.value = "";
        } catch (error) {
          // All else the line says too, and the next change asks again.
          if (error instanceof Refused && error.status === 409) elsewhere.value = error.message;
        }
      }
      busy = false;
    }
    const stop = table.view.subscribe((view) => view && void look());
    return () => {
      over = true;
      stop();
    };
  }, [table]);
  return { desk, elsewhere };
}

function Desk({ id, role, mine }: { id: string; role: Role; mine: Role[] }) {
  const table = useMemo(() => connect(id, role), [id, role]);
  useEffect(() => () => table.leave(), [table]);
  const { desk, elsewhere } = useDesk(table, role);
  const wrong = useSignal(false);
  const keys = staffKeys;
  /** The version of the table that a step is sent for: another press for the same one is no other step. */
  const sent = useSignal(-1);
  const view = table.view.value;
  const standing = table.standing.value;
  const onShift = role === "dealer" && standing?.dealer === me.value?.name;
  const acts = onShift || role === "floor";

  useSignalEffect(() => {
    if (table.trouble.value) say(table.trouble.value, "trouble");
  });

  async function next(): Promise<void> {
    const { version = -1, script } = table.view.value ?? {};
    if (!script || sent.value === version) return;
    sent.value = version;
    // The step that was seen, and no other that may have come meanwhile.
    const answer = await table.act({ type: "Do", ...script.step });
    if (sent.value === version) sent.value = -1;
    if (!answer.accepted && answer.code !== "out_of_order") say(capital(spoken(answer.sentence ?? "")), "trouble");
  }

  async function act(command: Command): Promise<void> {
    const answer = await table.act(command);
    if (!answer.accepted) throw new Error(capital(spoken(answer.sentence ?? "")));
  }

  async function shift(what: "take" | "end"): Promise<void> {
    try {
      await ask("POST /api/tables/{table_id}/shift", { path: { table_id: id }, body: { act: what } });
    } catch (error) {
      say(told(error), "trouble");
    }
  }

  // A key works with the button that names it, not a moment later.
  useLayoutEffect(() => {
    function pressed(event: KeyboardEvent): void {
      if (!keys.value || event.repeat || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
      if (event.target instanceof HTMLElement && event.target.closest("input:not([type=radio],[type=checkbox]), select, textarea")) return;
      const key = event.key.toLowerCase();
      if (key === "n" && acts && table.view.value?.script?.actor === role) void next();
      else if (key === "w") wrong.value = true;
      else return;
      event.preventDefault();
    }
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [acts, role]);

  /** First for those who do its steps; last for those who watch, since it grows and shrinks with each step and would move their buttons. */
  const script = view && (
    <Script
      view={view}
      desk={desk.value}
      role={role}
      acts={acts}
      busy={sent.value === view.version}
      keys={keys.value}
      onNext={() => void next()}
    >
      <Button kind="danger" class="staff-wrong" {...(keys.value ? { keyName: "W" } : {})} onClick={() => (wrong.value = true)}>
        {t("staff.wrong")}
      </Button>
    </Script>
  );

  return (
    <>
      <Line table={table} />
      <No>{elsewhere.value}</No>
      {view && standing && (
        <div class="staff-bench">
          <div class="staff-bench-main">
            <Pit view={view} />
            <Signs view={view} />
            <Rulings rulings={desk.value?.rulings ?? []} />
          </div>
          <div class="staff-bench-side">
            <div class="staff-shift">
              <p>
                {t("staff.dealer")}: <b>{standing.dealer === "automatic" ? t("staff.automatic") : standing.dealer}</b>
                {standing.state !== "open" && <span class={`staff-state is-${standing.state}`}>{t(`staff.state.${standing.state}`)}</span>}
              </p>
              {role === "dealer" && !onShift && (
                <Button kind="main" disabled={standing.dealer !== "automatic"} onClick={() => void shift("take")}>
                  {t("staff.shift.take")}
                </Button>
              )}
              {(onShift || (OVERSEES.includes(role) && standing.dealer !== "automatic")) && (
                <Button onClick={() => void shift("end")}>{t(onShift ? "staff.shift.end" : "staff.shift.relieve")}</Button>
              )}
            </div>
            {acts && script}
            {desk.value && <Complaints view={view} desk={desk.value} mine={mine} onAct={act} />}
            {desk.value && desk.value.orders.length > 0 && <Orders view={view} desk={desk.value} onAct={act} />}
            {!acts && script}
            <label class="check small">
              <input
                type="checkbox"
                checked={keys.value}
                onChange={() => (keys.value = !keys.value)}
              />
              {t("staff.keys")}
            </label>
          </div>
          {wrong.value && (
            <Wrong id={id} view={view} desk={desk.value} role={role} off={role === "dealer" && !onShift} onAct={act} onClose={() => (wrong.value = false)} />
          )}
        </div>
      )}
    </>
  );
}

/** How the line to the table stands, where it does not stand well. */
function Line({ table }: { table: Connection }) {
  const line = table.line.value;
  const halted = table.halted.value;
  if (line === "open" && !halted) return null;
  if (line === "connecting" && !table.view.value) return <p role="status">{t("app.loading")}</p>;
  return (
    <div class="staff-line" role="alert">
      <p>{halted ? t("staff.line.halted", { why: halted }) : t(`staff.line.${line}` as Text)}</p>
      {halted ? (
        <a class="button" href="/staff">{t("staff.nav.tables")}</a>
      ) : (
        line !== "session" && line !== "missing" && <Button onClick={() => table.reconnect()}>{t("app.again")}</Button>
      )}
    </div>
  );
}

/** What the signs at the table announce. */
function Signs({ view }: { view: import("../../generated/api").View }) {
  const { minimum, closing, english_only } = view.notices;
  if (!minimum && !closing && !english_only) return null;
  return (
    <ul class="staff-signs" aria-label={t("staff.signs")}>
      {minimum && <li>{t("staff.sign.minimum", { cents: `$${(minimum.cents ?? 0) / 100}`, when: minuteHere(minimum.when) })}</li>}
      {closing && <li>{t("staff.sign.closing", { when: minuteHere(closing.when) })}</li>}
      {english_only && <li>{t("staff.sign.english")}</li>}
    </ul>
  );
}
