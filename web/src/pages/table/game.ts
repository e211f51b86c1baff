// Game: what one person does at one table, as signals: the bets being made, the last result, what was said.
// What may be done is in the view's offers; nothing here knows a rule.
import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Answer, Http, Reading, Reason, SeatView, View } from "../../generated/api";
import { ask, inBackground } from "../../net/api";
import { type Command, connect, type Connection } from "../../net/table";
import { say } from "../../parts/Toast";
import { refresh } from "../../state/session";
import { pace } from "../../state/settings";
import { refusal } from "../../texts/engine";
import { type Ahead, betAhead, fate } from "./ahead";
import { watchSeat } from "./gone";
import { hands, seatsOf } from "./hands";
import { keepBet, keptBet } from "./lastbet";
import { narrate, resultOf } from "./narrate";
import { lastSpot } from "./spots";
import { sumOf, tokensOf, couponsOf, netOf, feeOf } from "./sums";

export type Offer = View["offers"][number];
/** An offer of one type. */
export type OfferOf<T extends Offer["type"]> = Extract<Offer, { type: T }>;
export type Wagers = Record<string, number>;

/** What a player is asked in a round, apart from bets. */
export const ASKED: Offer["type"][] = ["Choose", "TakeBank", "DeclineBank", "LookOver", "Correct", "Fold", "RefuseCorrection", "Claim"];

export interface Result {
  round: number;
  hand: readonly Reading[] | null;
  cards: string[];
  community: string[];
  lines: SeatView["results"];
  /** Why they were won or lost, as far as it was seen. */
  reasons: Reason[];
  fee: number;
  /** After the fee. */
  net: number;
}

export interface Reminder {
  minutes: number;
  /** The commands it holds up, in order. */
  held: Command[];
}

export interface Said {
  id: number;
  text: string;
}

export interface Game {
  line: Connection;
  view: ReadonlySignal<View | null>;
  /** The hand that is played now: with two of them, the one that is asked or picked; 0: one only watches. */
  seat: ReadonlySignal<number>;
  /** Every seat one has. */
  own: ReadonlySignal<number[]>;
  mine: ReadonlySignal<SeatView | null>;
  /** Bets that are being made and not sent yet. */
  draft: Signal<Wagers>;
  /** Whether bets that are being made can go back to what they were. */
  canUndo: ReadonlySignal<boolean>;
  /** The chip in hand. */
  chip: Signal<number>;
  lastBet: Signal<Wagers | null>;
  /** Whether the last bet was made with promotional tokens. */
  lastTokens: Signal<boolean>;
  /** Whether bets are made with promotional tokens. */
  tokens: Signal<boolean>;
  /** Whether a match-play coupon is laid beside the third bet. */
  coupon: Signal<boolean>;
  /** A decision made ahead of the player's turn. */
  ahead: Signal<Ahead | null>;
  /** The result of the last round, by seat. */
  results: Signal<Record<number, Result>>;
  /** What was said last, the latest last. */
  said: Signal<Said[]>;
  /** Whether a command waits for its answer; which ones do. */
  busy: ReadonlySignal<boolean>;
  pending: ReadonlySignal<readonly Command[]>;
  /** Whether autoplay is under way: all the rail offers then is to stop it. */
  runs: Signal<boolean>;
  /** Whether what is asked has only just come under the finger: then no pointer presses it. */
  fresh: ReadonlySignal<boolean>;
  /** When the buttons of the rail were ready, in the page's time: an older click was aimed at something else. */
  readySince(): number;
  /** The reminder of how long one has been playing, with what it holds up; null: there is none to confirm. */
  reminder: Signal<Reminder | null>;
  /** The round that the next dispute names; 0: the last one. */
  disputed: Signal<number>;
  /** Why one no longer sits; empty where there is nothing to say about that. */
  gone: ReadonlySignal<string>;
  /** Why one sits out without having wanted it. */
  out: ReadonlySignal<string>;
  /** Show the reminder that an answer is, with the command it holds up. */
  remind(answer: Answer, command: Command): void;
  offer<T extends Offer["type"]>(type: T, fits?: (one: OfferOf<T>) => boolean): OfferOf<T> | undefined;
  act(command: Command, by?: "player" | "program"): Promise<Answer>;
  /** Place bets at the hand that is played now, or at another of the player's own. */
  place(wagers: Wagers, at?: number): Promise<boolean>;
  /** Make bets without sending them; what was before can be had back. */
  stage(wagers: Wagers): void;
  undo(): void;
  /** Play another of the player's hands; bets that are being made are put away. */
  pick(seat: number): void;
  /** What was bet at a seat last, or else at the table. */
  lastAt(seat: number): Wagers | null;
  end(): void;
}

