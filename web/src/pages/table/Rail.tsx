// Rail: the player's own place before the table: cards, hand, result, and what can be done now.
import { useEffect, useRef } from "preact/hooks";
import { CoachLine } from "../../coach/CoachLine";
import type { View } from "../../generated/api";
import { Card } from "../../parts/Card";
import { Button } from "../../parts/Button";
import { money, signed, t } from "../../texts";
import { readHand } from "../../texts/engine";
import { asked } from "./about";
import { Betting } from "./Betting";
import { betAhead } from "./ahead";
import type { Run } from "./autoplay";
import type { Autopilot } from "./autopilot";
import { Ahead, Choices, isAsked } from "./Choices";
import { Clock } from "./Clock";
import { useFocusNext } from "./focus";
import type { Game } from "./game";
import { sumOf } from "./sums";
import { phaseOf } from "./narrate";
import { Outcome } from "./Outcome";
import { Spot } from "./Spot";
import { baseSpots, lookOf, sideBet, sideSpots } from "./spots";
import { useSteadyHeight } from "./steady";
import { litCards } from "./why";

export interface RailProps {
  game: Game;
  auto: Autopilot;
  onChips: () => void;
  onSecond?: (() => void) | undefined;
}

export function Rail({ game, auto, onChips, onSecond }: RailProps) {
  const view = game.view.value!;
  const mine = game.mine.value!;
  const own = game.own.value;
  const banks = own.includes(view.bank?.seat ?? 0);
  const tray = useSteadyHeight(own.length);
  const keyed = useRef(false);
  const acts = useFocusNext(keyed);
  const ahead = betAhead(view, game.seat.value);
  const about = sideBet(view, asked.value) ? lookOf(view, asked.value) : null;
  useEffect(() => void (asked.value = ""), [view.betting_open]);
  return (
    <section class="rail" aria-label={t("rail.title")} ref={tray}>
      <div class="rail-own">
        {own.length > 1 && <OwnHands game={game} />}
        <Hand game={game} />
        <p class="rail-money">
          <span>{t("rail.stack")}</span> <b>{money(mine.stack_cents)}</b>
          {mine.tokens_cents > 0 && <span> {t("rail.tokens", { tokens: money(mine.tokens_cents) })}</span>}
          {!!mine.coupons_cents && <span> {t("rail.coupons", { coupons: money(mine.coupons_cents) })}</span>}
          <button type="button" class="link" onClick={onChips}>
            {t("rail.chips")}
          </button>
          {onSecond && (
            <button type="button" class="link" onClick={onSecond}>
              {t("rail.second")}
            </button>
          )}
        </p>
      </div>
      <div
        class={`rail-acts ${game.fresh.value ? "is-fresh" : ""}`}
        ref={acts}
        onClickCapture={(event) => {
          clicked(event, game);
          keyed.current = event.detail === 0;
        }}
      >
        <div class="rail-head">
          <Clock game={game} />
          {about ? <p class="coach-line bet-about" role="status"><b>{about.mark}</b> {about.about}</p> : <CoachLine table={game.line} />}
        </div>
        {auto.run.value ? (
          <Running auto={auto} run={auto.run.value} />
        ) : isAsked(game) ? (
          <Choices game={game} />
        ) : mine.sitting_out ? (
          <div class="choices-bar">
            <p class="choices-question">{t("rail.out")}</p>
            {game.out.value && <p class="rail-gone">{game.out.value}</p>}
            <Button kind="main" onClick={() => void game.act({ type: "SitOut", seat: game.seat.value, out: false })}>
              {t("rail.in")}
            </Button>
          </div>
        ) : ahead ? (
          <Ahead game={game} bet={ahead} />
        ) : view.betting_open && !banks ? (
          <Betting game={game} />
        ) : (
          <p class="rail-wait">{banks ? <BankSoFar view={view} /> : phaseOf(view)}</p>
        )}
      </div>
    </section>
  );
}

/** Autoplay under way: how far it is, and the one button that stops it. */
function Running({ auto, run }: { auto: Autopilot; run: Run }) {
  return (
    <div class="choices-bar" role="group" aria-label={t("auto.title")}>
      <p class="choices-question">{t("auto.running", { played: run.played, rounds: run.plan.rounds, net: signed(run.net_cents) })}</p>
      <div class="choices-two">
        <Button kind="danger" class="big auto-stop" onClick={() => auto.stop()}>
          {t("auto.stop")}
        </Button>
      </div>
    </div>
  );
}

