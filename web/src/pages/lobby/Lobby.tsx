// Lobby: the tables of the house, and the shortest way to a seat; which table suits is the only thing decided here.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PageProps } from "..";
import type { Http } from "../../generated/api";
import { ask, inBackground, told } from "../../net/api";
import { Button, ButtonLink } from "../../parts/Button";
import { Card } from "../../parts/Card";
import { HowTo } from "../../parts/HowTo";
import { LanguageChoice } from "../../parts/LanguageChoice";
import { say } from "../../parts/Toast";
import { go } from "../../router";
import { me, currentOrGuest } from "../../state/session";
import { tableTitle } from "../../state/titles";
import { learnBets, money, t } from "../../texts";
import { Invite, OwnTable, useInvitation } from "./Private";
import { TableRow } from "./TableRow";

const LOOK_AGAIN_MS = 5000;
const SHOWN = ["As", "Ks", "Qs", "Js", "Ts"];

export default function Lobby(_: PageProps) {
  const tables = useSignal<Http.Listed[] | null>(null);
  const books = useSignal<Record<string, Http.BookSummary>>({});
  const paytables = useSignal<Record<string, Http.PaytableData>>({});
  const trouble = useSignal("");
  const busy = useSignal(false);

  const inviting = useSignal<{ id: string; name: string } | null>(null);
  useInvitation();

  const look = (): Promise<void> =>
    ask("GET /api/tables")
      .then((found) => {
        for (const table of found) learnBets(Object.entries(table.side_bets));
        tables.value = found;
        trouble.value = "";
      })
      .catch((error: unknown) => void (trouble.value = told(error)));
  useEffect(() => {
    void look();
    const timer = setInterval(() => document.visibilityState === "visible" && void inBackground(look), LOOK_AGAIN_MS);
    const byId = <T extends { id: string }>(found: T[]) => Object.fromEntries(found.map((one) => [one.id, one]));
    ask("GET /api/rulebooks").then((found) => (books.value = byId(found)), () => undefined);
    ask("GET /api/paytables").then((found) => (paytables.value = byId(found)), () => undefined);
    void import("../table/TablePage"); // so that the first card does not wait for it
    return () => clearInterval(timer);
  }, []);

  async function playNow(id?: string): Promise<void> {
    busy.value = true;
    try {
      const all = await ask("GET /api/tables"); // anew: since the last look a person may have sat down in another tab
      const found = id ?? (all.find((one) => one.your_seat) ?? best(all, books.value))?.id;
      if (!found) {
        say(t("lobby.full"), "trouble");
        return;
      }
      await currentOrGuest();
      go(`/table/${found}?now`);
    } catch (error) {
      say(told(error), "trouble");
    } finally {
      busy.value = false;
    }
  }

  const listed = tables.value;
  const mine = listed?.find((one) => one.your_seat);
  return (
    <div class="page lobby">
      <section class="lobby-hero">
        <div>
          <h1>{t("lobby.title")}</h1>
          <p class="lobby-lead">{t("lobby.lead")}</p>
          <div class="lobby-ways">
            <Button kind="main" class="lobby-now" disabled={busy.value} onClick={() => void playNow()}>
              {t(mine ? "lobby.back" : "lobby.now")}
            </Button>
            <ButtonLink href="/learn">{t("nav.learn")}</ButtonLink>
            <ButtonLink href="/par">{t("par.title")}</ButtonLink>
          </div>
          <p class="small">
            {mine
              ? t("lobby.seated", { name: tableTitle(mine.name), chips: money(mine.your_chips_cents) })
              : me.value && !me.value.guest
                ? t("lobby.as", { name: me.value.name })
                : t("lobby.guest")}
          </p>
        </div>
        <div class="lobby-cards" aria-hidden="true">
          {SHOWN.map((card) => (
            <Card key={card} card={card} size="large" silent />
          ))}
        </div>
      </section>
      <HowTo />
      <section aria-labelledby="tables">
        <h2 id="tables">{t("lobby.tables")}</h2>
        {trouble.value && (
          <p class="form-no" role="alert">
            {trouble.value}
          </p>
        )}
        {listed === null && !trouble.value && <p>{t("app.loading")}</p>}
        {listed?.length === 0 && <p>{t("lobby.none")}</p>}
        <ul class="tables">
          {listed?.map((one) => (
            <TableRow
              key={one.id}
              table={one}
              book={books.value[one.rulebook]}
              paytables={paytables.value}
              onPlay={() => void playNow(one.id)}
              onInvite={one.private ? () => (inviting.value = one) : undefined}
              busy={busy.value}
            />
          ))}
        </ul>
        <OwnTable
          books={Object.values(books.value)}
          onOpened={(id, name) => {
            inviting.value = { id, name };
            void look();
          }}
        />
      </section>
      <LanguageChoice />
      {inviting.value && <Invite table={inviting.value} onClose={() => (inviting.value = null)} onChange={() => void look()} />}
    </div>
  );
}

/** The table where a person who just wants to play is dealt to soonest: open, with a free seat, the house banking. */
function best(tables: Http.Listed[], books: Record<string, Http.BookSummary>): Http.Listed | undefined {
  const worth = (one: Http.Listed): number =>
    (books[one.rulebook]?.bank === "house" ? 4 : 0) +
    (books[one.rulebook]?.device === "shuffler" ? 2 : 0) + // a deck is ready there
    (["idle", "between", "betting"].includes(one.phase) ? 3 : 0) + // in mid-round one waits for others to decide
    (one.private ? -9 : 0) -
    one.seated / 10;
  return tables
    .filter((one) => one.state === "open" && one.seated < one.seats)
    .sort((a, b) => worth(b) - worth(a))[0];
}
