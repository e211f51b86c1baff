// Seat: one of the seats around the felt: who sits there, cards, wagers, what came of them.
import type { SeatView, View } from "../../generated/api";
import { Card } from "../../parts/Card";
import { cardName, money, signed, t, type Text } from "../../texts";
import { baseSpots, feeOf, netOf, sumOf, type WagerName } from "./game";
import { Spot } from "./Spot";

export interface SeatProps {
  view: View;
  number: number;
  seat: SeatView;
  isMine: boolean;
  isAsked: boolean;
  onSit: ((seat: number) => void) | undefined;
  onSpot: ((name: WagerName) => void) | undefined;
  draft: SeatView["wagers"];
}

/** The side bets a table has a spot for. */
export function sideSpots(view: View): WagerName[] {
  const { sign } = view;
  return [
    ...(sign.bonus_cents !== null ? (["bonus"] as const) : []),
    ...(sign.three_card_cents ? (["three_card"] as const) : []),
    ...(sign.cover_all_cents ? (["cover_all"] as const) : []),
  ];
}

export function Seat({ view, number, seat, isMine, isAsked, onSit, onSpot, draft }: SeatProps) {
  const results = new Map(seat.results.map((one) => [one.wager, one] as const));
  const shown = (name: WagerName) => ({ cents: seat.wagers[name] || draft[name] || 0, draft: !seat.wagers[name] && !!draft[name] });
  const banks = view.bank?.seat === number;
  const net = seat.results.length ? netOf(seat.results, feeOf(seat.results, seat.fee_cents)) : null;
  const state = `${isMine ? "is-mine" : ""} ${isAsked ? "is-asked" : ""} ${seat.player ? "" : "is-free"} ${seat.sitting_out ? "is-out" : ""}`;
  const spot = (name: WagerName) => (
    <Spot key={name} name={name} {...shown(name)} result={results.get(name)} lamp={name === "bonus" && seat.bonus_lamp} />
  );
  return (
    <li class={`seat seat-${number} ${state}`} onClick={onSpot && ((event) => clicked(event, onSpot))}>
      <span class="spoken">{spokenSeat(view, number, seat, isMine)}</span>
      <div class="seat-felt" aria-hidden="true">
        <div class="seat-side">{sideSpots(view).map(spot)}</div>
        <div class="seat-base">{baseSpots(view).map(spot)}</div>
        <div class="seat-cards">
          {seat.cards.map((card, at) => (
            <Card key={at} card={card} silent />
          ))}
        </div>
      </div>
      <div class="seat-plate" aria-hidden={seat.player || !onSit ? "true" : undefined}>
        {!seat.player && onSit ? (
          <button type="button" class="seat-sit" onClick={() => onSit(number)} aria-label={t("table.sit.at", { seat: number })}>
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
        {seat.hand && !isMine && <span class="badge badge-hand">{seat.hand}</span>}
        {net !== null && <span class={`badge ${net > 0 ? "badge-won" : "badge-lost"}`}>{signed(net)}</span>}
      </div>
    </li>
  );
}

function clicked(event: MouseEvent, onSpot: (name: WagerName) => void): void {
  const spot = event.target instanceof Element ? event.target.closest(".spot") : null;
  const kind = ["bonus", "three_card", "cover_all"].find((one) => spot?.classList.contains(`spot-${one}`));
  if (spot) onSpot((kind ?? "base-$") as WagerName);
}

/** A seat in one sentence, for those who hear it. */
export function spokenSeat(view: View, number: number, seat: SeatView, isMine: boolean): string {
  if (!seat.player) return t("spoken.free", { seat: number });
  const parts = [t(isMine ? "spoken.mine" : "spoken.seat", { seat: number, name: seat.player, stack: money(seat.stack_cents) })];
  if (seat.tokens_cents) parts.push(t("spoken.tokens", { tokens: money(seat.tokens_cents) }));
  if (view.bank?.seat === number) parts.push(t("table.bank"));
  if (seat.sitting_out) parts.push(t("table.out"));
  if (sumOf(seat.wagers)) parts.push(t("spoken.bets", { amount: money(sumOf(seat.wagers)) }));
  if (seat.cards.length) parts.push(seat.cards.map(cardName).join(", "));
  if (seat.hand) parts.push(seat.hand);
  for (const one of seat.results) parts.push(`${t(`wager.${one.wager}` as Text)} ${t(`fate.${one.fate}` as Text)}`);
  return `${parts.join(". ")}.`;
}