/** A click that was aimed at what lay there before does nothing; after any other, Enter means the main button again. */
function clicked(event: MouseEvent, game: Game): void {
  if (event.timeStamp < game.readySince()) event.stopPropagation();
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (event.detail > 0) button?.blur();
}

/** What the player's bank stands for, and what it has won or lost. */
function BankSoFar({ view }: { view: View }) {
  const { stake_cents: stake = 0, chips_cents: chips = 0 } = view.bank ?? {};
  const fee = view.sign.fee?.bank_cents ?? 0;
  const net = chips - stake - fee;
  return (
    <>
      {t("rail.banks", { stake: money(stake) })}{" "}
      {chips !== stake && <b class={`hand-net ${net > 0 ? "won" : net < 0 ? "lost" : ""}`}>{signed(net)}</b>}{" "}
      {chips !== stake && fee > 0 && t("rail.after-fee", { fee: money(fee) })}
    </>
  );
}

/** The player's hands side by side, the one that is played now marked; another is played by a click. */
function OwnHands({ game }: { game: Game }) {
  const view = game.view.value!;
  return (
    <div class="own-hands" role="group" aria-label={t("rail.hands")}>
      {game.own.value.map((number) => {
        const seat = view.seats[number]!;
        const result = game.results.value[number];
        const cards = seat.cards.length ? seat.cards : (result?.cards ?? []);
        const net = result && (!seat.cards.length || seat.results.length > 0) ? result.net : null;
        return (
          <button key={number} type="button" class="own-hand" aria-pressed={number === game.seat.value} onClick={() => game.pick(number)}>
            <b>{t("rail.hand", { seat: number })}</b>
            <span class="own-hand-cards">
              {cards.map((card, at) => (
                <Card key={at} card={card} size="small" />
              ))}
            </span>
            <span>{net === null ? money(sumOf(seat.wagers)) : signed(net)}</span>
          </button>
        );
      })}
    </div>
  );
}

/** A side bet that is pressed while it lies there says what its mark stands for; pressed again, no more. */
function explain(event: MouseEvent): void {
  const name = (event.target instanceof Element && event.target.closest<HTMLElement>(".spot")?.dataset.spot) || "";
  asked.value = asked.value === name ? "" : name;
}

/** The player's own cards with the wagers behind them; after the round, the result. */
function Hand({ game }: { game: Game }) {
  const view = game.view.value!;
  const mine = game.mine.value!;
  const result = game.results.value[game.seat.value];
  const over = result && (!mine.cards.length || mine.results.length > 0);
  const cards = mine.cards.length ? mine.cards : (result?.cards ?? []);
  const results = new Map((mine.results.length ? mine.results : over ? result.lines : []).map((one) => [one.wager, one] as const));
  const lit = over ? litCards(view, result.reasons) : new Set<string>();
  const hand = mine.reading ? [mine.reading] : (result?.hand ?? null);
  const spots = [...baseSpots(view), ...sideSpots(view)].filter((name) => mine.wagers[name] !== undefined || results.has(name));
  return (
    <div class="hand">
      <div class={`hand-cards ${mine.cards.length ? "" : "is-past"}`} role="group" aria-label={t("rail.cards")}>
        {(cards.length ? cards : [null, null, null]).map((card, at) => (
          <Card key={at} card={card} size="large" lit={!!card && lit.has(card)} />
        ))}
      </div>
      {over && result.community.length > 0 && (
        <div class="hand-board" role="group" aria-label={t("rail.board")}>
          {result.community.map((card) => (
            <Card key={card} card={card} size="small" lit={lit.has(card)} />
          ))}
        </div>
      )}
      <div class="hand-words">
        {hand ? <p class="hand-name">{readHand(hand)}</p> : null}
        {over ? (
          <Outcome game={game} result={result} />
        ) : (
          !view.betting_open &&
          sumOf(mine.wagers) > 0 && (
            <div class="hand-spots" data-many={spots.length > 6 ? "" : undefined} onClick={explain}>
              {spots.map((name) => (
                <Spot key={name} name={name} look={lookOf(view, name)} cents={mine.wagers[name] ?? 0} result={results.get(name)} />
              ))}
            </div>
          )
        )}
      </div>
    </div>
  );
}
