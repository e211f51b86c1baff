// Betting: chips from the rail to the spots, by click, by key, by amount, or as last time; the server says what may be.
import { useSignal } from "@preact/signals";
import type { View } from "../../generated/api";
import { Button } from "../../parts/Button";
import { Chip, VALUES } from "../../parts/Chip";
import { say } from "../../parts/Toast";
import { me } from "../../state/session";
import { centsOf, money, t, typedDollars } from "../../texts";
import { drag } from "./drag";
import type { Game, Wagers } from "./game";
import { couponsOf, sumOf, tokensOf } from "./sums";
import { useKeys } from "./keys";
import { buyMore, feeFor, withFee } from "./money";
import { buyIn, isPoor } from "./SitDown";
import { Spot } from "./Spot";
import { baseSpots, isBase, isFixed, lastSpot, lookOf, sideBet, sideKeys, sideSpots } from "./spots";
import { beneath, isSame, scaled, withChip, without } from "./staging";

/** The chips a table is played with: those that one bet can hold. */
export function chipsOf(view: View): number[] {
  return VALUES.filter((value) => value <= view.sign.spot_cents_max).reverse();
}

/** Whether the chips at a seat suffice for bets there. */
const affords = (view: View, seat: number, wagers: Wagers | null): boolean =>
  !!wagers && sumOf(wagers) + feeFor(view, wagers) <= view.seats[seat]!.stack_cents;

const dollars = (cents: number): string => (cents ? typedDollars(cents) : "");
const cleaned = (wagers: Wagers): Wagers => Object.fromEntries(Object.entries(wagers).filter(([, cents]) => cents));

