// Edited: a paytable that is being edited: the published one it began as, the pays typed, and what the server says of them.
// It knows no hand's worth: every figure comes from the server.
import { computed, effect, signal } from "@preact/signals";
import type { Http } from "../../generated/api";
import { BASE } from "../../generated/wagers";
import { ask, fetchFile, Refused } from "../../net/api";

export type Scope = "player_round" | "hand" | "wager" | "round";
export type Format = "pdf" | "html" | "json";
/** Pays as they are typed, by wager and hand; seven of them where they go by the number of hands. */
type Typed = Record<string, Record<string, string[]>>;

const PAUSE_MS = 120;
export const DEFAULT = "LIRX-01";

/** The pays of a published table as a person would type them, with a place for every hand such a wager can pay. */
function typed(table: Http.PaytableData, hands: Record<string, string[]>): Typed {
  const found: Typed = {};
  for (const one of table.wagers) {
    const columns = one.columns?.map((column) => column.pays) ?? [one.pays ?? {}];
    const names = hands[one.wager] ?? Object.keys(columns[0] ?? {});
    found[one.wager] = Object.fromEntries(names.map((name) => [name, columns.map((pays) => String(pays[name] ?? ""))]));
  }
  return found;
}

/** The hands that each wager can pay, best first: those of the published table that pays most of them. */
function handsOf(tables: Http.PaytableData[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const one of tables.flatMap((table) => table.wagers)) {
    const names = Object.keys(one.columns?.[0]?.pays ?? one.pays ?? {});
    if (names.length > (found[one.wager]?.length ?? 0)) found[one.wager] = names;
  }
  return found;
}

function pay(text: string): number | string {
  const plain = text.replace(/[\s,]/g, "");
  return /^\d{1,9}$/.test(plain) ? Number(plain) : plain;
}

/** Everything about one visit to the page. */
export function edit(first: string) {
  const tables = signal<Http.PaytableData[]>([]);
  const chosen = signal(first || DEFAULT);
  const pays = signal<Typed>({});
  const ties = signal<"withdraw" | "ride">("withdraw");
  const capped = signal(false);
  const stake = signal("25");
  const most = signal("25000");
  const scope = signal<Scope>("player_round");
  const hands = signal(7);
  const found = signal<Http.LivePar | null>(null);
  const busy = signal(false);
  const trouble = signal("");
  /** The pay that was refused, where it was one. */
  const wrong = signal({ wager: "", hand: "" });
  const table = computed(() => tables.value.find((one) => one.id === chosen.value) ?? null);
  const published = computed<Typed>(() => (table.value ? typed(table.value, handsOf(tables.value)) : {}));
  const changes = computed(() =>
    Object.entries(pays.value).flatMap(([wager, rows]) =>
      Object.entries(rows).flatMap(([hand, columns]) =>
        columns.flatMap((text, column) => {
          const was = published.value[wager]?.[hand]?.[column] ?? "";
          return text.trim() === was ? [] : [{ wager, hand, column, text: text.trim() }];
        }),
      ),
    ),
  );
  const body = computed<Http.PricedPaytable | null>(() => {
    const from = table.value;
    if (!from || !Object.keys(pays.value).length) return null;
    const wagers = Object.fromEntries(
      from.wagers.map((one) => {
        const rows = Object.entries(pays.value[one.wager] ?? {}).filter(([, columns]) => columns.some((text) => text.trim()));
        const listed = rows.map(([hand, columns]) => [hand, columns.length > 1 ? columns.map(pay) : pay(columns[0] ?? "")]);
        return [one.wager, { award: one.award as Http.EditedWager["award"], pays: Object.fromEntries(listed) }];
      }),
    );
    const same = !changes.value.length;
    const cents = (text: string) => Math.round(Number(text.replace(/[$,\s]/g, "")) * 100);
    const maximum = capped.value && BASE in wagers ? { stake_cents: cents(stake.value), payout_cents_max: cents(most.value), scope: scope.value } : null;
    return {
      id: same ? from.id : `${from.id}-edited`,
      title: same ? from.title : `${from.title}, edited`,
      ties: ties.value,
      wagers,
      against: from.id,
      maximum,
    };
  });

  function choose(id: string): void {
    chosen.value = tables.value.some((one) => one.id === id) ? id : DEFAULT;
    pays.value = published.value;
  }

  function set(wager: string, hand: string, column: number, text: string): void {
    const rows = pays.value[wager] ?? {};
    const columns = (rows[hand] ?? []).map((old, at) => (at === column ? text : old));
    pays.value = { ...pays.value, [wager]: { ...rows, [hand]: columns } };
  }

  function refused(error: unknown): void {
    const { wager = "", hand = "" } = error instanceof Refused ? error.values : {};
    trouble.value = error === null ? "" : error instanceof Refused ? error.message : String(error);
    wrong.value = { wager: `${wager}`, hand: `${hand}` };
  }

  let asking: AbortController | null = null;
  async function price(wanted: Http.PricedPaytable): Promise<void> {
    asking?.abort();
    const mine = (asking = new AbortController());
    busy.value = true;
    try {
      found.value = await ask("POST /api/par/live", { body: wanted, signal: mine.signal });
      refused(null);
    } catch (error) {
      if (mine.signal.aborted) return;
      refused(error);
    }
    if (asking === mine) busy.value = false;
  }

  async function begin(): Promise<void> {
    const wanted = new URLSearchParams(location.search); // before the address is made anew
    try {
      tables.value = await ask("GET /api/paytables");
    } catch (error) {
      refused(error);
      return;
    }
    choose(chosen.value);
    for (const [name, text] of wanted) {
      const [wager = "", hand = "", column = "1"] = name.split(".");
      if (pays.value[wager]?.[hand]?.[Number(column) - 1] !== undefined) set(wager, hand, Number(column) - 1, text);
    }
    if (wanted.get("ties") === "ride") ties.value = "ride";
  }

  /** The address of what is on the page, to keep or to send. */
  function address(): string {
    const query = new URLSearchParams();
    for (const { wager, hand, column, text } of changes.value) {
      const many = (published.value[wager]?.[hand]?.length ?? 1) > 1;
      query.set(many ? `${wager}.${hand}.${column + 1}` : `${wager}.${hand}`, text);
    }
    if (ties.value === "ride") query.set("ties", "ride");
    return `/par/${encodeURIComponent(chosen.value)}${query.size ? `?${query}` : ""}`;
  }

  /** Keep the server asked and the address current; returns what ends it. */
  function follow(): () => void {
    let timer = 0;
    let last = "";
    void begin();
    const stop = effect(() => {
      const wanted = body.value;
      const text = JSON.stringify(wanted);
      if (!wanted || text === last) return;
      history.replaceState(null, "", address());
      clearTimeout(timer);
      timer = setTimeout(() => void price(wanted), last ? PAUSE_MS : 0);
      last = text;
    });
    return () => {
      stop();
      clearTimeout(timer);
      asking?.abort();
    };
  }

  /** The sheet of what is on the page, as a file. */
  async function file(format: Format): Promise<void> {
    if (!body.value) return;
    const made = await fetchFile("POST /api/par/file", { query: { format }, body: body.value });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(made);
    link.download = `par-${body.value.id}.${format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  return {
    ...{ tables, table, chosen, pays, published, changes, ties, capped, stake, most, scope, hands, found, busy, trouble, wrong },
    ...{ choose, set, follow, file },
  };
}

export type Edited = ReturnType<typeof edit>;

/** A hand's name in words: 'royal_flush' is royal flush. */
export const inWords = (name: string): string => name.replaceAll("_", " ");
