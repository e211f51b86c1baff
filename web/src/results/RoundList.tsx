// Round list: a person's rounds with pictures of the hands, to filter, look at, replay, share and keep as a file.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../generated/api";
import { ask, fetchFile, told } from "../net/api";
import { save } from "../net/files";
import { Steps } from "../pages/table/drawers/Steps";
import { Button } from "../parts/Button";
import { say } from "../parts/Toast";
import { tableTitle } from "../state/titles";
import { moment, t, type Text } from "../texts";
import { handName } from "../texts/hands";
import { RoundDetails } from "./RoundDetails";
import { RoundPicture } from "./RoundPicture";
import { ShareRound } from "./ShareRound";
import { whole } from "./Statistics";

const PAGE = 20;
const HANDS = ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind", "two_pair", "tens_or_better", "low_pair", "high_card"];
const keyOf = (one: Http.OwnRound): string => `${one.table} ${one.round} ${one.seat}`;

interface Wanted {
  book: string;
  table: string;
  from: string;
  to: string;
  outcome: string;
  hand: string;
  mistake: boolean;
}
const ALL: Wanted = { book: "", table: "", from: "", to: "", outcome: "", hand: "", mistake: false };

/** The day after one that is typed, or that day itself, as its first moment here. */
const dayOf = (typed: string, after = 0): string | undefined => {
  if (!typed) return undefined;
  const [year = 0, month = 1, day = 1] = typed.split("-").map(Number);
  return new Date(year, month - 1, day + after).toISOString();
};

function queryOf(wanted: Wanted): Record<string, string | boolean | undefined> {
  const { book, table, outcome, hand, mistake } = wanted;
  return { book: book || undefined, table: table || undefined, outcome: outcome || undefined, hand: hand || undefined, mistake: mistake || undefined, from: dayOf(wanted.from), to: dayOf(wanted.to, 1) };
}

export function RoundList() {
  const wanted = useSignal(ALL);
  const rounds = useSignal<Http.OwnRound[]>([]);
  const page = useSignal<Http.OwnRoundsPage | null>(null);
  const open = useSignal("");
  const trouble = useSignal("");
  const filter = wanted.value;
  useEffect(() => {
    let now = true;
    const load = () => ask("GET /api/me/rounds", { query: { ...queryOf(filter), limit: PAGE } });
    whole(load, (found) => {
      page.value = found;
      rounds.value = found.rounds;
      trouble.value = "";
    }, () => now).catch((error: unknown) => void (trouble.value = told(error)));
    return () => void (now = false);
  }, [filter]);

  async function older(): Promise<void> {
    try {
      const found = await ask("GET /api/me/rounds", { query: { ...queryOf(filter), limit: PAGE, before: page.value?.next_before ?? undefined } });
      if (wanted.value !== filter) return;
      page.value = found;
      rounds.value = [...rounds.value, ...found.rounds];
    } catch (error) {
      say(told(error), "trouble");
    }
  }

  const titles = page.value?.titles;
  return (
    <section aria-labelledby="own-rounds">
      <h2 id="own-rounds">{t("results.rounds")}</h2>
      <Filters wanted={filter} titles={titles} onChange={(change) => (wanted.value = { ...wanted.value, ...change })} onAll={() => (wanted.value = ALL)} />
      {trouble.value && (
        <p class="form-no" role="alert">
          {trouble.value}
        </p>
      )}
      <p role="status" class="small">
        {page.value && t("results.found", { found: page.value.found })}
      </p>
      <ol class="own-rounds">
        {rounds.value.map((one) => (
          <OneRound key={keyOf(one)} round={one} titles={titles} open={open.value === keyOf(one)} onOpen={() => (open.value = open.value === keyOf(one) ? "" : keyOf(one))} />
        ))}
      </ol>
      {page.value?.next_before && <Button onClick={() => void older()}>{t("rounds.more")}</Button>}
      {(page.value?.found ?? 0) > 0 && <Files wanted={filter} />}
    </section>
  );
}

function Filters({ wanted, titles, onChange, onAll }: { wanted: Wanted; titles: Http.Titles | undefined; onChange: (change: Partial<Wanted>) => void; onAll: () => void }) {
  const choice = (name: "book" | "table" | "outcome" | "hand", options: [string, string][]) => (
    <label>
      {t(`results.filter.${name}`)}
      <select value={wanted[name]} onChange={(event) => onChange({ [name]: event.currentTarget.value })}>
        <option value="">{t("results.filter.all")}</option>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
  const day = (name: "from" | "to") => (
    <label>
      {t(`results.filter.${name}`)}
      <input type="date" value={wanted[name]} onChange={(event) => onChange({ [name]: event.currentTarget.value })} />
    </label>
  );
  return (
    <form class="round-filters" aria-label={t("results.filter")} onSubmit={(event) => event.preventDefault()}>
      {choice("book", Object.entries(titles?.books ?? {}))}
      {choice("table", Object.entries(titles?.tables ?? {}).map(([id, name]) => [id, tableTitle(name)]))}
      {choice("outcome", (["won", "lost", "even"] as const).map((one) => [one, t(`results.outcome.${one}`)]))}
      {choice("hand", HANDS.map((one) => [one, handName(one)]))}
      {day("from")}
      {day("to")}
      <label class="check">
        <input type="checkbox" checked={wanted.mistake} onChange={(event) => onChange({ mistake: event.currentTarget.checked })} />
        {t("results.filter.mistake")}
      </label>
      {wanted !== ALL && (
        <Button kind="quiet" onClick={onAll}>
          {t("results.filter.none")}
        </Button>
      )}
    </form>
  );
}

function OneRound({ round, titles, open, onOpen }: { round: Http.OwnRound; titles: Http.Titles | undefined; open: boolean; onOpen: () => void }) {
  const replay = useSignal(false);
  const mistakes = (round.decisions ?? []).filter((one) => (one.cost?.value ?? 0) > 0).length;
  const name = titles?.tables[round.table];
  return (
    <li class={open ? "is-open" : ""}>
      <button type="button" class="own-round" aria-expanded={open} onClick={onOpen}>
        <RoundPicture round={round} />
        <span class="small own-round-about">
          <span>{moment(round.ended_ms)}</span>
          <span>{name ? tableTitle(name) : round.book_title}</span>
          <span>{t("felt.round", { round: round.round })}</span>
          {round.status === "void" && <span>{t("rounds.void" as Text)}</span>}
          {mistakes > 0 && <span class="is-bad">{t("results.mistakes", { mistakes })}</span>}
        </span>
      </button>
      {open && (
        <div class="own-round-open">
          <RoundDetails round={round} />
          <div class="side-by-side">
            <Button onClick={() => (replay.value = !replay.value)} aria-expanded={replay.value}>
              {t("results.replay")}
            </Button>
          </div>
          {replay.value && <Steps table={round.table} round={round.round} onBack={() => (replay.value = false)} />}
          <ShareRound round={round} />
        </div>
      )}
    </li>
  );
}

function Files({ wanted }: { wanted: Wanted }) {
  const file = (format: "csv" | "json"): void =>
    void fetchFile("GET /api/me/rounds/file", { query: { ...queryOf(wanted), format } }).then(
      (found) => save(`rounds.${format}`, found),
      (error: unknown) => say(told(error), "trouble"),
    );
  return (
    <div class="side-by-side round-files">
      <Button onClick={() => file("csv")}>{t("results.file.csv")}</Button>
      <Button onClick={() => file("json")}>{t("results.file.json")}</Button>
    </div>
  );
}
