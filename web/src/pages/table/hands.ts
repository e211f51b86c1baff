// Hands: the seats of one player, side by side where there are two, and which of them is played now.
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { View } from "../../generated/api";
import type { Connection } from "../../net/table";

export interface Hands {
  /** Every seat of the viewer; none where they only watch. */
  own: ReadonlySignal<number[]>;
  /** The hand that is asked now, else the one picked, else the first that has no bets yet; 0: none. */
  seat: ReadonlySignal<number>;
  /** The hand that was picked last; 0: none. */
  picked: Signal<number>;
}

/** The seats of the player at a seat, in order. */
export function seatsOf(view: View | null, seat: number): number[] {
  const player = view?.seats[seat]?.player;
  if (!view || !player) return [];
  return view.felt.players_side.filter((number) => view.seats[number]?.player === player);
}

const ASKED = ["Choose", "LookOver", "Correct", "Fold", "RefuseCorrection", "Claim", "TakeBank", "DeclineBank"] as const;

/** The seat that is asked for something, where there is one. */
function askedOf(view: View): number {
  for (const type of ASKED) for (const one of view.offers) if (one.type === type) return one.seat;
  return 0;
}

export function hands(line: Connection): Hands {
  const picked = signal(0);
  const own = computed(() => seatsOf(line.view.value, line.seat.value));
  const seat = computed(() => {
    const view = line.view.value;
    const mine = own.value;
    if (!view || mine.length < 2) return line.seat.value;
    const asked = askedOf(view);
    if (mine.includes(asked)) return asked;
    if (mine.includes(picked.value)) return picked.value;
    const playing = mine.filter((number) => !view.seats[number]!.sitting_out);
    const bare = playing.find((number) => !Object.values(view.seats[number]!.wagers).some((cents) => cents));
    return (view.betting_open ? bare : undefined) ?? playing[0] ?? line.seat.value;
  });
  return { own, seat, picked };
}
