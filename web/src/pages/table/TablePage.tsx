// Table page: one table from the first glance to the last chip: felt, rail, drawers, and what the line is doing.
import { effect, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { PageProps } from "..";
import { BASE } from "../../generated/wagers";
import { Button } from "../../parts/Button";
import { me, currentOrGuest } from "../../state/session";
import { useCues } from "../../sound/useCues";
import { switchSound, textView } from "../../state/settings";
import { tableTitle } from "../../state/titles";
import { money, t } from "../../texts";
import { asked } from "./about";
import { autopilot } from "./autopilot";
import { Banner } from "./Banner";
import { Clock } from "./Clock";
import { Chips } from "./drawers/Chips";
import { type Open, TableDrawers } from "./drawers/TableDrawers";
import { Felt } from "./Felt";
import { type Game, play } from "./game";
import { sumOf } from "./sums";
import { useKeys } from "./keys";
import { phaseOf } from "./narrate";
import { Celebration } from "./Outcome";
import { Rail } from "./Rail";
import { Reminder } from "./Reminder";
import { LimitsSign, PaysSign } from "./Signs";
import { SitDown } from "./SitDown";
import { TextTable } from "./TextTable";
import { beneath, withChip } from "./staging";
import { useTabs } from "./tabs";
import { usePlayNow } from "./now";
import { Ways } from "./Ways";
import { paidRows } from "./why";

export default function TablePage({ params }: PageProps) {
  const id = params.id ?? "";
  const ready = useSignal(false);
  useEffect(() => void currentOrGuest().then(() => (ready.value = true), () => (ready.value = true)), []);
  // Another person at the same browser begins anew: nothing of the one before is kept or shown.
  return ready.value ? <AtTable key={`${id} ${me.value?.name ?? ""}`} id={id} /> : <p class="page-note">{t("table.coming")}</p>;
}

function AtTable({ id }: { id: string }) {
  const game = useMemo(() => play(id), [id]);
  const auto = useMemo(() => autopilot(game), [game]);
  useEffect(
    () => () => {
      auto.end();
      game.end();
    },
    [game],
  );
  useCues(game);
  useEffect(
    () =>
      effect(() => {
        document.documentElement.dataset.pace = game.line.standing.value?.pace ?? "normal";
      }),
    [game],
  );
  const open = useSignal<Open>(null);
  const sitting = useSignal(0);
  const others = useTabs(id);
  usePlayNow(game);
  const view = game.view.value;
  const seat = game.seat.value;
  const beside = (view?.offers ?? []).flatMap((one) => (one.type === "Sit" ? [one.seat] : []));
  const free = (number: number) => (me.value && (!seat || beside.includes(number)) ? () => void (sitting.value = number) : undefined);
  const onSpot = view?.betting_open && seat && !textView.value ? (name: string, at: number) => addChip(game, name, at) : undefined;
  useKeys({
    "?": () => (open.value = "keys"),
    h: () => (open.value = "rounds"),
    p: () => (open.value = "pays"),
    s: () => (open.value = "results"),
    w: () => (open.value = "coach"),
    x: () => (textView.value = !textView.value),
    q: switchSound,
    g: !!seat && (() => (open.value = "settings")),
  });
  const name = tableTitle(game.line.name.value);
  const line = game.line.line.value;
  useEffect(() => {
    document.title = `${name} · ${t("app.name")}`;
  }, [name]);

  if (line === "missing") {
    return (
      <div class="page-note">
        <h1>{t("line.missing.title")}</h1>
        <Banner game={game} others={false} />
      </div>
    );
  }
  return (
    <div class="table-page">
      <header class="table-bar">
        <h1>{name}</h1>
        {view && (
          <p class="table-bar-now">
            <span>{phaseOf(view)}</span>
            <span class="small">{dealerOf(game)}</span>
          </p>
        )}
        {view && <Ways game={game} open={open} />}
      </header>
      <Banner game={game} others={others.value} />
      {view ? (
        <>
          {textView.value ? (
            <TextTable game={game} onSit={free} />
          ) : (
            <div class="stage">
              <aside class="stage-side" aria-label={t("sign.pays")}>
                <PaysSign view={view} wagers={[BASE]} lit={paidRows(game.results.value[seat]?.reasons ?? [])} />
              </aside>
              <Felt view={view} standing={game.line.standing.value} seat={seat} own={game.own.value} draft={game.draft.value} onSit={free} onSpot={onSpot} />
              <aside class="stage-side" aria-label={t("sign.limits")}>
                <LimitsSign view={view} />
                <ol class="said" aria-hidden="true">
                  {game.said.value.slice(-5).toReversed().map((one) => (
                    <li key={one.id}>{one.text}</li>
                  ))}
                </ol>
              </aside>
            </div>
          )}
          {seat ? (
            <Rail game={game} auto={auto} onChips={() => (open.value = "chips")} onSecond={beside[0] ? free(beside.at(-1)!) : undefined} />
          ) : (
            <section class="rail rail-watch" aria-label={t("rail.title")}>
              <Clock game={game} />
              <p class={game.gone.value ? "rail-gone" : ""}>{game.gone.value || t("rail.watch")}</p>
              <Button kind="main" class="big" disabled={!freeSeat(game)} onClick={() => (sitting.value = freeSeat(game))}>
                {!freeSeat(game) ? t("rail.full") : t(game.gone.value ? "gone.again" : "rail.sit")}
              </Button>
            </section>
          )}
          <div class="spoken" role="status" aria-atomic="false">
            {game.said.value.slice(-8).map((one) => (
              <p key={one.id}>{one.text}</p>
            ))}
          </div>
          <Chips game={game} open={open.value === "chips"} onClose={() => (open.value = null)} />
          <Celebration game={game} />
          <TableDrawers game={game} auto={auto} open={open} />
          <SitDown game={game} seat={sitting} />
          <Reminder game={game} />
        </>
      ) : (
        line !== "session" && <p class="page-note">{t("table.coming")}</p>
      )}
    </div>
  );
}

function addChip(game: Game, name: string, at: number): void {
  asked.value = name;
  game.pick(at);
  const view = game.view.value!;
  const now = sumOf(game.draft.value) ? game.draft.value : (game.mine.value?.wagers ?? {});
  const last = game.lastAt(at);
  const affords = !!last && sumOf(last) <= (game.mine.value?.stack_cents ?? 0);
  game.stage(withChip(view, beneath(view, now, name, affords ? last : null), name, game.chip.value));
}

/** The free seat nearest to the middle; 0: there is none. */
export function freeSeat(game: Game): number {
  const seats = Object.entries(game.view.value?.seats ?? {});
  const middle = (seats.length + 1) / 2;
  const free = seats.filter(([, seat]) => !seat.player).map(([number]) => Number(number));
  return free.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? 0;
}

function dealerOf(game: Game): string {
  const standing = game.line.standing.value;
  if (!standing) return "";
  if (standing.state !== "open") return t(`table.${standing.state}`);
  const bank = game.view.value?.bank;
  const banks = bank ? (bank.seat ? ` · ${t("table.banked", { seat: bank.seat, stake: money(bank.chips_cents) })}` : ` · ${t("text.no-bank")}`) : "";
  return (standing.dealer === "automatic" ? t("table.automatic") : t("table.dealer", { name: standing.dealer })) + banks;
}
