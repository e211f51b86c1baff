// Play now: whoever came by that button is seated at once, and as a guest dealt in at once, with chips of no value.
import { useEffect, useRef } from "preact/hooks";
import { effect, signal } from "@preact/signals";
import { me, refresh } from "../../state/session";
import { money, t } from "../../texts";
import { say } from "../../parts/Toast";
import { type Game, sumOf } from "./game";
import { buyIn } from "./SitDown";
import { freeSeat } from "./TablePage";

const TRIES = 4;

export function usePlayNow(game: Game): void {
  const asked = useRef(new URLSearchParams(location.search).has("now"));
  useEffect(() => {
    if (!asked.current) return undefined;
    history.replaceState(null, "", location.pathname);
    let tries = 0;
    const busy = signal(false);
    let stop = (): void => undefined;
    stop = effect(() => {
      const view = game.view.value;
      const person = me.value;
      if (!view || !person || busy.value) return;
      if (!game.seat.value) {
        const seat = freeSeat(game);
        if (!seat || tries >= TRIES) return;
        busy.value = true;
        tries++;
        void game.line.act({ type: "Sit", seat, player: "", cents: buyIn(view, person.wallet_cents) }).then(() => {
          busy.value = false;
          void refresh().catch(() => undefined);
        });
        return;
      }
      if (person.guest && view.offers.some((one) => one.type === "DeclineBank") && !sumOf(game.mine.value?.wagers ?? {})) {
        busy.value = true;
        void game.line.act({ type: "DeclineBank", seat: game.seat.value }).then(() => (busy.value = false));
        return;
      }
      const least = view.offers.find((one) => one.type === "PlaceWagers" && sumOf(one.wagers ?? {}) > 0)?.wagers;
      if (!person.guest || sumOf(game.mine.value?.wagers ?? {})) {
        stop();
      } else if (view.betting_open && least) {
        stop();
        void game.place(least).then((placed) => placed && say(t("now.bet", { amount: money(sumOf(least)) })));
      }
    });
    return () => stop();
  }, [game]);
}
