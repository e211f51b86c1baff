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
import { RulesDrawer } from "../../parts/RulesDrawer";
import { say } from "../../parts/Toast";
import { go } from "../../router";
import { me, currentOrGuest } from "../../state/session";
import { tableTitle } from "../../state/titles";
import { beenHere } from "../../state/settings";
import { learnBets, money, t } from "../../texts";
import { OwnTable } from "./OwnTable";
import { Invite, useInvitation } from "./Private";
import { TableRow } from "./TableRow";

const LOOK_AGAIN_MS = 5000;
const SHOWN = ["As", "Ks", "Qs", "Js", "Ts"];

export default function Lobby(_: PageProps) {
  const tables = useSignal<Http.Listed[] | null>(null);
  const edges = useSignal<Record<string, Http.Edge[]>>({});
  const trouble = useSignal("");
  const busy = useSignal(false);

  const inviting = useSignal<{ id: string; name: string } | null>(null);
  const reading = useSignal<Http.Listed | null>(null);
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
    void look().then(() => {
      // After the tables: on a slow line each waits for the one before.
      ask("GET /api/edges").then((found) => (edges.value = Object.fromEntries(found.map((one) => [one.table, one.edges]))), () => undefined);
    });
    const timer = setInterval(() => document.visibilityState === "visible" && void inBackground(look), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);

  async function playNow(id?: string): Promise<void> {
    busy.value = true;
    try {
      // The tables anew: since the last look a person may have sat down in another tab.
      const [all] = await Promise.all([ask("GET /api/tables"), currentOrGuest()]);
      const found = id ?? (all.find((one) => one.your_seat) ?? best(all))?.id;
      if (!found) {
        say(t("lobby.full"), "trouble");
        return;
      }
      go(`/table/${found}?now`);
    } catch (error) {
      say(told(error), "trouble");
    } finally {
      busy.value = false;
    }
  }

  const listed = tables.value;
  const mine = listed?.find((one) => one.your_seat);
  if (me.value) beenHere.value = true;
  const knows = beenHere.value;
  const now = (
    <Button kind="main" class="lobby-now" disabled={busy.value} onClick={() => void playNow()}>
      {t(mine ? "lobby.back" : "lobby.now")}
    </Button>
  );
  const standing = mine
    ? t("lobby.seated", { name: tableTitle(mine.name), chips: money(mine.your_chips_cents) })
    : me.value && !me.value.guest
      ? t("lobby.as", { name: me.value.name })
      : t("lobby.guest");
  return (
    <div class="page lobby">
      {knows ? (
        <section class="lobby-bar">
          <div>
            <h1>{t("lobby.title")}</h1>
            <p class="small">{standing}</p>
          </div>
          {now}
        </section>
      ) : (
        <section class="lobby-hero">
          <div>
            <h1>{t("lobby.title")}</h1>
            <p class="lobby-lead">{t("lobby.lead")}</p>
            <div class="lobby-ways">
              {now}
              <ButtonLink href="/learn">{t("nav.learn")}</ButtonLink>
              <ButtonLink href="/par">{t("par.title")}</ButtonLink>
            </div>
            <p class="small">{standing}</p>
          </div>
          <div class="lobby-cards" aria-hidden="true">
            {SHOWN.map((card) => (
              <Card key={card} card={card} size="large" silent />
            ))}
          </div>
        </section>
      )}
      {!knows && <HowTo />}
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
          {listed?.toSorted(ownFirst).map((one) => (
            <TableRow
              key={one.id}
              table={one}
              edges={edges.value[one.id]}
              onPlay={() => void playNow(one.id)}
              onRules={() => (reading.value = one)}
              onInvite={one.private ? () => (inviting.value = one) : undefined}
              busy={busy.value}
            />
          ))}
        </ul>
        {Object.keys(edges.value).length > 0 && <p class="small">{t("edge.how")}</p>}
        <OwnTable
          onOpened={(id, name) => {
            inviting.value = { id, name };
            void look();
          }}
        />
      </section>
      {knows && <HowTo />}
      <LanguageChoice />
      {reading.value && <RulesDrawer table={reading.value.id} name={tableTitle(reading.value.name)} onClose={() => (reading.value = null)} />}
      {inviting.value && <Invite table={inviting.value} onClose={() => (inviting.value = null)} onChange={() => void look()} />}
    </div>
  );
}

/** The player's own seat first, then tables of friends, then the others as they come. */
const ownFirst = (a: Http.Listed, b: Http.Listed): number => Number(!!b.your_seat) - Number(!!a.your_seat) || Number(b.private) - Number(a.private);

/** The table where a person who just wants to play is dealt to soonest: open, with a free seat, the house banking. */
function best(tables: Http.Listed[]): Http.Listed | undefined {
  const worth = (one: Http.Listed): number =>
    (one.bank === "house" ? 4 : 0) +
    (one.device === "shuffler" ? 2 : 0) + // a deck is ready there
    (["idle", "between", "betting"].includes(one.phase) ? 3 : 0) + // in mid-round one waits for others to decide
    (one.private ? -9 : 0) -
    one.seated / 10;
  return tables
    .filter((one) => one.state === "open" && one.seated < one.seats)
    .sort((a, b) => worth(b) - worth(a))[0];
}
