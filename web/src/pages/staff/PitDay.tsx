// Pit day: all tables at a glance, and what each did in a gaming day or a month; every figure is the server's.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Http } from "../../generated/api";
import { ask, capital } from "../../net/api";
import { money, percent, signed, t, type Text } from "../../texts";
import { No, useAsked } from "./parts";
import { phaseOf } from "./Tables";

const LOOK_MS = 10_000;

export function PitDay() {
  const day = useSignal("");
  const month = useSignal("");
  const tables = useAsked(() => ask("GET /api/desk"), [], LOOK_MS);
  const found = useAsked(() => ask("GET /api/pit", { query: { day: month.value ? undefined : day.value || undefined, month: month.value || undefined } }), [day.value, month.value]);
  const report = found.value.value;
  const figures = new Map((report?.tables ?? []).map((one) => [one.table, one.figures]));
  return (
    <>
      <h1>{t("staff.nav.pit")}</h1>
      <No>{tables.refused.value || found.refused.value}</No>
      <div class="form staff-inline">
        <label>
          {t("staff.pit.day")}
          <input type="date" value={day.value} onChange={(event) => ((month.value = ""), (day.value = event.currentTarget.value))} />
        </label>
        <label>
          {t("staff.pit.month")}
          <input type="month" value={month.value} onChange={(event) => (month.value = event.currentTarget.value)} />
        </label>
      </div>
      {report && (
        <p role="status">
          {t("staff.pit.span", { day: report.day, since: report.since, until: report.until })}
        </p>
      )}
      <Grid name={t("staff.pit.tables")} columns={["staff.table", "staff.pit.state", "staff.pit.dealer", "staff.pit.players", "staff.pit.limits", "staff.pit.win", "staff.pit.theory", "staff.pit.hold", "staff.pit.band", "staff.tray.link"]}>
        {(tables.value.value ?? []).map((one) => (
          <tr key={one.id}>
            <th scope="row">
              <a href={`/staff/table/${encodeURIComponent(one.id)}`}>{one.name}</a>
            </th>
            <td>{one.state === "open" && one.phase ? phaseOf(one.phase) : t(`staff.pit.is.${one.state}` as Text)}</td>
            <td>{one.dealer === "automatic" ? t("staff.pit.automatic") : one.dealer}</td>
            <td>{one.players.length}</td>
            <td>{one.limits_cents.map((cents) => (cents === null ? "–" : money(cents))).join(" – ")}</td>
            <Figures one={figures.get(one.id)} />
            <td>
              <a href={`/staff/tray/${encodeURIComponent(one.id)}`} aria-label={t("staff.tray.title", { name: one.name })}>
                {t("staff.tray.link")}
              </a>
            </td>
          </tr>
        ))}
        {report && (
          <tr>
            <th scope="row">{t("staff.pit.all")}</th>
            <td colSpan={4} />
            <Figures one={report.total} />
            <td />
          </tr>
        )}
      </Grid>
      {report && <Details report={report} />}
    </>
  );
}

function Figures({ one }: { one: Http.PitFigures | undefined }) {
  if (!one?.rounds) return <td colSpan={4}>{t("staff.pit.nothing")}</td>;
  return (
    <>
      <td>{signed(one.win_cents)}</td>
      <td>{signed(Math.round(one.theoretical_win_cents.value))}</td>
      <td>{one.hold ? percent(one.hold.value, 2) : "–"}</td>
      <td class={one.alarm ? "staff-blocked" : ""}>{one.band_sentence}</td>
    </>
  );
}

function Details({ report }: { report: Http.PitReport }) {
  return (
    <>
      <Grid name={t("staff.pit.dealers")} columns={["staff.table", "staff.pit.dealer", "staff.from", "staff.pit.until", "staff.pit.ended"]}>
        {report.tables.flatMap((table) =>
          table.dealers.map((one, at) => (
            <tr key={`${table.table}/${at}`}>
              <th scope="row">{table.name}</th>
              <td>{one.dealer}</td>
              <td>{one.since}</td>
              <td>{one.until ?? "–"}</td>
              <td>{[one.ended_by, one.why].filter(Boolean).join(": ")}</td>
            </tr>
          )),
        )}
      </Grid>
      <Grid name={t("staff.pit.log")} columns={["staff.when", "staff.table", "staff.pit.round", "staff.pit.reporter", "staff.pit.ruling", "staff.clauses"]}>
        {report.log.map((one, at) => (
          <tr key={at}>
            <td>{one.at}</td>
            <td>{one.table}</td>
            <td>{one.round}</td>
            <td>{one.reporter_name ?? capital(one.reporter)}</td>
            <td>{one.ruling}</td>
            <td>{one.clauses.join(", ") || t("desk.default")}</td>
          </tr>
        ))}
      </Grid>
      <Grid name={t("staff.pit.ratings")} columns={["staff.pit.player", "staff.pit.minutes", "staff.pit.hands", "staff.pit.average", "staff.pit.theory", "staff.pit.win"]}>
        {report.ratings.map((one) => (
          <tr key={one.player}>
            <th scope="row">{one.player}</th>
            <td>{Math.round(one.minutes)}</td>
            <td>{one.hands}</td>
            <td>{one.average_bet_cents ? money(Math.round(one.average_bet_cents.value)) : "–"}</td>
            <td>{signed(Math.round(one.theoretical_win_cents.value))}</td>
            <td>{signed(one.win_cents)}</td>
          </tr>
        ))}
      </Grid>
      {report.ratings.length > 0 && (
        <p>
          <a class="button" href={`/api/pit/ratings?${report.day.length === "2026-03".length ? "month" : "day"}=${report.day}`} download={`ratings-${report.day}.csv`}>
            {t("staff.pit.ratings.file")}
          </a>
        </p>
      )}
    </>
  );
}

function Grid({ name, columns, children }: { name: string; columns: Text[]; children: ComponentChildren }) {
  return (
    <section>
      <h2>{name}</h2>
      <div class="staff-scroll" tabIndex={0} role="group" aria-label={name}>
        <table class="rows">
          <thead>
            <tr>
              {columns.map((one) => (
                <th key={one} scope="col">
                  {t(one)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </section>
  );
}
