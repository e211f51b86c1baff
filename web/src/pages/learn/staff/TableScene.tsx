// TableScene: a table of a drill as its dealer sees it: seats, chips, cards, what devices show; it judges nothing.
import type { Http } from "../../../generated/api";
import { Card } from "../../../parts/Card";
import { learnBets, money, spoken, t } from "../../../texts";

export function TableScene({ scene, pays }: { scene: Http.Scene; pays: boolean }) {
  learnBets(scene.spots.map((one) => [one.spot, one.title]));
  const heading = t(pays ? "staffdrill.pays" : "staffdrill.told");
  const lines = pays ? scene.told : [...scene.told].reverse();
  const area = scene.community.length > 0 || scene.packet > 0 || scene.drawn.length > 0;
  return (
    <div class="scene">
      {scene.told.length > 0 && (
        <details class="scene-told" open>
          <summary>{heading}</summary>
          <ul class="scene-lines" tabIndex={0} aria-label={heading}>
            {lines.map((line, place) => (
              <li key={`${place} ${line}`}>{spoken(line)}</li>
            ))}
          </ul>
        </details>
      )}
      {scene.seats.length > 0 && (
        <div class="scene-felt">
          {area && (
            <div class="scene-area">
              {scene.community.length > 0 && (
                <Row label={t("staffdrill.community")} cards={scene.community} />
              )}
              {scene.packet_cards.length > 0 && <Row label={t("staffdrill.packet.open")} cards={scene.packet_cards} />}
              {scene.packet > 0 && scene.packet_cards.length === 0 && (
                <p class="scene-packet">{t("staffdrill.packet", { cards: scene.packet })}</p>
              )}
              {scene.drawn.length > 0 && <Row label={t("staffdrill.drawn")} cards={scene.drawn} />}
            </div>
          )}
          <ul class="scene-seats">
            {scene.seats.map((seat) => (
              <Seat key={seat.number} seat={seat} spots={scene.spots} />
            ))}
          </ul>
          <p class="scene-limits">{scene.limits}</p>
          {!pays && <p class="scene-limits">{t("staffdrill.deck", { deck: scene.deck, rack: scene.rack })}</p>}
        </div>
      )}
      {scene.signals.length > 0 && (
        <ul class="scene-signals" aria-label={t("staffdrill.signals")}>
          {scene.signals.map((line) => (
            <li key={line}>{spoken(line)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Row({ label, cards }: { label: string; cards: string[] }) {
  return (
    <div class="scene-row" role="group" aria-label={label}>
      <span class="scene-label">{label}</span>
      <span class="scene-cards">
        {cards.map((card, place) => (
          <Card key={`${place} ${card}`} card={card} size="small" />
        ))}
      </span>
    </div>
  );
}

function Seat({ seat, spots }: { seat: Http.SeatSeen; spots: Http.SpotSeen[] }) {
  const bets = spots.filter(({ spot }) => seat.wagers[spot] || seat.taken[spot]);
  const down = seat.cards.some((card) => card.startsWith("["));
  return (
    <li class={seat.away ? "scene-seat is-away" : "scene-seat"} data-seat={seat.number}>
      <p class="scene-who">
        <b>{t("staffdrill.seat", { seat: seat.number })}</b> {seat.player || t("staffdrill.free")}
      </p>
      <div class="scene-cards" role="group" aria-label={t("staffdrill.cards", { cards: seat.cards.length })}>
        {seat.cards.map((card, place) => (
          <Card key={`${place} ${card}`} card={card} size="small" />
        ))}
      </div>
      <ul class="scene-bets" aria-label={t("staffdrill.bets")}>
        {bets.map(({ spot, label, title }) => (
          <li key={spot} title={title}>
            <span>{label}</span> <b>{seat.taken[spot] ? t("staffdrill.taken", { amount: money(seat.taken[spot]) }) : money(seat.wagers[spot] ?? 0)}</b>
          </li>
        ))}
        {!bets.length && <li>{t(seat.banks ? "staffdrill.banks" : "staffdrill.no_bets")}</li>}
      </ul>
      <p class="scene-notes">
        {[seat.away && t("staffdrill.away"), seat.looked && down && t("staffdrill.looked"), seat.hand].filter(Boolean).join("; ")}
      </p>
    </li>
  );
}
