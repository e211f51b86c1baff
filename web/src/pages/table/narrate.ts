// Narrate: what happened between two views, in sentences for those who hear the table; says nothing a view does not show.
import type { SeatView, View } from "../../generated/api";
import { capital } from "../../net/api";
import { betName, cardName, money, signed, t, type Text } from "../../texts";
import { readHand, ruled } from "../../texts/engine";
import { fateOf, feeOf, netOf, sumOf } from "./sums";

const isUp = (card: string): boolean => !card.startsWith("[");
const all = (cards: string[]): string => cards.map(cardName).join(", ");

/** Sentences about what is new in a view, for a player with these seats (none: who only watches). */
export function narrate(before: View | null, now: View, own: number[]): string[] {
  const told: string[] = [];
  if (!before) return [t("said.arrive", { phase: phaseOf(now) })];
  if (now.betting_open && !before.betting_open) told.push(t("said.bets"));
  if (!now.betting_open && before.betting_open) told.push(t("said.no-bets"));
  told.push(...ofSeats(before, now, own));
  now.community.forEach((card, at) => {
    if (isUp(card) && card !== before.community[at]) told.push(t("said.community", { number: at + 1, card: cardName(card) }));
  });
  for (const seat of own) {
    const lines = ofMine(before.seats[seat], now.seats[seat], now, seat, before.betting_open);
    told.push(...(own.length > 1 ? lines.map((text) => t("said.of-hand", { seat, text })) : lines));
  }
  if (before.bank?.seat && own.includes(before.bank.seat) && now.bank?.seat !== before.bank.seat) {
    told.push(t("said.bank.over", { net: signed(before.bank.chips_cents - before.bank.stake_cents - (before.sign.fee?.bank_cents ?? 0)) }));
  }
  if (now.bank?.seat && now.bank.seat !== before.bank?.seat) {
    told.push(t("said.bank", { seat: now.bank.seat, stake: money(now.bank.stake_cents) }));
  }
  if (now.bank?.sentence && !before.bank?.sentence) told.push(t("said.no-bank"));
  for (const ruling of now.rulings.slice(before.rulings.length)) told.push(ruled(ruling));
  return told;
}

function ofSeats(before: View, now: View, own: number[]): string[] {
  return Object.entries(now.seats).flatMap(([number, one]) => {
    const was = before.seats[number];
    const told: string[] = [];
    if (!was || own.includes(Number(number))) return told;
    if (one.player && !was.player) told.push(t("said.sits", { name: one.player, seat: number }));
    if (!one.player && was.player) told.push(t("said.leaves", { name: was.player, seat: number }));
    for (const [bet, choice] of Object.entries(one.choices)) {
      if (!was.choices[bet]) told.push(t(choice === "ride" ? "said.other.ride" : "said.other.withdraw", { seat: number, bet }));
    }
    if (one.reading && !was.reading) told.push(t("said.other.hand", { seat: number, hand: readHand([one.reading]) }));
    return told;
  });
}

function ofMine(was: SeatView | undefined, now: SeatView | undefined, view: View, seat: number, wasOpen: boolean): string[] {
  if (!now) return [];
  const told: string[] = [];
  if (!was?.player && now.player) told.push(t("said.seated", { stack: money(now.stack_cents) }));
  const up = now.cards.filter(isUp);
  if (up.length === now.cards.length && up.length && was?.cards.join() !== now.cards.join()) told.push(t("said.cards", { cards: all(up) }));
  const asks = view.offers.find((one) => one.type === "Choose" && one.seat === seat);
  if (asks?.type === "Choose" && !was?.choices[asks.bet ?? 0] && view.phase.startsWith("choice")) {
    const key = `${view.round}/${asks.bet}/${seat}`;
    if (key !== lastAsked) told.push(t("said.choose", { bet: asks.bet ?? 0 }));
    lastAsked = key;
  }
  const [bets, betsBefore] = [sumOf(now.wagers), sumOf(was?.wagers ?? {})];
  if (bets && !betsBefore) told.push(t("said.bet", { amount: money(bets) }));
  else if (bets !== betsBefore && view.betting_open && wasOpen) {
    told.push(bets ? t("said.bet.now", { amount: money(bets) }) : t("said.bet.back"));
  }
  if (now.reading && now.hand !== was?.hand) told.push(t("said.hand", { hand: readHand([now.reading]) }));
  if (now.results.length && !was?.results.length) told.push(resultOf(now.results, feeOf(now.results, now.fee_cents)));
  return told;
}

let lastAsked = "";

/** The result of wagers, in one sentence. */
export function resultOf(results: SeatView["results"], fee: number): string {
  const lines = results.map((one) => {
    const name = betName(one.wager);
    return one.fate === "won"
      ? t("said.won", { wager: name, amount: money(one.paid_cents ?? 0) })
      : t("said.fate", { wager: name, fate: fateOf(one) });
  });
  if (fee) lines.push(t("said.fee", { amount: money(fee) }));
  return capital(t("said.result", { lines: lines.join("; "), net: signed(netOf(results, fee)) }));
}

/** What the table does now. */
export function phaseOf(view: View): string {
  return t(view.bank?.sentence ? "phase.no-bank" : (`phase.${view.phase}` as Text));
}
