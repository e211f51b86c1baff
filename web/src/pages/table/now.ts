// Play now: a player who came by that button is seated at once, and as a guest dealt in at once, with chips of no value.
import { useEffect, useRef } from "preact/hooks";
import { effect, signal } from "@preact/signals";
import type { Command } from "../../net/table";
import type { Http, View } from "../../generated/api";
import { me, playChips, refresh } from "../../state/session";
import { say } from "../../parts/Toast";
import { refusal } from "../../texts/engine";
import type { Game } from "./game";
import { sumOf } from "./sums";
import { buyIn, isPoor } from "./SitDown";
import { freeSeat } from "./TablePage";

const TRIES = 4;

/** Sit down with chips for some rounds; a player without any is given some to play with, where the house gives any.
 *  Return whether another seat may be tried. */
async function sit(game: Game, view: View, person: Http.Me, seat: number): Promise<boolean> {
  const able = isPoor(view, person.wallet_cents) ? await playChips().catch(() => person) : person;
  const command: Command = { type: "Sit", seat, player: "", cents: buyIn(view, able?.wallet_cents ?? 0) };
  const answer = await game.line.act(command);
  if (answer.code === "reminder") game.remind(answer, command);
  else if (answer.accepted) void refresh().catch(() => undefined);
  else if (answer.code !== "seat_taken") say(refusal(answer), "trouble");
  return answer.accepted || answer.code === "seat_taken" || answer.code === "reminder";
}

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
      if (!view || !person || busy.value || game.reminder.value) return; // a player who is reminded decides whether to go on
      if (!game.seat.value) {
        const seat = freeSeat(game);
        if (!seat || tries >= TRIES) return;
        busy.value = true;
        tries++;
        void sit(game, view, person, seat).then((goOn) => (goOn ? (busy.value = false) : stop()));
        return;
      }
      if (person.guest && view.offers.some((one) => one.type === "DeclineBank") && !sumOf(game.mine.value?.wagers ?? {})) {
        busy.value = true;
        void game.line.act({ type: "DeclineBank", seat: game.seat.value }).then(() => (busy.value = false));
        return;
      }
      const least = game.offer("PlaceWagers", (one) => sumOf(one.wagers) > 0 && one.medium !== "tokens")?.wagers;
      if (!person.guest || sumOf(game.mine.value?.wagers ?? {})) {
        stop();
      } else if (view.betting_open && least) {
        stop();
        void game.place(least);
      }
    });
    return () => stop();
  }, [game]);
}
