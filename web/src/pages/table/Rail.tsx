// Rail: the player's own place before the table: cards, hand, result, and what can be done now.
import { CoachLine } from "../../coach/CoachLine";
import type { View } from "../../generated/api";
import { Card } from "../../parts/Card";
import { Button } from "../../parts/Button";
import { betName, money, signed, t } from "../../texts";
import { readHand } from "../../texts/engine";
import { Betting } from "./Betting";
import { Choices, isAsked } from "./Choices";
import { Clock } from "./Clock";
import { fateOf, type Game, sumOf } from "./game";
import { phaseOf } from "./narrate";
import { Spot } from "./Spot";
import { baseSpots, lookOf, sideSpots } from "./spots";
import { useSteadyHeight } from "./steady";

export function Rail({ game, onChips, onSecond }: { game: Game; onChips: () => void; onSecond?: (() => void) | undefined }) {
  const view = game.view.value!;
  const mine = game.mine.value!;
  const own = game.own.value;
  const banks = own.includes(view.bank?.seat ?? 0);
  const tray = useSteadyHeight(own.length);
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
      <div class={`rail-acts ${game.fresh.value ? "is-fresh" : ""}`} onClickCapture={(event) => clicked(event, game)}>
        <div class="rail-head">
          <Clock game={game} />
          <CoachLine table={game.line} />
        </div>
        {isAsked(game) ? (
          <Choices game={game} />
        ) : mine.sitting_out ? (
          <div class="choices-bar">
            <p class="choices-question">{t("rail.out")}</p>
            {game.out.value && <p class="rail-gone">{game.out.value}</p>}
            <Button kind="main" onClick={() => void game.act({ type: "SitOut", seat: game.seat.value, out: false })}>
              {t("rail.in")}
            </Button>
          </div>
        ) : view.betting_open && !banks ? (
          <Betting game={game} />
        ) : (
          <p class="rail-wait">{banks ? <BankSoFar view={view} /> : phaseOf(view)}</p>
        )}
      </div>
    </section>
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

/** The player's own cards with the wagers behind them; after the round, the result. */
function Hand({ game }: { game: Game }) {
  const view = game.view.value!;
  const mine = game.mine.value!;
  const result = game.results.value[game.seat.value];
  const over = result && (!mine.cards.length || mine.results.length > 0);
  const cards = mine.cards.length ? mine.cards : (result?.cards ?? []);
  const results = new Map((mine.results.length ? mine.results : over ? result.lines : []).map((one) => [one.wager, one] as const));
  const hand = mine.reading ? [mine.reading] : (result?.hand ?? null);
  const spots = [...baseSpots(view), ...sideSpots(view)].filter((name) => mine.wagers[name] !== undefined || results.has(name));
  return (
    <div class="hand">
      <div class={`hand-cards ${mine.cards.length ? "" : "is-past"}`} role="group" aria-label={t("rail.cards")}>
        {(cards.length ? cards : [null, null, null]).map((card, at) => (
          <Card key={at} card={card} size="large" />
        ))}
      </div>
      {over && result.community.length > 0 && (
        <div class="hand-board" role="group" aria-label={t("rail.board")}>
          {result.community.map((card) => (
            <Card key={card} card={card} size="small" />
          ))}
        </div>
      )}
      <div class="hand-words">
        {hand ? <p class="hand-name">{readHand(hand)}</p> : null}
        {over ? (
          <>
            <p class={`hand-net ${result.net > 0 ? "won" : result.net < 0 ? "lost" : ""}`}>{signed(result.net)}</p>
            <ul class="hand-lines">
              {result.lines.map((one) => (
                <li key={one.wager}>
                  <span>{betName(one.wager)}</span>
                  <span>{one.fate === "won" ? t("rail.won", { amount: money(one.paid_cents ?? 0) }) : fateOf(one)}</span>
                </li>
              ))}
              {result.fee > 0 && (
                <li>
                  <span>{t("rail.fee")}</span>
                  <span>{signed(-result.fee)}</span>
                </li>
              )}
            </ul>
          </>
        ) : (
          !view.betting_open &&
          sumOf(mine.wagers) > 0 && (
            <div class="hand-spots" data-many={spots.length > 6 ? "" : undefined}>
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
