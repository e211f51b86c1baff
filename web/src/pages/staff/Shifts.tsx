// Shifts: the shift report of a table within a time, to read and to take away; every figure is the server's.
import { useSignal } from "@preact/signals";
import type { Http } from "../../generated/api";
import { ask } from "../../net/api";
import { bookTitle, paytableTitle } from "../../state/titles";
import { betName, decimal, hasText, money, percent, signed, t, type Text } from "../../texts";
import { Form, No, textOf, useAsked } from "./parts";

const FORMATS = ["pdf", "html", "text", "json"] as const;
const HOURS = 8;

interface Asked {
  table: string;
  from: string;
  to: string;
}

export function Shifts() {
  const tables = useAsked(() => ask("GET /api/desk"));
  const wanted = useSignal<Asked | null>(null);
  const nameOf = (id: string): string => tables.value.value?.find((one) => one.id === id)?.name ?? id;
  const report = useSignal<Http.ShiftFigures | null>(null);
  async function show(form: FormData): Promise<void> {
    const moment = (name: string): string => {
      const text = textOf(form, name);
      return text ? new Date(text).toISOString() : "";
    };
    const one = { table: textOf(form, "table"), from: moment("from"), to: moment("to") };
    report.value = await ask("GET /api/tables/{table_id}/shift", {
      path: { table_id: one.table },
      query: { from: one.from || undefined, to: one.to || undefined },
    });
    wanted.value = one;
  }
  return (
    <>
      <h1>{t("staff.nav.shifts")}</h1>
      <No>{tables.refused.value}</No>
      <Form submit={t("staff.shift.show")} class="staff-inline" onSubmit={show}>
        <label>
          {t("staff.table")}
          <select name="table">
            {(tables.value.value ?? []).map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t("staff.from")}
          <input name="from" type="datetime-local" defaultValue={local(Date.now() - HOURS * 3_600_000)} />
        </label>
        <label>
          {t("staff.to")}
          <input name="to" type="datetime-local" />
        </label>
      </Form>
      {report.value && wanted.value && <Report report={report.value} asked={wanted.value} name={nameOf(wanted.value.table)} />}
    </>
  );
}

/** A moment as a field for local time has it. */
function local(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** A moment as the printed report writes it. */
const utc = (ms: number | null | undefined): string =>
  ms === null || ms === undefined ? "–" : `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
const hold = (one: Http.Exact | null): string => (one ? percent(one.value, 2) : "–");
const dollars = (cents: number): string => signed(Math.round(cents));

function Report({ report, asked, name }: { report: Http.ShiftFigures; asked: Asked; name: string }) {
  const { theory } = report;
  const banked = report.banked_by !== "house";
  const win: Text = banked ? "staff.figure.winbanks" : "staff.figure.win";
  const figures: [Text, string][] = [
    ["staff.figure.rounds", String(report.rounds)],
    ["staff.figure.hands", String(report.hands)],
    ["staff.figure.players", String(report.players)],
    ["staff.figure.drop", money(report.drop_cents)],
    ["staff.figure.handle", money(report.handle_cents)],
    [win, signed(report.win_cents)],
    ...(banked || report.fees_cents ? ([["staff.figure.fees", money(report.fees_cents)]] as [Text, string][]) : []),
    ["staff.figure.holddrop", hold(report.hold_of_drop)],
    ["staff.figure.holdhandle", hold(report.hold_of_handle)],
    [banked ? "staff.figure.expectedbanks" : "staff.figure.expected", dollars(theory.expected_win_cents.value)],
    ["staff.figure.deviation", money(Math.round(theory.standard_deviation_cents))],
    ["staff.figure.z", theory.z === null ? "–" : decimal(theory.z, 2)],
    ["staff.figure.mistakes", `${theory.mistakes} / ${theory.decisions}`],
  ];
  const query = (format: string): string => {
    const found = new URLSearchParams({ format });
    if (asked.from) found.set("from", asked.from);
    if (asked.to) found.set("to", asked.to);
    return `/api/tables/${encodeURIComponent(asked.table)}/shift?${found}`;
  };
  return (
    <section aria-label={t("staff.shift.of", { table: name })} class="staff-report">
      <div class="staff-head">
        <h2>{t("staff.shift.of", { table: name })}</h2>
        <p class="staff-actions">
          {FORMATS.map((format) => (
            <a key={format} class="button" href={query(format)} download={`shift-${asked.table}.${format === "text" ? "txt" : format}`}>
              {t("staff.download", { format: format === "text" ? t("staff.download.text") : format.toUpperCase() })}
            </a>
          ))}
        </p>
      </div>
      <p class="small">
        {[...report.rulebooks.map(bookTitle), ...Object.values(report.paytables).map(paytableTitle), t(report.zero_sum ? "staff.figure.zero" : "staff.figure.notzero")].join(" · ")}
      </p>
      <p class="small">
        {t("staff.shift.span", { from: utc(report.from_ms ?? report.first_ms), to: utc(report.to_ms ?? report.last_ms) })}
      </p>
      {theory.hands_judged < theory.hands_needed && (
        <p class="staff-few">{t("staff.shift.few", { hands: theory.hands_judged, needed: theory.hands_needed })}</p>
      )}
      <dl class="staff-figures">
        {figures.map(([words, value]) => (
          <div key={words}>
            <dt>{t(words)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="staff-scroll" tabIndex={0} role="group" aria-label={t("staff.wagers")}>
        <table class="rows">
          <caption>{t("staff.wagers")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("staff.wager")}</th>
              <th scope="col">{t("staff.figure.bets")}</th>
              <th scope="col">{t("staff.figure.handle")}</th>
              <th scope="col">{t("staff.figure.paid")}</th>
              <th scope="col">{t(win)}</th>
            </tr>
          </thead>
          <tbody>
            {report.wagers.map((one) => (
              <tr key={one.wager}>
                <td>{betName(one.wager)}</td>
                <td>{one.bets}</td>
                <td>{money(one.handle_cents)}</td>
                <td>{money(one.paid_cents)}</td>
                <td>{signed(one.win_cents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Ruled words="staff.figure.irregularities" rows={report.irregularities} />
      <Ruled words="staff.figure.orders" rows={report.orders} each />
      <p>
        {t("staff.figure.disputes", { raised: report.disputes.raised, upheld: report.disputes.upheld, rejected: report.disputes.rejected })}
      </p>
      <details>
        <summary>{t("staff.conventions")}</summary>
        <dl class="staff-conventions">
          {Object.entries(report.conventions).map(([name, words]) => (
            <div key={name}>
              <dt>{conventionName(name)}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

/** What was ruled, counted; or `each` order by itself, with its time. */
function Ruled({ words, rows, each = false }: { words: Text; rows: Http.RulingFigures[]; each?: boolean }) {
  if (!rows.length) return null;
  return (
    <>
      <h3>{t(words)}</h3>
      <ul>
        {rows.map((one, place) => (
          <li key={place}>
            {each ? `${utc(one.at_ms[0])}:` : `${one.count} ×`} {one.sentence} <span class="small">{one.clauses.join(" ")}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What a figure with a convention is called. */
function conventionName(name: string): string {
  const key = `staff.convention.${name}`;
  return hasText(key) ? t(key as Text) : name.replaceAll("_", " ");
}
