// Outcome: the result of a round: the hand, the total, and each wager with its reason; a royal flush is an event.
import { useEffect, useRef } from "preact/hooks";
import { BASE } from "../../generated/wagers";
import { Card } from "../../parts/Card";
import { betName, money, signed, t } from "../../texts";
import { handName } from "../../texts/hands";
import type { Game, Result } from "./game";
import { useKeys } from "./keys";
import { greatness, paidRows, whyOf } from "./why";

export function Outcome({ game, result }: { game: Game; result: Result }) {
  const view = game.view.value!;
  return (
    <>
      <p class={`hand-net ${result.net > 0 ? "won" : result.net < 0 ? "lost" : ""}`} data-win={result.net > 0 ? greatness(view, result.reasons) : 0}>
        {signed(result.net)}
      </p>
      <ul class="hand-lines" aria-label={t("why.lines")}>
        {result.lines.map((one) => (
          <li key={one.wager} class={`line-${one.fate}`}>
            <span>{betName(one.wager)}</span>
            <span>{whyOf(one, result.reasons, result.hand, view)}</span>
          </li>
        ))}
        {result.fee > 0 && (
          <li>
            <span>{t("rail.fee")}</span>
            <span>{t("why.fee", { amount: money(result.fee) })}</span>
          </li>
        )}
      </ul>
    </>
  );
}

const BEST = 9;

/** The best hand of the paytable, told over the whole felt; it goes with the next bets, or when it is pressed. */
export function Celebration({ game }: { game: Game }) {
  const view = game.view.value!;
  const result = game.results.value[game.seat.value];
  const box = useRef<HTMLButtonElement>(null);
  const great = result && result.net > 0 && greatness(view, result.reasons) === BEST;
  const key = great ? `${result.round}` : "";
  useEffect(() => {
    if (key) box.current?.removeAttribute("hidden");
  }, [key]);
  const hide = (): void => box.current?.setAttribute("hidden", "");
  useKeys({ escape: great && hide });
  if (!great) return null;
  return (
    <button key={key} ref={box} type="button" class="celebration" onClick={hide}>
      <b>{handName(paidRows(result.reasons)[BASE] ?? "")}</b>
      <span>{signed(result.net)}</span>
      <span class="celebration-cards">
        {[...result.cards, ...result.community].map((card) => (
          <Card key={card} card={card} silent />
        ))}
      </span>
      {Array.from({ length: 24 }, (_, at) => (
        <i key={at} aria-hidden="true" style={{ "--at": String(at) }} />
      ))}
    </button>
  );
}
