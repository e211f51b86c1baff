// Seat: one of the seats around the felt: who sits there, cards, wagers, what came of them.
import type { SeatView, View } from "../../generated/api";
import { Card } from "../../parts/Card";
import { say } from "../../parts/Toast";
import { betName, cardName, money, signed, t, type Text } from "../../texts";
import { readHand } from "../../texts/engine";
import { fateOf, feeOf, netOf, sumOf } from "./sums";
import { Spot } from "./Spot";
import { baseSpots, isBase, lastSpot, lookOf, sideSpots } from "./spots";
import { litCards } from "./why";

export interface SeatProps {
  view: View;
  number: number;
  seat: SeatView;
  isMine: boolean;
  /** Whether it is the one of two hands that is played now. */
  isPlayed: boolean;
  isAsked: boolean;
  onSit: (() => void) | undefined;
  onSpot: ((name: string) => void) | undefined;
  draft: SeatView["wagers"];
}

export function Seat({ view, number, seat, isMine, isPlayed, isAsked, onSit, onSpot, draft }: SeatProps) {
  const results = new Map(seat.results.map((one) => [one.wager, one] as const));
  const shown = (name: string) => ({ cents: seat.wagers[name] || draft[name] || 0, draft: !seat.wagers[name] && !!draft[name] });
  const banks = view.bank?.seat === number;
  const lit = litCards(view, seat.reasons ?? []);
  const net = seat.results.length ? netOf(seat.results, feeOf(seat.results, seat.fee_cents)) : null;
  const state = `${isMine ? "is-mine" : ""} ${isPlayed ? "is-played" : ""} ${isAsked ? "is-asked" : ""} ${seat.player ? "" : "is-free"} ${seat.sitting_out ? "is-out" : ""}`;
  const spot = (name: string) => (
    <Spot key={name} name={name} look={lookOf(view, name)} {...shown(name)} result={results.get(name)} lamp={seat.lamps.includes(name)} />
  );
  return (
    <li class={`seat seat-${number} ${state}`} onClick={(event) => clicked(event, view, onSpot)}>
      <span class="spoken">{spokenSeat(view, number, seat, isMine)}</span>
      <div class="seat-felt" aria-hidden="true">
        <div class="seat-side" data-many={sideSpots(view).length > 3 ? "" : undefined}>
          {sideSpots(view).map(spot)}
        </div>
        <div class="seat-base">{baseSpots(view).map(spot)}</div>
        <div class="seat-cards">
          {seat.cards.map((card, at) => (
            <Card key={at} card={card} lit={lit.has(card)} silent />
          ))}
        </div>
      </div>
      <div class="seat-plate" aria-hidden={seat.player || !onSit ? "true" : undefined}>
        {!seat.player && onSit ? (
          <button type="button" class="seat-sit" onClick={onSit} aria-label={t("table.sit.at", { seat: number })}>
            <b>{number}</b> <span>{t("table.sit")}</span>
          </button>
        ) : (
          <>
            <b class="seat-number">{number}</b>
            <span class="seat-name">{seat.player ?? t("table.free")}</span>
            {seat.player && <span class="seat-stack">{money(seat.stack_cents)}</span>}
          </>
        )}
      </div>
      <div class="seat-badges" aria-hidden="true">
        {banks && <span class="badge badge-bank">{t("table.bank")}</span>}
        {seat.sitting_out && seat.player && <span class="badge">{t("table.out")}</span>}
        {seat.reading && !isMine && <span class="badge badge-hand">{readHand([seat.reading])}</span>}
        {seat.coupon && <span class={`badge ${seat.coupon.fate === "won" ? "badge-won" : ""}`}>{couponWords(seat.coupon)}</span>}
        {net !== null && <span class={`badge ${net > 0 ? "badge-won" : "badge-lost"}`}>{signed(net)}</span>}
      </div>
    </li>
  );
}

/** A spot that is pressed takes a chip; where it may not, it says what its mark stands for. */
function clicked(event: MouseEvent, view: View, onSpot: SeatProps["onSpot"]): void {
  const spot = event.target instanceof Element ? event.target.closest<HTMLElement>(".spot") : null;
  const name = spot?.dataset.spot;
  if (!name) return;
  const { about } = lookOf(view, name);
  if (onSpot) onSpot(isBase(name) ? lastSpot(view) : name);
  else if (about) say(about);
}

const couponWords = (coupon: NonNullable<SeatView["coupon"]>): string =>
  t(`coupon.${coupon.fate ?? "laid"}` as Text, { amount: money(coupon.cents) });

/** A seat in one sentence, for those who hear it. */
export function spokenSeat(view: View, number: number, seat: SeatView, isMine: boolean): string {
  if (!seat.player) return t("spoken.free", { seat: number });
  const parts = [t(isMine ? "spoken.mine" : "spoken.seat", { seat: number, name: seat.player, stack: money(seat.stack_cents) })];
  if (seat.tokens_cents) parts.push(t("spoken.tokens", { tokens: money(seat.tokens_cents) }));
  if (seat.coupons_cents) parts.push(t("spoken.coupons", { coupons: money(seat.coupons_cents) }));
  if (seat.coupon) parts.push(couponWords(seat.coupon));
  if (view.bank?.seat === number) parts.push(t("table.bank"));
  if (seat.sitting_out) parts.push(t("table.out"));
  if (sumOf(seat.wagers)) parts.push(t("spoken.bets", { amount: money(sumOf(seat.wagers)) }));
  if (seat.cards.length) parts.push(seat.cards.map(cardName).join(", "));
  if (seat.reading) parts.push(readHand([seat.reading]));
  for (const one of seat.results) parts.push(`${betName(one.wager)} ${fateOf(one)}`);
  return `${parts.join(". ")}.`;
}