export function Betting({ game }: { game: Game }) {
  const view = game.view.value!;
  const mine = game.mine.value!;
  const typed = useSignal<string | null>(null);
  const wallet = me.value?.wallet_cents ?? 0;
  const down = sumOf(mine.wagers) > 0;
  const changed = sumOf(game.draft.value) > 0;
  const wagers = changed ? game.draft.value : mine.wagers;
  const chips = chipsOf(view);
  const held = tokensOf(mine);
  const coupons = couponsOf(mine);
  const inTokens = game.tokens.value && held > 0;
  const leastIn = (tokens: boolean): Wagers | undefined =>
    game.offer("PlaceWagers", (one) => sumOf(one.wagers) > 0 && (one.medium === "tokens") === tokens)?.wagers;
  const least = leastIn(inTokens);
  const other = leastIn(!inTokens); // where chips do not suffice, tokens may, and the other way round
  const back = down && game.offer("PlaceWagers", (one) => !sumOf(one.wagers));
  const last = game.lastBet.value && game.lastAt(game.seat.value);
  const total = sumOf(wagers);
  const hasBase = (one: Wagers): boolean => baseSpots(view).some((spot) => one[spot]);
  const needsBase = (one: Wagers): boolean => !hasBase(one) && !Object.keys(one).every((name) => view.sign.bet_alone.includes(name));
  const have = inTokens ? held : mine.stack_cents + (mine.medium === "tokens" ? 0 : sumOf(mine.wagers));
  const lacks = (one: Wagers): number => sumOf(one) + feeFor(view, one) - have;
  const base = baseSpots(view)[0]!;
  const least_cents = view.sign.spot_cents_min;
  const isUnder = (one: Wagers): boolean => hasBase(one) && baseSpots(view).some((spot) => (one[spot] ?? 0) < least_cents);
  const under = t("no.below_minimum.spot", { least: money(least_cents) });
  // What is typed is shown as long as it is what is staged: a chip or a key after it takes its place.
  const unread = typed.value !== null && centsOf(typed.value) === null && !game.draft.value[base];
  const shown = unread || (typed.value !== null && centsOf(typed.value) === (game.draft.value[base] ?? 0)) ? typed.value! : dollars(wagers[base] ?? 0);

  function stage(wanted: Wagers): void {
    typed.value = null;
    if (!isSame(wanted, changed ? game.draft.value : mine.wagers)) game.stage(cleaned(wanted));
  }
  function remove(name: string): void {
    const rest = without(wagers, name);
    if (sumOf(rest) || !down) stage(rest);
    else void game.place({});
  }
  const chosen = sumOf(wagers) ? wagers : (last ?? {});
  const scale = (times: number): Wagers | null => {
    const made = scaled(view, chosen, times);
    return sumOf(made) && !isSame(made, chosen) ? made : null;
  };
  const [half, twice] = [scale(0.5), scale(2)];
  const dropped = (cents: number) => (spot: string | null) => {
    if (spot) add(isBase(spot) ? lastSpot(view) : spot, cents);
  };
  const chipFor = (name: string): number => {
    const bet = sideBet(view, name);
    return bet && isFixed(bet) ? bet.cents_min : game.chip.value;
  };
  function place(): void {
    const wanted = cleaned(game.draft.value);
    if (unread) say(t("bet.unread", { example: typedDollars(750) }), "trouble");
    else if (needsBase(wanted)) say(t("bet.side-alone"), "trouble");
    else if (isUnder(wanted)) say(under, "trouble");
    else if (lacks(wanted) > 0) say(t("bet.lacks", { amount: money(lacks(wanted)) }), "trouble");
    else if (sumOf(wanted)) void game.place(wanted);
  }
  // What was bet with tokens is not bet with chips because the tokens are gone.
  const again = last && lacks(last) <= 0 && !unread && (held > 0 || !game.lastTokens.value) ? last : null;
  const add = (name: string, cents = game.chip.value): void => stage(withChip(view, beneath(view, wagers, name, again), name, cents));
  const bare = game.own.value.filter((seat) => !view.seats[seat]!.sitting_out && !sumOf(view.seats[seat]!.wagers));
  const withoutBets = again && !inTokens ? bare.filter((seat) => seat === game.seat.value || affords(view, seat, game.lastAt(seat))) : [game.seat.value];
  async function repeat(): Promise<void> {
    for (const seat of again ? withoutBets : []) await game.place(seat === game.seat.value ? again! : game.lastAt(seat)!, seat);
  }
  const clear = (): void => {
    typed.value = null;
    if (changed) game.stage({});
    else if (back) void game.place({});
  };
  function setAmount(text: string): void {
    typed.value = text;
    const cents = centsOf(text) ?? 0; // what cannot be read stages nothing
    game.stage({ ...wagers, ...Object.fromEntries(baseSpots(view).map((spot) => [spot, cents])) });
  }
  const undo = (): void => {
    typed.value = null;
    game.undo();
  };
  const placing = game.pending.value.some((one) => one.type === "PlaceWagers" && sumOf(one.wagers));
  const side = sideSpots(view);
  const stageLeast = (): void => {
    typed.value = null;
    game.stage(least ?? {});
  };
  const stageOther = (): void => {
    typed.value = null;
    game.tokens.value = !inTokens;
    game.stage(other ?? {});
  };
  useKeys({
    ...Object.fromEntries(chips.map((value, at) => [String(at + 1), () => add(lastSpot(view), value)])),
    enter: !game.busy.value && (changed ? place : !down && again ? () => void repeat() : undefined),
    a: !game.busy.value && !down && !!again && (() => void repeat()),
    backspace: clear,
    z: game.canUndo.value && undo,
    ...Object.fromEntries(sideKeys(view).map(([key, bet]) => [key, () => add(bet.spot)])),
    m: !changed && !down && !!least && stageLeast,
  });

  return (
    <div class="betting">
      <div class="chip-row">
      <fieldset class="chip-rail">
        <legend>{t("bet.chips")}</legend>
        {chips.map((value, at) => (
          <button
            key={value}
            type="button"
            class="chip-button"
            aria-pressed={game.chip.value === value}
            aria-keyshortcuts={String(at + 1)}
            aria-label={t("bet.chip", { value: money(value) })}
            onClick={() => (game.chip.value = value)}
            onPointerDown={(event) => drag(event, dropped(value))}
          >
            <Chip cents={value} />
            <kbd aria-hidden="true">{at + 1}</kbd>
          </button>
        ))}
      </fieldset>
      <div class="bet-tools" role="group" aria-label={t("bet.tools")}>
        <Button kind="quiet" disabled={!half} aria-label={t("bet.half")} onClick={() => half && stage(half)}>
          ½
        </Button>
        <Button kind="quiet" disabled={!twice} aria-label={t("bet.twice")} onClick={() => twice && stage(twice)}>
          ×2
        </Button>
        <Button kind="quiet" disabled={!game.canUndo.value} aria-label={t("bet.undo")} aria-keyshortcuts="Z" onClick={undo}>
          ↶
        </Button>
      </div>
      </div>
      <div class="bet-spots" role="group" aria-label={t("bet.spots")} data-many={side.length > 3 ? "" : undefined}>
        {[...baseSpots(view), ...side].map((name) => (
          <Spot
            key={name}
            name={name}
            look={lookOf(view, name)}
            cents={wagers[name] ?? 0}
            draft={changed}
            onClick={() => add(name)}
            onRemove={(wagers[name] ?? 0) > 0 && (!isBase(name) || name === lastSpot(view)) ? () => remove(name) : undefined}
            onDragOff={() => remove(name)}
            hint={t("bet.add", { value: money(chipFor(name)), now: money(wagers[name] ?? 0) })}
          />
        ))}
        <label class="bet-amount">
          <span>{t("bet.amount")}</span>
          <input
            inputMode="decimal"
            autocomplete="off"
            placeholder={t("bet.amount.short")}
            value={shown}
            aria-invalid={unread}
            aria-describedby="bet-unread"
            onInput={(event) => setAmount(event.currentTarget.value)}
            onBlur={() => !unread && (typed.value = null)}
            onKeyDown={(event) => event.key === "Enter" && place()}
          />
        </label>
      </div>
      {held > 0 && (
        <label class="check">
          <input type="checkbox" checked={game.tokens.value} onInput={(event) => (game.tokens.value = event.currentTarget.checked)} />
          {t("bet.tokens", { amount: money(held) })}
        </label>
      )}
      {coupons > 0 && !inTokens && (
        <label class="check">
          <input type="checkbox" checked={game.coupon.value} onInput={(event) => (game.coupon.value = event.currentTarget.checked)} />
          {t("bet.coupon", { amount: money(coupons) })}
        </label>
      )}
      <div class="bet-ways">
        {changed ? (
          <Button kind="main" class="big" keyName="Enter" disabled={game.busy.value || unread || isUnder(wagers) || lacks(wagers) > 0} waits={placing} onClick={place}>
            {t(inTokens ? "bet.place.tokens" : "bet.place", { amount: withFee(view, wagers) })}
          </Button>
        ) : down ? (
          <p class="bet-down">{t(needsBase(mine.wagers) ? "bet.down.side" : "bet.down", { amount: money(total) })}</p>
        ) : again ? (
          <Button kind="main" class="big" keyName="Enter" disabled={game.busy.value} waits={placing} onClick={() => void repeat()}>
            {withoutBets.length > 1
              ? t("bet.repeat.hands", { hands: withoutBets.length, amount: money(withoutBets.reduce((sum, seat) => sum + sumOf(game.lastAt(seat)!), 0)) })
              : t(inTokens ? "bet.repeat.tokens" : "bet.repeat", { amount: withFee(view, again) })}
          </Button>
        ) : (
          least && (
            <Button kind="main" class="big" keyName="M" disabled={game.busy.value || unread} onClick={stageLeast}>
              {t("bet.least", { amount: withFee(view, least) })}
            </Button>
          )
        )}
        <p id="bet-unread" class="bet-why" role="status">
          {unread && <span>{t("bet.unread", { example: typedDollars(750) })}</span>}
        </p>
        {changed && isUnder(wagers) && <p class="bet-why"><span>{under}</span></p>}
        {changed && lacks(wagers) > 0 && <p class="bet-why"><span>{t("bet.lacks", { amount: money(lacks(wagers)) })}</span></p>}
        {(changed || back) && (
          <Button keyName="⌫" disabled={game.busy.value} onClick={clear}>
            {changed ? t("bet.clear") : t("bet.back")}
          </Button>
        )}
        {!down && !least && other && !changed && (
          <Button kind="main" class="big" disabled={game.busy.value || unread} onClick={stageOther}>
            {t(inTokens ? "bet.least.chips" : "bet.least.tokens", { amount: withFee(view, other) })}
          </Button>
        )}
        {!down && !least && (
          <Button kind={changed || other ? "plain" : "main"} class="big" disabled={game.busy.value} onClick={() => void buyMore(game)}>
            {isPoor(view, wallet) ? t("bet.refill", { amount: money(buyIn(view, Infinity)) }) : t("bet.poor", { amount: money(buyIn(view, wallet)) })}
          </Button>
        )}
      </div>
    </div>
  );
}
