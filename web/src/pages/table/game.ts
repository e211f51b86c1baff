// Game: what one person does at one table, as signals: the bets being made, the last result, what was said.
// What may be done is in the view's offers; nothing here knows a rule.
import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Answer, Http, SeatView, View } from "../../generated/api";
import { ask, inBackground } from "../../net/api";
import { type Command, connect, type Connection } from "../../net/table";
import { say } from "../../parts/Toast";
import { clocks } from "../../state/settings";
import { KEPT_BETS, me, refresh } from "../../state/session";
import { hasText, spoken, t, type Text } from "../../texts";
import { watchSeat } from "./gone";
import { narrate, resultOf } from "./narrate";
import { lastSpot } from "./spots";

export type Offer = View["offers"][number];
/** An offer of one type. */
export type OfferOf<T extends Offer["type"]> = Extract<Offer, { type: T }>;
export type Wagers = Record<string, number>;

export interface Result {
  round: number;
  hand: string | null;
  cards: string[];
  community: string[];
  lines: SeatView["results"];
  fee: number;
  /** After the fee. */
  net: number;
}

export interface Said {
  id: number;
  text: string;
}

export interface Game {
  line: Connection;
  view: ReadonlySignal<View | null>;
  seat: ReadonlySignal<number>;
  mine: ReadonlySignal<SeatView | null>;
  /** Bets that are being made and not sent yet. */
  draft: Signal<Wagers>;
  /** The chip in hand. */
  chip: Signal<number>;
  lastBet: Signal<Wagers | null>;
  /** Whether the last bet was made with promotional tokens. */
  lastTokens: Signal<boolean>;
  /** Whether bets are made with promotional tokens. */
  tokens: Signal<boolean>;
  /** Whether a match-play coupon is laid beside the third bet. */
  coupon: Signal<boolean>;
  result: Signal<Result | null>;
  /** What was said last, the latest last. */
  said: Signal<Said[]>;
  busy: Signal<boolean>;
  /** Why one no longer sits; empty where there is nothing to say about that. */
  gone: ReadonlySignal<string>;
  /** Why one sits out without having wanted it. */
  out: ReadonlySignal<string>;
  offer<T extends Offer["type"]>(type: T, fits?: (one: OfferOf<T>) => boolean): OfferOf<T> | undefined;
  act(command: Command): Promise<Answer>;
  place(wagers: Wagers): Promise<boolean>;
  end(): void;
}

const SAID_MAX = 40;
const LOOK_AGAIN_MS = 400;

export const sumOf = (wagers: Wagers): number => Object.values(wagers).reduce((sum, one) => sum + (one ?? 0), 0);
/** The promotional tokens one has, those on the spots counted. */
export const tokensOf = (mine: SeatView): number => mine.tokens_cents + (mine.medium === "tokens" ? sumOf(mine.wagers) : 0);
/** The match-play coupons one has, the one beside the third bet counted. */
export const couponsOf = (mine: SeatView): number => (mine.coupons_cents ?? 0) + (mine.coupon?.fate === "laid" ? mine.coupon.cents : 0);
/** What wagers and the fee come to; a void round gives the fee back. */
export const netOf = (lines: SeatView["results"], fee: number): number =>
  lines.reduce((sum, one) => sum + (one.paid_cents ?? 0) + (one.back_cents ?? 0) - one.stake_cents, -fee);
export const feeOf = (lines: SeatView["results"], fee: number): number => (lines.every((one) => one.fate === "void") ? 0 : fee);

