// Review: any round of any table, row by row, with the hashes worked out anew in this browser.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http, View } from "../../generated/api";
import { ask, capital, told } from "../../net/api";
import { Button } from "../../parts/Button";
import { go } from "../../router";
import { tableName } from "../../state/titles";
import { signed, spoken, t } from "../../texts";
import { proofFaults } from "../../texts/kept";
import { checkDecks, checkRound, checkWhole, type Checked, type Deck, type Whole } from "./journal";
import { Form, has, momentOf, named, No, textOf, timeOf, useAsked } from "./parts";
import { Pit } from "./Pit";
import { TakeAway } from "./TakeAway";

export function Review({ id, round }: { id: string; round: number }) {
  return round ? <RoundWalk key={`${id} ${round}`} id={id} round={round} /> : <Rounds id={id} />;
}

const address = (id: string, round: number): string => `/staff/review/${encodeURIComponent(id)}/${round}`;
/** As what one looks: an administrator who is no inspector sees as one. */
const asInspector = (): { role?: string } => (has("inspector") ? { role: "inspector" } : {});

/** The rounds of a table, the latest first, and the check of its whole journal. */
function Rounds({ id }: { id: string }) {
  const before = useSignal<number | undefined>(undefined);
  const rounds = useAsked(
    () => ask("GET /api/tables/{table_id}/rounds", { path: { table_id: id }, query: { limit: 20, before: before.value, ...asInspector() } }),
    [id, before.value],
  );
  const found = rounds.value.value;
  return (
    <>
      <h1>{t("staff.walk.title", { name: tableName(id) })}</h1>
      <No>{rounds.refused.value}</No>
      <WholeCheck id={id} />
      <div class="staff-columns">
        <section>
          <h2>{t("staff.rounds")}</h2>
          {found && !found.rounds.length && <p>{t("staff.rounds.none")}</p>}
          {found && found.rounds.length > 0 && (
            <div class="staff-scroll" tabIndex={0} role="group" aria-label={t("staff.rounds")}>
              <table class="rows">
                <thead>
                  <tr>
                    <th scope="col">{t("staff.round")}</th>
                    <th scope="col">{t("staff.when")}</th>
                    <th scope="col">{t("staff.what")}</th>
                    <th scope="col">{t("staff.players")}</th>
                    <th scope="col">{t("staff.house.won")}</th>
                  </tr>
                </thead>
                <tbody>
                  {found.rounds.map((one) => (
                    <tr key={one.round}>
                      <td>
                        <a href={address(id, one.round)}>{t("staff.round.number", { number: one.round })}</a>
                      </td>
                      <td>{momentOf(one.began_ms)}</td>
                      <td>
                        {t(`staff.status.${one.status}`)}
                        {one.rulings.map((ruling, at) => (
                          <span key={at} class="small staff-block">{ruling.sentence}</span>
                        ))}
                      </td>
                      <td>{one.seats.map((seat) => seat.player).join(", ")}</td>
                      <td>{signed(-one.seats.reduce((sum, seat) => sum + (seat.net_cents ?? 0), 0))}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          <div class="staff-actions">
            {before.value !== undefined && <Button onClick={() => (before.value = undefined)}>{t("staff.rounds.latest")}</Button>}
            {found?.next_before && <Button onClick={() => (before.value = found.next_before!)}>{t("staff.rounds.older")}</Button>}
          </div>
        </section>
        <section class="staff-box">
          <h2>{t("staff.rounds.goto")}</h2>
          <Form submit={t("staff.walk")} onSubmit={async (form) => go(address(id, Number(textOf(form, "round"))))}>
            <label>
              {t("staff.round")}
              <input name="round" type="number" min={1} required />
            </label>
          </Form>
        </section>
      </div>
    </>
  );
}

function WholeCheck({ id }: { id: string }) {
  const so = useSignal<Whole | null>(null);
  const refused = useSignal("");
  const stop = useSignal<AbortController | null>(null);
  useEffect(() => () => stop.value?.abort(), []);
  async function run(): Promise<void> {
    stop.value?.abort();
    const control = (stop.value = new AbortController());
    so.value = { rows: 0, withheld: 0, end: 0, bad: null, done: false };
    refused.value = "";
    try {
      await checkWhole(id, (now) => (so.value = now), control.signal);
    } catch (error) {
      if (!control.signal.aborted) refused.value = told(error);
      so.value = null;
    }
  }
  const found = so.value;
  return (
    <section class="staff-check" aria-label={t("staff.whole")}>
      <Button onClick={() => void run()} disabled={found !== null && !found.done}>
        {t("staff.whole.run")}
      </Button>
      <div role="status">
        {found && !found.done && <p>{t("staff.whole.running", { rows: found.rows, end: found.end })}</p>}
        {found?.done && !found.bad && (
          <p class="staff-good">
            ✓ {t("staff.whole.good", { rows: found.rows })} {found.withheld > 0 && t("staff.check.withheld", { rows: found.withheld })}
          </p>
        )}
        {found?.bad && <p class="staff-bad">✗ {t("staff.whole.bad", { number: found.bad.row.number, why: found.bad.why })}</p>}
      </div>
      <No>{refused.value}</No>
    </section>
  );
}

interface Loaded {
  steps: Http.StepView[];
  told: Http.RoundSteps;
  checked: Checked[];
  decks: Deck[];
}

async function load(id: string, round: number): Promise<Loaded> {
  const path = { table_id: id, number: round };
  let told = await ask("GET /api/tables/{table_id}/rounds/{number}", { path, query: asInspector() });
  const steps = [...told.steps];
  while (told.next_after !== null) {
    told = await ask("GET /api/tables/{table_id}/rounds/{number}", { path, query: { after: told.next_after, ...asInspector() } });
    steps.push(...told.steps);
  }
  const { checked, journal } = await checkRound(id, round);
  // Where a table has two decks, one is mixed while the other is dealt from: in the round before.
  const earlier = round > 1 ? (await checkRound(id, round - 1)).checked : [];
  const decks = await checkDecks(id, round, journal.shuffles, [...earlier, ...checked].map((one) => one.row));
  return { steps, told, checked, decks };
}

function RoundWalk({ id, round }: { id: string; round: number }) {
  const found = useAsked(() => load(id, round));
  const at = useSignal(0);
  const all = found.value.value;
  const rows = all?.checked ?? [];
  const now = rows[Math.min(at.value, rows.length - 1)];
  const step = all && now ? [...all.steps].reverse().find((one) => one.row <= now.row.number) : undefined;
  const own = step?.row === now?.row.number ? step : undefined;
  const move = (to: number): void => void (at.value = Math.max(0, Math.min(rows.length - 1, to)));
  return (
    <>
      <p class="staff-crumbs">
        <a href={`/staff/review/${encodeURIComponent(id)}`}>{t("staff.walk.title", { name: tableName(id) })}</a>
      </p>
      <div class="staff-head">
        <h1>{t("staff.walk.round", { number: round, name: tableName(id) })}</h1>
        <span class="staff-actions">
          {round > 1 && <a class="button button-quiet" href={address(id, round - 1)}>← {t("staff.round.number", { number: round - 1 })}</a>}
          <a class="button button-quiet" href={address(id, round + 1)}>{t("staff.round.number", { number: round + 1 })} →</a>
        </span>
      </div>
      <No>{found.refused.value}</No>
      {!all && !found.refused.value && <p role="status">{t("app.loading")}</p>}
      {all && now && (
        <>
          <Verdict all={all} onGo={(number) => move(rows.findIndex((one) => one.row.number === number))} />
          <div class="staff-walker">
            <Button onClick={() => move(at.value - 1)} disabled={at.value === 0} aria-label={t("staff.walk.previous")}>
              ◀
            </Button>
            <label class="staff-slider">
              <span class="spoken">{t("staff.walk.row")}</span>
              <input
                type="range"
                min={0}
                max={rows.length - 1}
                value={at.value}
                aria-valuetext={t("staff.row", { number: now.row.number })}
                onInput={(event) => move(Number(event.currentTarget.value))}
              />
            </label>
            <Button onClick={() => move(at.value + 1)} disabled={at.value >= rows.length - 1} aria-label={t("staff.walk.next")}>
              ▶
            </Button>
          </div>
          <div class="staff-bench">
            <div class="staff-bench-main">
              <div class="staff-said" role="status">
                <p class="small">{t("staff.row.of", { number: now.row.number, by: named(`staff.by.${now.row.by.split(":")[0]!}`) + (now.row.by.includes(":") ? ` ${now.row.by.split(":")[1]!}` : ""), at: timeOf(now.row.at_ms) })}</p>
                {own ? own.sentences.map((one, n) => <p key={n}>{capital(spoken(one))}</p>) : <p>{t("staff.walk.silent")}</p>}
              </div>
              {step && <Pit view={step.view as unknown as View} />}
            </div>
            <RowShown one={now} />
          </div>
          <TakeAway id={id} round={round} rows={rows.map((one) => one.row)} decks={all.decks} />
        </>
      )}
    </>
  );
}

/** What was checked of a round, and what came of it. */
function Verdict({ all, onGo }: { all: Loaded; onGo: (number: number) => void }) {
  const bad = all.checked.filter((one) => one.is === "bad");
  const withheld = all.checked.filter((one) => one.is === "withheld").length;
  return (
    <section class={`staff-verdict ${bad.length || all.decks.some((deck) => deck.problems.length) ? "is-bad" : "is-good"}`} aria-label={t("staff.verdict")}>
      {bad.length ? (
        <>
          <p class="staff-bad" role="alert">✗ {t("staff.chain.bad", { number: bad[0]!.row.number, why: bad[0]!.why })}</p>
          <Button onClick={() => onGo(bad[0]!.row.number)}>{t("staff.chain.show")}</Button>
        </>
      ) : (
        <p class="staff-good">
          ✓ {t("staff.chain.good", { rows: all.checked.length })} {withheld > 0 && t("staff.check.withheld", { rows: withheld })}
        </p>
      )}
      {all.decks.map((deck) => (
        <p key={deck.shuffle} class={deck.problems.length ? "staff-bad" : "staff-good"}>
          {deck.problems.length
            ? `✗ ${t("staff.deck.bad", { shuffle: deck.shuffle, why: proofFaults(deck.problems) })}`
            : deck.proof.outcome === "void"
              ? `✓ ${t("staff.deck.void", { shuffle: deck.shuffle, why: deck.proof.reason ?? "" })}`
              : `✓ ${t("staff.deck.good", { shuffle: deck.shuffle, seats: deck.proof.reveals.length })} ${deck.row ? t("staff.deck.row", { row: deck.row }) : t("staff.deck.norow")}`}
        </p>
      ))}
      {!all.decks.length && <p class="small">{t("staff.deck.closed")}</p>}
      <details>
        <summary>{t("staff.checked")}</summary>
        <p class="small">{t("staff.checked.how")}</p>
      </details>
    </section>
  );
}

function RowShown({ one }: { one: Checked }) {
  const { row } = one;
  return (
    <section class={`staff-row is-${one.is}`} aria-label={t("staff.row", { number: row.number })}>
      <h2>{t("staff.row", { number: row.number })}</h2>
      <p class={one.is === "bad" ? "staff-bad" : "staff-good"}>
        {one.is === "bad" ? `✗ ${one.why}` : one.is === "withheld" ? t("staff.row.hides") : `✓ ${t("staff.row.good")}`}
      </p>
      <dl>
        <dt>{t("staff.when")}</dt>
        <dd>{momentOf(row.at_ms)}</dd>
        <dt>{t("staff.row.by")}</dt>
        <dd>{row.person ? `${row.person} (${row.by})` : row.by}</dd>
        <dt>{t("staff.row.command")}</dt>
        <dd>{row.command || "–"}</dd>
        <dt>{t("staff.row.previous")}</dt>
        <dd><code>{row.previous ?? "–"}</code></dd>
        <dt>{t("staff.row.hash")}</dt>
        <dd><code>{row.hash ?? "–"}</code></dd>
      </dl>
      <details>
        <summary>{t("staff.row.events")}</summary>
        <pre tabIndex={0}>{row.events === null ? t("staff.row.withheld") : pretty(row.events)}</pre>
      </details>
    </section>
  );
}

function pretty(events: string): string {
  try {
    return JSON.stringify(JSON.parse(events), null, 1);
  } catch {
    return events;
  }
}