const SAID_MAX = 40;
const UNDO_MAX = 30;
const LOOK_AGAIN_MS = 400;
/** How long a button that takes another's place cannot be pressed: no one aims at what was not there. */
const NEW_MS = 250;

/** Play at a table, or watch it. */
export function play(id: string): Game {
  const line = connect(id);
  const { view } = line;
  const { seat, own, picked } = hands(line);
  const mine = computed(() => (seat.value ? (view.value?.seats[seat.value] ?? null) : null));
  const draft = signal<Wagers>({});
  const chip = signal(500);
  const last = keptBet(id);
  const lastBet = signal<Wagers | null>(last?.wagers ?? null);
  const lastTokens = signal(last?.tokens ?? false);
  const tokens = signal(lastTokens.peek());
  const coupon = signal(false);
  const ahead = signal<Ahead | null>(null);
  const lastBets = new Map<number, Wagers>();
  const results = signal<Record<number, Result>>({});
  const said = signal<Said[]>([]);
  const pending = signal<readonly Command[]>([]);
  const busy = computed(() => pending.value.length > 0);
  const past = signal<readonly Wagers[]>([]);
  const underWay = new Map<string, Promise<Answer>>();
  const reminder = signal<Reminder | null>(null);
  const disputed = signal(0); // the round that a dispute is about to name
  const looked = new Map<number, number>();
  let before: View | null = null;
  let spoken = 0;
  let board: { round: number; cards: string[] } = { round: 0, cards: [] };
  const tell = (text: string): void => void (said.value = [...said.peek(), { id: ++spoken, text }].slice(-SAID_MAX));
  const seated = watchSeat(line, tell);
  const playing = new Map<number, number>();

  // What the table itself is asked for goes with no hand; a further hand is offered whichever is played now.
  const isHere = (one: Offer): boolean => one.type === "Sit" || !("by" in one) || !one.by?.startsWith("seat:") || one.by === `seat:${seat.value}`;

  const runs = signal(false);
  /** What the rail asks for: where it changes, other buttons take the place of those before. */
  const asks = computed(() => {
    if (runs.value) return "autoplay";
    const now = view.value;
    const one = now?.offers.find((offer) => isHere(offer) && ASKED.includes(offer.type));
    if (one) return `${now!.round} ${one.type} ${seat.value} ${one.type === "Choose" ? one.bet : ""}`;
    const next = now && betAhead(now, seat.value);
    if (next) return `${now.round} ahead ${seat.value} ${next}`;
    const bets = mine.value && !mine.value.sitting_out && now?.betting_open;
    return bets ? `${now.round} bets ${seat.value} ${sumOf(mine.value!.wagers) > 0} ${sumOf(draft.value) > 0}` : "";
  });
  const ready = signal("");
  let readySince = 0;
  const fresh = computed(() => ready.value !== asks.value);

  const game: Game = {
    line,
    view,
    seat,
    own,
    mine,
    draft,
    canUndo: computed(() => past.value.length > 0),
    chip,
    lastBet,
    lastTokens,
    tokens,
    coupon,
    ahead,
    results,
    said,
    busy,
    pending,
    runs,
    fresh,
    readySince: () => readySince,
    reminder,
    disputed,
    gone: seated.gone,
    out: seated.out,
    offer: <T extends Offer["type"]>(type: T, fits: (one: OfferOf<T>) => boolean = () => true) =>
      view.value?.offers.find((one): one is OfferOf<T> => one.type === type && isHere(one) && fits(one as OfferOf<T>)),
    act(command, by) {
      // What waits for its answer is not sent a second time, however often it is pressed.
      const key = JSON.stringify(command);
      const known = underWay.get(key);
      if (known) return known;
      const sent = send(command, by).finally(() => underWay.delete(key));
      underWay.set(key, sent);
      return sent;
    },
    async place(wagers, at = seat.value) {
      const there = view.value?.seats[at];
      const medium = tokens.value && there && tokensOf(there) ? "tokens" : "chips";
      const beside = Math.min(there ? couponsOf(there) : 0, wagers[view.value ? lastSpot(view.value) : ""] ?? 0);
      const laid = coupon.value && medium === "chips" && beside ? { coupon_cents: beside } : {};
      const answer = await game.act({ type: "PlaceWagers", seat: at, wagers, medium, ...laid });
      if (answer.accepted && sumOf(wagers)) {
        lastBet.value = wagers;
        lastBets.set(at, wagers);
        picked.value = 0; // the next hand without bets is next
        lastTokens.value = medium === "tokens";
        keepBet(id, { wagers, tokens: lastTokens.value });
      }
      if (answer.accepted) coupon.value = false; // one coupon, one bet
      if (answer.accepted) putAway();
      return answer.accepted;
    },
    remind(answer, command) {
      reminder.value = { minutes: Number(answer.values?.minutes ?? 0), held: [...(reminder.peek()?.held ?? []), command] };
    },
    stage(wagers) {
      past.value = [...past.peek(), draft.peek()].slice(-UNDO_MAX);
      draft.value = wagers;
    },
    undo() {
      const was = past.peek().at(-1);
      if (!was) return;
      past.value = past.peek().slice(0, -1);
      draft.value = was;
    },
    pick(number) {
      if (number !== seat.value) putAway();
      picked.value = number;
    },
    lastAt: (number) => lastBets.get(number) ?? lastBet.value,
    end() {
      stops.forEach((stop) => stop());
      seated.end();
      line.leave();
    },
  };

  /** Bets that were being made are placed, or not wanted any more. */
  function putAway(): void {
    past.value = [];
    draft.value = {};
  }

  async function send(command: Command, by?: "player" | "program"): Promise<Answer> {
    pending.value = [...pending.peek(), command];
    if (command.type === "Leave") seated.leaves(own.value.length < 2);
    try {
      const answer = await line.act(command, by);
      if (answer.code === "reminder") game.remind(answer, command);
      else if (!answer.accepted) say(refusal(answer), "trouble");
      if (!answer.accepted) seated.leaves(false);
      return answer;
    } finally {
      pending.value = pending.peek().filter((one) => one !== command);
    }
  }

  const stops = [
    effect(() => {
      const asked = asks.value;
      let timer: ReturnType<typeof setTimeout> | undefined;
      // From when it is drawn, which on a slow machine is later than when it is known.
      const frame = requestAnimationFrame(() => {
        timer = setTimeout(() => {
          readySince = performance.now();
          ready.value = asked;
        }, NEW_MS);
      });
      return () => {
        cancelAnimationFrame(frame);
        clearTimeout(timer);
      };
    }),
    effect(() => {
      const now = view.value;
      const mineNow = seatsOf(now, line.seat.value);
      if (!now) return;
      const told = narrate(before, now, mineNow);
      if (told.length) said.value = [...said.peek(), ...told.map((text) => ({ id: ++spoken, text }))].slice(-SAID_MAX);
      if (!mineNow.length && Object.keys(results.peek()).length) results.value = {};
      for (const number of new Set([...mineNow, ...playing.keys()])) remember(now, number);
      if (before && before.round !== now.round) void inBackground(refresh).catch(() => undefined);
      before = now;
    }),
    effect(() => {
      // To look at the player's own cards is no decision: it is done as soon as it may be.
      const round = view.value?.round ?? 0;
      for (const look of view.value?.offers ?? []) {
        if (look.type !== "Look") continue;
        const hand = view.value!.seats[look.seat];
        const hidden = hand?.cards.some((card) => card.startsWith("["));
        if (!hidden || hand?.looked || looked.get(look.seat) === round) continue;
        looked.set(look.seat, round);
        void line.act({ type: "Look", seat: look.seat });
      }
    }),
    effect(() => {
      const held = ahead.value;
      const what = held && view.value ? fate(view.value, held) : "keep";
      if (what === "keep") return;
      ahead.value = null;
      if (what === "send") void game.act({ type: "Choose", seat: held!.seat, bet: held!.bet, choice: held!.choice });
    }),
    effect(() => {
      // Where others wait the server lets the clock run all the same; alone, no one is hurried.
      if (line.line.value === "open") line.send({ type: "clock", on: false });
    }),
    effect(() => {
      if (line.line.value === "open") line.send({ type: "pace", pace: pace.value });
    }),
    effect(() => {
      if (line.trouble.value) {
        say(line.trouble.value, "trouble");
        line.trouble.value = "";
      }
    }),
  ];

  /** A view may be overtaken by the next one before it is sent: then the result of a round is looked up. */
  async function lookUp(round: number, number: number, tries = 5): Promise<void> {
    const found = await ask("GET /api/tables/{table_id}/rounds/{number}", { path: { table_id: id, number: round } });
    const own = found.seats.find((one) => one.seat === number);
    if (found.status === "running" && tries) {
      await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
      return lookUp(round, number, tries - 1);
    }
    if (!own || (results.peek()[number]?.round ?? 0) >= round) return;
    const lines = own.wagers.flatMap((one) => (one.fate === "open" ? [] : [{ ...one, fate: one.fate } as Result["lines"][number]]));
    const fee = feeOf(lines, own.fee_cents);
    const community = boardOf(found, board.round === round ? board.cards : []);
    const hand = own.hand === null ? null : (own.readings ?? []);
    came(number, { round, hand, cards: own.cards, community, lines, reasons: reasonsIn(found, number), fee, net: netOf(lines, fee) });
    tell(resultOf(lines, fee));
  }

  function came(number: number, result: Result): void {
    results.value = { ...results.peek(), [number]: result };
  }

  function remember(now: View, number: number): void {
    const mineNow = seatsOf(now, line.seat.peek()).includes(number);
    const own = mineNow ? now.seats[number] : undefined;
    const latest = results.peek()[number];
    const up = now.community.filter((card) => !card.startsWith("["));
    if (up.length) board = { round: now.round, cards: up };
    const inPlay = ["dealing", "choice_1", "choice_2", "settling"].includes(now.phase);
    const round = playing.get(number);
    if (round !== undefined && (round !== now.round || !inPlay)) {
      if (latest?.round !== round) void lookUp(round, number).catch(() => undefined);
      playing.delete(number);
    }
    if (own && inPlay && sumOf(own.wagers)) playing.set(number, now.round);
    if (own?.results.length) {
      const cards = own.cards.length ? own.cards : latest?.round === now.round ? latest.cards : [];
      const hand = own.reading ? [own.reading] : (latest?.round === now.round ? latest.hand : null);
      const community = board.round === now.round ? board.cards : [];
      const fee = feeOf(own.results, own.fee_cents);
      const reasons = own.reasons ?? (latest?.round === now.round ? latest.reasons : []);
      came(number, { round: now.round, hand, cards, community, lines: own.results, reasons, fee, net: netOf(own.results, fee) });
    } else if (latest && (!own || now.phase === "dealing" || (sumOf(own.wagers) && now.phase === "betting"))) {
      results.value = Object.fromEntries(Object.entries(results.peek()).filter(([seat]) => Number(seat) !== number));
    }
  }

  return game;
}

/** The community cards of a round that is over: as its steps showed them, else those that were seen. */
function boardOf(round: Http.RoundSteps, seen: string[]): string[] {
  const shown = round.steps.map((step) => (step.view as unknown as View).community.filter((card) => !card.startsWith("[")));
  return shown.reduce((most, one) => (one.length > most.length ? one : most), seen);
}

/** Why a seat's wagers were won or lost, as the steps of a round that is over showed it. */
function reasonsIn(round: Http.RoundSteps, number: number): Reason[] {
  const told = round.steps.map((step) => (step.view as unknown as View).seats[number]?.reasons ?? []);
  return told.reduce((most, one) => (one.length >= most.length ? one : most), []);
}
