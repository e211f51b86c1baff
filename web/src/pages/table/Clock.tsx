// Clock: the time that is left of a decision, for those who want to see it.
import { useEffect, useMemo, useState } from "preact/hooks";
import { clocks } from "../../state/settings";
import { t } from "../../texts";
import type { Game } from "./game";

const TICK_MS = 250;

export function Clock({ game }: { game: Game }) {
  const clock = game.line.standing.value?.clock ?? null;
  const mine = clock !== null && (clock.what === "bets" || clock.seat === game.seat.value);
  const [, tick] = useState(0);
  const ends = clock?.ends_ms ?? 0;
  // Reckoned whenever it is drawn, so that a new clock never shows the time of the one before.
  const left = Math.max(0, (ends - Date.now() - game.line.ahead.value) / 1000);
  const whole = useMemo(() => Math.max(left, 1), [ends]);
  useEffect(() => {
    if (!ends) return undefined;
    const timer = setInterval(() => tick((many) => many + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [ends]);
  if (!clock || !clocks.value) return null;
  const seconds = Math.round(left);
  const words = clock.what === "bets" ? t("clock.bets", { seconds }) : mine ? t("clock.mine", { seconds }) : t("clock.seat", { seat: clock.seat ?? 0, seconds });
  const then = clock.what === "bets" ? t("clock.bets.then") : mine ? t(afterwards(game)) : "";
  return (
    <p class={`clock ${mine && seconds <= 5 ? "is-short" : ""}`} role="timer" aria-label={then ? `${words}, ${then}` : words}>
      <svg viewBox="0 0 36 36" aria-hidden="true">
        <circle class="clock-back" cx="18" cy="18" r="15" />
        <circle class="clock-left" cx="18" cy="18" r="15" pathLength="1" stroke-dasharray={`${Math.min(left / whole, 1)} 1`} />
      </svg>
      <span aria-hidden="true">
        {words}
        {then && <small>{then}</small>}
      </span>
    </p>
  );
}

/** What happens when the time runs out: to the bets where a decision is due, by the book; else one counts as away. */
function afterwards(game: Game): "clock.mine.then" | "clock.mine.withdraw" | "clock.mine.ride" | "clock.mine.void" {
  const asked = game.view.value?.offers.some((one) => one.type === "Choose");
  if (!asked) return "clock.mine.then";
  if (game.line.standing.value?.absent === "withdraw") return "clock.mine.withdraw";
  return game.mine.value?.looked ? "clock.mine.ride" : "clock.mine.void";
}
