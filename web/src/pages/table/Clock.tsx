// Clock: the time that is left of a decision, for those who want to see it.
import { useEffect, useMemo, useState } from "preact/hooks";
import { sound } from "../../sound/synth";
import { me } from "../../state/session";
import { clocks } from "../../state/settings";
import { t } from "../../texts";
import type { Game } from "./game";

const TICK_MS = 250;

/** What happens to the player's bets when the time is over: as the table's rules have it. */
function lateWords(game: Game): string {
  if (!game.offer("Choose")) return t("clock.mine.then");
  const { absent, absent_open: open, coach } = game.view.value!;
  const own = open ? me.value?.when_absent : "";
  if (own) return t(own === "coach" && coach ? "clock.late.coach" : "clock.late.withdraw");
  return t(absent === "withdraw" ? "clock.late.withdraw" : game.mine.value?.looked ? "clock.late.ride" : "clock.late.void");
}

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
  const seconds = Math.round(left);
  const short = mine && !!clock && seconds <= 5 && seconds > 0;
  useEffect(() => {
    if (short) sound("tick");
  }, [short && seconds]);
  if (!clock || !clocks.value) return null;
  const words = clock.what === "bets" ? t("clock.bets", { seconds }) : mine ? t("clock.mine", { seconds }) : t("clock.seat", { seat: clock.seat ?? 0, seconds });
  const then = clock.what === "bets" ? t("clock.bets.then") : mine ? lateWords(game) : "";
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
