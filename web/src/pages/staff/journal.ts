// Journal: checks rows of a table's journal in this browser alone: each hash over its own words, each row after the one before.
import type { Http } from "../../generated/api";
import { ask } from "../../net/api";
import { hex, unhex, utf8 } from "../../net/bytes";
import { type Problem, problems, type Proof } from "../../net/fair";
import { sha256 } from "../../net/sha256";
import { t } from "../../texts";

export type Row = Http.RowTold;

/** What was found about a row: its hash follows from what it says; it, or one before it, still hides cards; or what is wrong. */
export interface Checked {
  row: Row;
  is: "good" | "withheld" | "bad";
  why: string;
}

const START = "0".repeat(64);
const PAGE = 500;

/** The hash a row must have, by docs/storage.md. */
async function hashOf(table: string, format: string, row: Row): Promise<string> {
  const fields = [table, row.number, row.at_ms, row.by, row.command, row.epoch, row.previous];
  return hex(await sha256(utf8(`${format}${JSON.stringify(fields)}\n${row.sealed ?? row.events ?? ""}`)));
}

/** Whether what a row was sealed as is what it says; a browser deciphers only on pages over https or of this machine. */
async function opens(table: string, row: Row): Promise<boolean> {
  if (row.sealed === null || row.row_key === null || !globalThis.crypto?.subtle) return true;
  try {
    const body = Uint8Array.from(atob(row.sealed.split(" ")[2] ?? ""), (one) => one.charCodeAt(0));
    const key = await crypto.subtle.importKey("raw", unhex(row.row_key) as BufferSource, "AES-GCM", false, ["decrypt"]);
    const place = utf8(`${table}/${row.number}`) as BufferSource;
    const open = await crypto.subtle.decrypt({ name: "AES-GCM", iv: body.slice(0, 12), additionalData: place }, key, body.slice(12));
    return new TextDecoder().decode(open) === row.events;
  } catch {
    return false;
  }
}

/** Check rows one after the other; `last` is the row before the first of them, where it is known. */
export async function check(journal: Http.JournalTold, rows: Row[], last: { number: number; hash: string | null } | null): Promise<Checked[]> {
  const found: Checked[] = [];
  let before = last;
  for (const row of rows) {
    let why = "";
    if (before && row.number !== before.number + 1) why = t("staff.check.number", { expected: before.number + 1, number: row.number });
    else if (before && before.hash !== null && row.previous !== null && row.previous !== before.hash) why = t("staff.check.previous", { before: before.number });
    else if (row.hash !== null && (await hashOf(journal.table, journal.format, row)) !== row.hash) why = t("staff.check.hash");
    else if (!(await opens(journal.table, row))) why = t("staff.check.sealed");
    found.push({ row, is: why ? "bad" : row.hash === null ? "withheld" : "good", why });
    before = { number: row.number, hash: row.hash };
  }
  return found;
}

/** The rows of a round, checked together with the one before them; and what else belongs to the round. */
export async function checkRound(table_id: string, round: number): Promise<{ checked: Checked[]; journal: Http.JournalTold }> {
  const path = { table_id };
  const rows: Row[] = [];
  let journal = await ask("GET /api/tables/{table_id}/journal", { path, query: { round, limit: PAGE } });
  rows.push(...journal.rows);
  while (journal.next_after !== null) {
    journal = await ask("GET /api/tables/{table_id}/journal", { path, query: { round, limit: PAGE, after: journal.next_after } });
    rows.push(...journal.rows);
  }
  const first = rows[0]?.number ?? 1;
  if (first === 1) return { checked: await check(journal, rows, { number: 0, hash: START }), journal };
  const before = await ask("GET /api/tables/{table_id}/journal", { path, query: { after: first - 2, limit: 1 } });
  const [last] = await check(before, before.rows, null);
  const checked = await check(journal, rows, before.rows[0] ?? null);
  if (last?.is === "bad" && checked[0]) checked[0] = { ...checked[0], is: "bad", why: t("staff.check.before", { number: last.row.number, why: last.why }) };
  return { checked, journal };
}

export interface Whole {
  rows: number;
  withheld: number;
  end: number;
  bad: Checked | null;
  done: boolean;
}

/** Walk a whole journal from its first row to its end, page by page; `tell` hears how far it is. */
export async function checkWhole(table_id: string, tell: (so: Whole) => void, signal: AbortSignal): Promise<void> {
  let last: { number: number; hash: string | null } = { number: 0, hash: START };
  let so: Whole = { rows: 0, withheld: 0, end: 0, bad: null, done: false };
  for (let after: number | null = 0; after !== null; ) {
    const journal: Http.JournalTold = await ask("GET /api/tables/{table_id}/journal", {
      path: { table_id },
      query: { after, limit: PAGE },
      signal,
    });
    const checked = await check(journal, journal.rows, last);
    const bad = checked.find((one) => one.is === "bad") ?? null;
    so = {
      ...so,
      rows: so.rows + checked.length,
      withheld: so.withheld + checked.filter((one) => one.is === "withheld").length,
      end: journal.end.number,
      bad,
    };
    const end = journal.rows.at(-1);
    if (end) last = { number: end.number, hash: end.hash };
    after = bad ? null : journal.next_after;
    if (after === null && !bad && end && end.number === journal.end.number && end.hash && journal.end.hash && end.hash !== journal.end.hash)
      so.bad = { row: end, is: "bad", why: t("staff.check.end") };
    so.done = after === null;
    tell(so);
  }
}

export interface Deck {
  shuffle: number;
  proof: Proof;
  problems: Problem[];
  /** The row that put just this order on the table, if it is among those that were read. */
  row: number | null;
}

/** Check the proofs of a round's decks, and look for each order in the rows that bound or mixed a deck. */
export async function checkDecks(table_id: string, round: number, shuffles: number[], rows: Row[]): Promise<Deck[]> {
  const mixed = rows.flatMap((row) => ordersIn(row).map((order) => ({ row: row.number, order })));
  return Promise.all(
    shuffles.map(async (shuffle) => {
      const path = { table_id, round_number: round, shuffle };
      const proof = (await ask("GET /api/tables/{table_id}/proofs/{round_number}/{shuffle}", { path })) as unknown as Proof;
      const order = proof.order?.join() ?? "";
      return { shuffle, proof, problems: await problems(proof, { table: table_id, round, shuffle }), row: mixed.find((one) => one.order === order)?.row ?? null };
    }),
  );
}

/** The orders of decks that a row put down: bound with the first card, or, by the first protocol, the 52 cards that were mixed. */
function ordersIn(row: Row): string[] {
  if (row.events === null || !/"(faces-bound\/\d+|start_shuffle|mix_deck|shuffle_deck)"/.test(row.events)) return [];
  try {
    const events = JSON.parse(row.events) as [string, { order?: string[]; moves?: { card: { face: string } }[] }][];
    const orders = events.map(([name, event]) => (name.startsWith("faces-bound/") ? (event.order ?? []) : (event.moves ?? []).map((move) => move.card.face)));
    return orders.filter((faces) => faces.length === 52).map((faces) => faces.join());
  } catch {
    return [];
  }
}
