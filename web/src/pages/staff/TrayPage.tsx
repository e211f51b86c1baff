// Tray: a table's chip tray with its slips, what should lie in it, a form for the next slip, and the result; it adds nothing up.
import { useSignal } from "@preact/signals";
import type { Http } from "../../generated/api";
import { ask } from "../../net/api";
import { say } from "../../parts/Toast";
import { centsOf, money, signed, t, type Text } from "../../texts";
import { Form, momentOf, No, textOf, useAsked } from "./parts";

type Kind = Http.SlipAsked["kind"];

const COUNTS: Kind[] = ["opener", "count", "closer"];
const CARRIED: Kind[] = ["fill", "credit"];
const OPEN: Kind[] = ["fill", "credit", "colour_up", "count", "closer", "drop"];
const SHUT: Kind[] = ["opener", "drop"];

export function TrayPage({ id }: { id: string }) {
  const path = { table_id: id };
  const tray = useAsked(() => ask("GET /api/tables/{table_id}/tray", { path }), [id]);
  const tables = useAsked(() => ask("GET /api/desk"));
  const found = tray.value.value;
  const name = tables.value.value?.find((one) => one.id === id)?.name ?? id;
  return (
    <>
      <h1>{t("staff.tray.title", { name })}</h1>
      <No>{tray.refused.value}</No>
      {found && (
        <>
          <p role="status">
            {found.tray ? t(found.open ? "staff.tray.open" : "staff.tray.closed", { number: found.tray }) : t("staff.tray.none")}{" "}
            {found.expected_cents !== null && t("staff.tray.expected", { cents: money(found.expected_cents) })}
          </p>
          {found.result && <Result result={found.result} />}
          <Slips id={id} tray={found} />
          <Write key={`${found.tray}/${found.version}`} id={id} tray={found} onDone={() => void tray.again()} />
        </>
      )}
    </>
  );
}

function Slips({ id, tray }: { id: string; tray: Http.TrayTold }) {
  const place = `/api/tables/${encodeURIComponent(id)}/tray/${tray.tray}/slips`;
  return (
    <section>
      <h2>{t("staff.tray.slips")}</h2>
      <div class="staff-scroll" tabIndex={0} role="group" aria-label={t("staff.tray.slips")}>
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">{t("staff.number")}</th>
              <th scope="col">{t("staff.tray.kind")}</th>
              <th scope="col">{t("staff.when")}</th>
              <th scope="col">{t("staff.tray.amount")}</th>
              <th scope="col">{t("staff.tray.names")}</th>
              <th scope="col">{t("staff.tray.paper")}</th>
            </tr>
          </thead>
          <tbody>
            {tray.slips.map((one) => (
              <tr key={one.number}>
                <th scope="row">{one.number}</th>
                <td>{t(`staff.tray.${one.kind}` as Text)}</td>
                <td>{momentOf(one.at_ms)}</td>
                <td>{money(one.cents)}</td>
                <td>{[one.entered_by, one.asked_by, one.brought_by, one.received_by, one.counted_by, one.approved_by].filter(Boolean).join(", ")}</td>
                <td>
                  <a href={`${place}/${one.number}?format=pdf`} target="_blank" rel="noopener">
                    PDF
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Result({ result }: { result: Http.TrayResult }) {
  const figures: [Text, string][] = [
    ["staff.tray.opener", money(result.opener_cents)],
    ["staff.tray.fills", money(result.fills_cents)],
    ["staff.tray.credits", money(result.credits_cents)],
    [result.closed ? "staff.tray.closer" : "staff.tray.count", money(result.counted_cents)],
    ["staff.tray.drop", money(result.drop_cents)],
    ["staff.tray.result", signed(result.result_cents)],
    ["staff.tray.ledger", signed(result.result_ledger_cents)],
    ["staff.tray.difference", signed(result.difference_cents)],
  ];
  return (
    <dl class="desk-list" aria-label={t("staff.tray.result")}>
      {figures.map(([what, amount]) => (
        <div key={what}>
          <dt>{t(what)}</dt>
          <dd>{amount}</dd>
        </div>
      ))}
    </dl>
  );
}

function Write({ id, tray, onDone }: { id: string; tray: Http.TrayTold; onDone: () => void }) {
  const kinds = tray.open ? OPEN : SHUT;
  const kind = useSignal<Kind>(kinds[0]!);
  const counts = COUNTS.includes(kind.value);
  const amounts = (form: FormData, prefix: string): Record<string, number> =>
    Object.fromEntries(
      tray.rack.map((one) => [String(one), one * Number(textOf(form, `${prefix}-${one}`) || 0)] as const).filter(([, cents]) => counts || cents),
    );
  async function send(form: FormData): Promise<void> {
    const slip = await ask("POST /api/tables/{table_id}/tray", {
      path: { table_id: id },
      body: {
        kind: kind.value,
        tray: tray.tray,
        version: tray.version,
        row: tray.row,
        chips: kind.value === "drop" ? {} : amounts(form, "chips"),
        out: kind.value === "colour_up" ? amounts(form, "out") : {},
        box_cents: kind.value === "drop" ? centsOf(textOf(form, "box")) : null,
        asked_by: textOf(form, "asked_by"),
        brought_by: textOf(form, "brought_by"),
        received_by: textOf(form, "received_by"),
        counted_by: textOf(form, "counted_by"),
        why: textOf(form, "why"),
      },
    });
    say(t("staff.tray.written", { number: slip.number, cents: money(slip.cents) }));
    onDone();
  }
  return (
    <section class="staff-box" aria-label={t("staff.tray.write")}>
      <h2>{t("staff.tray.write")}</h2>
      <Form submit={t("staff.tray.submit")} onSubmit={send}>
        <label>
          {t("staff.tray.kind")}
          <select value={kind.value} onChange={(event) => (kind.value = event.currentTarget.value as Kind)}>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {t(`staff.tray.${one}` as Text)}
              </option>
            ))}
          </select>
        </label>
        {kind.value === "drop" ? (
          <label>
            {t("staff.tray.box")}
            <input name="box" inputMode="decimal" required />
          </label>
        ) : (
          <Pieces rack={tray.rack} name="chips" words={kind.value === "colour_up" ? "staff.tray.came" : "staff.tray.pieces"} />
        )}
        {kind.value === "colour_up" && <Pieces rack={tray.rack} name="out" words="staff.tray.went" />}
        {CARRIED.includes(kind.value) && (
          <>
            <Name name="asked_by" words="staff.tray.asked" />
            <Name name="brought_by" words="staff.tray.brought" />
            <Name name="received_by" words="staff.tray.received" />
          </>
        )}
        {(counts || kind.value === "drop") && <Name name="counted_by" words="staff.tray.counted" />}
        <label>
          {t("staff.tray.why")}
          <input name="why" maxLength={200} autocomplete="off" />
        </label>
      </Form>
    </section>
  );
}

function Pieces({ rack, name, words }: { rack: number[]; name: string; words: Text }) {
  return (
    <fieldset class="desk-hand">
      <legend>{t(words)}</legend>
      {rack.map((one) => (
        <label key={one}>
          {money(one)}
          <input name={`${name}-${one}`} type="number" min={0} step={1} inputMode="numeric" />
        </label>
      ))}
    </fieldset>
  );
}

function Name({ name, words }: { name: string; words: Text }) {
  return (
    <label>
      {t(words)}
      <input name={name} required maxLength={80} autocomplete="off" />
    </label>
  );
}