/** Play at a table, or watch it. */
export function play(id: string): Game {
  const line = connect(id);
  const { view, seat } = line;
  const mine = computed(() => (seat.value ? (view.value?.seats[seat.value] ?? null) : null));
  const draft = signal<Wagers>({});
  const chip = signal(500);
  const last = kept(id);
  const lastBet = signal<Wagers | null>(last?.wagers ?? null);
  const lastTokens = signal(last?.tokens ?? false);
  const tokens = signal(lastTokens.peek());
  const coupon = signal(false);
  const result = signal<Result | null>(null);
  const said = signal<Said[]>([]);
  const busy = signal(false);
  const seen = { looked: 0 };
  let before: View | null = null;
  let spoken = 0;
  let board: { round: number; cards: string[] } = { round: 0, cards: [] };
  const tell = (text: string): void => void (said.value = [...said.peek(), { id: ++spoken, text }].slice(-SAID_MAX));
  const seated = watchSeat(line, tell);
  let playing: { round: number; seat: number } | null = null;

  const game: Game = {
    line,
    view,
    seat,
    mine,
    draft,
    chip,
    lastBet,
    lastTokens,
    tokens,
    coupon,
    result,
    said,
    busy,
    gone: seated.gone,
    out: seated.out,
    offer: <T extends Offer["type"]>(type: T, fits: (one: OfferOf<T>) => boolean = () => true) =>
      view.value?.offers.find((one): one is OfferOf<T> => one.type === type && fits(one as OfferOf<T>)),
    async act(command) {
      busy.value = true;
      if (command.type === "Leave") seated.leaves(true);
      try {
        const answer = await line.act(command);
        if (!answer.accepted) say(refusal(answer), "trouble");
        if (!answer.accepted) seated.leaves(false);
        return answer;
      } finally {
        busy.value = false;
      }
    },
    async place(wagers) {
      const medium = tokens.value && mine.value && tokensOf(mine.value) ? "tokens" : "chips";
      const beside = Math.min(mine.value ? couponsOf(mine.value) : 0, wagers[view.value ? lastSpot(view.value) : ""] ?? 0);
      const laid = coupon.value && medium === "chips" && beside ? { coupon_cents: beside } : {};
      const answer = await game.act({ type: "PlaceWagers", seat: seat.value, wagers, medium, ...laid });
      if (answer.accepted && sumOf(wagers)) {
        lastBet.value = wagers;
        lastTokens.value = medium === "tokens";
        keep(id, { wagers, tokens: lastTokens.value });
      }
      if (answer.accepted) coupon.value = false; // one coupon, one bet
      if (answer.accepted) draft.value = {};
      return answer.accepted;
    },
    end() {
      stops.forEach((stop) => stop());
      seated.end();
      line.leave();
    },
  };

  const stops = [
    effect(() => {
      const now = view.value;
      const number = seat.value;
      if (!now) return;
      const told = narrate(before, now, number);
      if (told.length) said.value = [...said.peek(), ...told.map((text) => ({ id: ++spoken, text }))].slice(-SAID_MAX);
      remember(now, number);
      if (before && before.round !== now.round) void inBackground(refresh).catch(() => undefined);
      before = now;
    }),
    effect(() => {
      // To look at one's own cards is no decision: it is done as soon as it may be.
      const look = view.value?.offers.find((one) => one.type === "Look");
      const hidden = mine.value?.cards.some((card) => card.startsWith("["));
      const round = view.value?.round ?? 0;
      if (look && hidden && !mine.value?.looked && seen.looked !== round) {
        seen.looked = round;
        void line.act({ type: "Look", seat: seat.value });
      }
    }),
    effect(() => {
      if (line.line.value === "open") line.send({ type: "clock", on: clocks.value });
    }),
    effect(() => {
      if (line.trouble.value) {
        say(line.trouble.value, "trouble");
        line.trouble.value = "";
      }
    }),
  ];

  /** A view may be overtaken by the next one before it is sent: then what a round came to is looked up. */
  async function lookUp(round: number, number: number, tries = 5): Promise<void> {
    const found = await ask("GET /api/tables/{table_id}/rounds/{number}", { path: { table_id: id, number: round } });
    const own = found.seats.find((one) => one.seat === number);
    if (found.status === "running" && tries) {
      await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
      return lookUp(round, number, tries - 1);
    }
    if (!own || (result.peek()?.round ?? 0) >= round) return;
    const lines = own.wagers.flatMap((one) => (one.fate === "open" ? [] : [{ ...one, fate: one.fate } as Result["lines"][number]]));
    const fee = feeOf(lines, own.fee_cents);
    result.value = { round, hand: own.hand, cards: own.cards, community: boardOf(found, board.round === round ? board.cards : []), lines, fee, net: netOf(lines, fee) };
    tell(resultOf(lines, fee));
  }

  function remember(now: View, number: number): void {
    const own = number ? now.seats[number] : undefined;
    const latest = result.peek();
    const up = now.community.filter((card) => !card.startsWith("["));
    if (up.length) board = { round: now.round, cards: up };
    const inPlay = ["dealing", "choice_1", "choice_2", "settling"].includes(now.phase);
    if (playing && (playing.round !== now.round || !inPlay)) {
      if (latest?.round !== playing.round) void lookUp(playing.round, playing.seat).catch(() => undefined);
      playing = null;
    }
    if (own && inPlay && sumOf(own.wagers)) playing = { round: now.round, seat: number };
    if (own?.results.length) {
      const cards = own.cards.length ? own.cards : latest?.round === now.round ? latest.cards : [];
      const hand = own.hand ?? (latest?.round === now.round ? latest.hand : null);
      const community = board.round === now.round ? board.cards : [];
      const fee = feeOf(own.results, own.fee_cents);
      result.value = { round: now.round, hand, cards, community, lines: own.results, fee, net: netOf(own.results, fee) };
    } else if (latest && (!number || now.phase === "dealing" || (own && sumOf(own.wagers) && now.phase === "betting"))) {
      result.value = null;
    }
  }

  return game;
}

/** The community cards of a round that is over: as its steps showed them, else those that were seen. */
function boardOf(round: Http.RoundSteps, seen: string[]): string[] {
  const shown = round.steps.map((step) => (step.view as unknown as View).community.filter((card) => !card.startsWith("[")));
  return shown.reduce((most, one) => (one.length > most.length ? one : most), seen);
}

/** Why something was refused: in our words where we have them, else in the server's. */
export function refusal(answer: Answer): string {
  const key = `no.${answer.code ?? ""}`;
  return hasText(key) ? t(key as Text) : spoken(answer.sentence ?? "");
}

const nameOf = (id: string): string => `${KEPT_BETS}${id}`;

interface LastBet {
  wagers: Wagers;
  tokens?: boolean;
}

function kept(id: string): LastBet | null {
  try {
    const found = JSON.parse(localStorage.getItem(nameOf(id)) ?? "null") as (Partial<LastBet> & { who?: string }) | null;
    return found?.who === me.peek()?.name && found?.wagers ? { wagers: found.wagers, tokens: found.tokens ?? false } : null;
  } catch {
    return null;
  }
}

function keep(id: string, bet: LastBet): void {
  try {
    localStorage.setItem(nameOf(id), JSON.stringify({ who: me.peek()?.name, ...bet }));
  } catch {
    // then it is remembered until the page is closed
  }
}
