// Pit: a table as those behind it see it: the seats in their arc, the dealer's side before them. It offers nothing.
import type { SeatView, View } from "../../generated/api";
import { Card } from "../../parts/Card";
import { betName, money, signed, t } from "../../texts";
import { lookOf } from "../table/spots";
import { named } from "./parts";
import { phaseOf } from "./Tables";

export function Pit({ view }: { view: View }) {
  const numbers = Object.keys(view.seats).map(Number);
  const asked = view.script?.actor === "player" ? (view.script.step.seat ?? 0) : 0;
  return (
    <section class="pit" aria-label={t("staff.pit")}>
      <ol class="pit-seats">
        {numbers.map((number) => (
          <Seat key={number} view={view} number={number} seat={view.seats[number]!} asked={asked === number} banks={view.bank?.seat === number} />
        ))}
      </ol>
      <div class="pit-dealer">
        <div class="pit-place">
          <p class="pit-title">{t("staff.community")}</p>
          <div class="pit-cards">
            {view.community.length ? (
              view.community.map((card, at) => <Card key={at} card={card} />)
            ) : (
              <>
                <Card card={null} silent />
                <Card card={null} silent />
              </>
            )}
          </div>
        </div>
        <dl class="pit-facts">
          <dt>{t("staff.phase")}</dt>
          <dd>
            {view.bank?.sentence || phaseOf(view.phase)} · {t("staff.round.number", { number: view.round })}
          </dd>
          <dt>{t("staff.deck")}</dt>
          <dd>
            {view.deck.left ? t("staff.deck.left", { left: view.deck.left, colour: named(`staff.colour.${view.deck.colour ?? "red"}`) }) : t("staff.deck.none")}
          </dd>
          <dt>{t("staff.rack")}</dt>
          <dd>{t("staff.cards", { number: view.rack })}</dd>
          {view.spread.length > 0 && (
            <>
              <dt>{t("staff.spread")}</dt>
              <dd>{t("staff.cards", { number: view.spread.length })}</dd>
            </>
          )}
          <dt>{t("staff.limits")}</dt>
          <dd>
            {money(view.sign.limits_cents[0] ?? 0)} – {money(view.sign.limits_cents[1] ?? 0)}
          </dd>
          {view.bank?.seat && (
            <>
              <dt>{t("staff.bank")}</dt>
              <dd>{t("staff.bank.of", { seat: view.bank.seat, cents: money(view.bank.chips_cents) })}</dd>
            </>
          )}
        </dl>
        <Place title={t("staff.packet")} cards={view.packet} />
        <Place title={t("staff.drawn")} cards={view.drawn} />
      </div>
    </section>
  );
}

function Place({ title, cards }: { title: string; cards: string[] }) {
  if (cards.length === 0) return null;
  return (
    <div class="pit-place">
      <p class="pit-title">{title}</p>
      <div class="pit-cards">
        {cards.map((card, at) => (
          <Card key={at} card={card} size="small" />
        ))}
      </div>
    </div>
  );
}

function Seat({ view, number, seat, asked, banks }: { view: View; number: number; seat: SeatView; asked: boolean; banks: boolean }) {
  const name = seat.player ? t("staff.seat.of", { number, player: seat.player }) : t("staff.seat.free", { number });
  const won = new Map(seat.results.map((one) => [one.wager, one]));
  return (
    <li class={`pit-seat ${seat.player ? "" : "is-free"} ${asked ? "is-asked" : ""}`}>
      <div role="group" aria-label={name}>
        <p class="pit-name">
          <b aria-hidden="true">{number}</b> <span>{seat.player ?? t("staff.free")}</span>
        </p>
        {seat.player && (
          <p class="pit-stack">
            {money(seat.stack_cents)}
            {banks && <em> {t("staff.banks")}</em>}
            {seat.sitting_out && <em> {t("staff.out")}</em>}
          </p>
        )}
        <div class="pit-cards">
          {seat.cards.map((card, at) => (
            <Card key={at} card={card} size="small" />
          ))}
        </div>
        {Object.keys(seat.wagers).length > 0 && (
          <ul class="pit-wagers">
            {Object.entries(seat.wagers).map(([wager, cents]) => {
              const result = won.get(wager);
              const look = lookOf(view, wager);
              const choice = look.kind === "circle" ? seat.choices[look.mark] : undefined;
              const net = result ? (result.paid_cents ?? 0) + (result.back_cents ?? 0) - result.stake_cents : 0;
              return (
                <li key={wager}>
                  <span class="pit-spot" aria-label={betName(wager)} title={look.about || undefined}>
                    {look.mark}
                  </span>
                  {choice !== "withdraw" && <span>{result ? signed(net) : cents ? money(cents) : t("staff.collected")}</span>}
                  {choice && <span class="pit-choice">{t(choice === "ride" ? "staff.rides" : "staff.pulled")}</span>}
                </li>
              );
            })}
          </ul>
        )}
        {seat.hand && <p class="pit-hand">{seat.hand}</p>}
      </div>
    </li>
  );
}
