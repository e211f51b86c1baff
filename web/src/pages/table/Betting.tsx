// Betting: chips from the rail to the spots, by click, by key, by amount, or as last time; the server says what may be.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { View } from "../../generated/api";
import { Button } from "../../parts/Button";
import { Chip, VALUES } from "../../parts/Chip";
import { say } from "../../parts/Toast";
import { money, t } from "../../texts";
import { baseSpots, type Game, sumOf, type WagerName, type Wagers } from "./game";
import { useKeys } from "./keys";
import { sideSpots } from "./Seat";
import { Spot } from "./Spot";

/** The chips a table is played with: those a bet can be made of, from its step to its maximum. */
export function chipsOf(view: View): number[] {
  const most = view.sign.limits_cents[1] ?? VALUES[0];
  return VALUES.filter((value) => value <= most).reverse();
}

/** Bets with one chip more on a spot; the spots of the base game have equal bets, so they get one each. */
export function withChip(view: View, wagers: Wagers, name: WagerName, cents: number): Wagers {
  if (name === "bonus") return { ...wagers, bonus: wagers.bonus ? 0 : (view.sign.bonus_cents ?? 0) };
  const spots = name.startsWith("base") ? baseSpots(view) : [name];
  return { ...wagers, ...Object.fromEntries(spots.map((spot) => [spot, (wagers[spot] ?? 0) + cents])) };
}

const cleaned = (wagers: Wagers): Wagers => Object.fromEntries(Object.entries(wagers).filter(([, cents]) => cents));

export function Betting({ game }: { game: Game }) {
  const view = game.view.value!;
  const mine = game.mine.value!;
  const amount = useRef<HTMLInputElement>(null);
  /** What is being typed: it stays, whatever the others at the table do meanwhile. */
  const typed = useSignal<string | null>(null);
  const down = sumOf(mine.wagers) > 0;
  const changed = sumOf(game.draft.value) > 0;
  const wagers = changed ? game.draft.value : mine.wagers;
  const chips = chipsOf(view);
  const least = game.offer("PlaceWagers", (one) => sumOf(one.wagers ?? {}) > 0)?.wagers;
  const back = down && game.offer("PlaceWagers", (one) => !sumOf(one.wagers ?? {}));
  const last = game.lastBet.value;
  const total = sumOf(wagers);
  const each = wagers[baseSpots(view)[0]!] ?? 0;

  const add = (name: WagerName, cents = game.chip.value): void => {
    game.draft.value = withChip(view, wagers, name, cents);
  };
  const place = (): void => void (changed && game.place(cleaned(game.draft.value)));
  const repeat = (): void => void (last && game.place(last));
  const clear = (): void => {
    if (changed) game.draft.value = {};
    else if (back) void game.place({});
  };
  function setAmount(): void {
    const cents = Math.round(Number(amount.current?.value.replace("$", "") ?? 0) * 100);
    if (!Number.isFinite(cents) || cents < 0) {
      say(t("bet.unread"), "trouble");
      return;
    }
    typed.value = null;
    game.draft.value = { ...wagers, ...Object.fromEntries(baseSpots(view).map((spot) => [spot, cents])) };
  }
  const side = sideSpots(view);
  useKeys({
    ...Object.fromEntries(chips.map((value, at) => [String(at + 1), () => add("base-$", value)])),
    enter: changed ? place : !down && last ? repeat : undefined,
    a: !down && !!last && repeat,
    backspace: clear,
    b: side.includes("bonus") && (() => add("bonus")),
    c: side.includes("three_card") && (() => add("three_card")),
    v: side.includes("cover_all") && (() => add("cover_all")),
    m: !changed && !down && !!least && (() => (game.draft.value = least)),
  });

  return (
    <div class="betting">
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
          >
            <Chip cents={value} />
            <kbd aria-hidden="true">{at + 1}</kbd>
          </button>
        ))}
      </fieldset>
      <div class="bet-spots" role="group" aria-label={t("bet.spots")}>
        {[...baseSpots(view), ...side].map((name) => (
          <Spot
            key={name}
            name={name}
            cents={wagers[name] ?? 0}
            draft={changed}
            onClick={() => add(name)}
            hint={t("bet.add", { value: money(name === "bonus" ? (view.sign.bonus_cents ?? 0) : game.chip.value), now: money(wagers[name] ?? 0) })}
          />
        ))}
        <label class="bet-amount">
          <span>{t("bet.amount")}</span>
          <input
            ref={amount}
            inputMode="decimal"
            value={typed.value ?? (each ? String(each / 100) : "")}
            onInput={(event) => (typed.value = event.currentTarget.value)}
            onChange={setAmount}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              setAmount();
              if (sumOf(game.draft.value)) void game.place(cleaned(game.draft.value));
            }}
          />
        </label>
      </div>
      <div class="bet-ways">
        {changed ? (
          <Button kind="main" class="big" keyName="Enter" disabled={game.busy.value} onClick={place}>
            {t("bet.place", { amount: money(total) })}
          </Button>
        ) : down ? (
          <p class="bet-down">{t("bet.down", { amount: money(total) })}</p>
        ) : last ? (
          <Button kind="main" class="big" keyName="Enter" disabled={game.busy.value} onClick={repeat}>
            {t("bet.repeat", { amount: money(sumOf(last)) })}
          </Button>
        ) : (
          least && (
            <Button kind="main" class="big" keyName="M" disabled={game.busy.value} onClick={() => (game.draft.value = least)}>
              {t("bet.least", { amount: money(sumOf(least)) })}
            </Button>
          )
        )}
        {(changed || back) && (
          <Button keyName="⌫" disabled={game.busy.value} onClick={clear}>
            {changed ? t("bet.clear") : t("bet.back")}
          </Button>
        )}
        {!down && !changed && !least && <p class="bet-down">{t("bet.poor")}</p>}
      </div>
    </div>
  );
}
