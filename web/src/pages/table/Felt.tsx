// Felt: the table as the house sees it from above: seats in an arc, the dealer's side, what the felt says.
import type { TableSent, View } from "../../generated/api";
import { Card } from "../../parts/Card";
import { t, type Text } from "../../texts";
import type { Wagers } from "./game";
import { phaseOf } from "./narrate";
import { Seat } from "./Seat";
import { litCards } from "./why";

export interface FeltProps {
  view: View;
  standing: TableSent | null;
  /** The hand that is played now, and every hand of the player. */
  seat: number;
  own: number[];
  draft: Wagers;
  onSit?: OnSit | undefined;
  onSpot?: ((name: string, seat: number) => void) | undefined;
}

/** What takes a seat; nothing where that one may not be taken. */
export type OnSit = (seat: number) => (() => void) | undefined;

const PLACES: Record<string, number> = { two_boxes: 2, two_places: 2, three_in_line: 3 };

export function Felt({ view, standing, seat, own, draft, onSit, onSpot }: FeltProps) {
  const many = Math.max(PLACES[view.felt.community] ?? 2, view.community.length);
  const lit = litCards(view, view.seats[seat]?.reasons ?? []);
  const asked = standing?.clock?.what === "choice" ? standing.clock.seat : null;
  return (
    <div class="felt">
      <Cloth />
      <section class="dealer-side" aria-label={t("felt.dealer")}>
        <Device view={view} />
        <div class="tray" aria-hidden="true">
          {Array.from({ length: 9 }, (_, at) => (
            <i key={at} />
          ))}
        </div>
        <div class="rack">
          <span class="rack-cards" aria-hidden="true">
            {view.rack > 0 && <Card card={`[${view.deck.colour ?? "red"}]`} size="small" silent />}
          </span>
          <span class="rack-label">{t("felt.rack", { cards: view.rack })}</span>
        </div>
        <div class={`community community-${many}`} role="group" aria-label={t("felt.community")}>
          {Array.from({ length: many }, (_, at) => (
            <span key={at} class="box">
              <Card card={view.community[at] ?? null} lit={lit.has(view.community[at] ?? "")} />
            </span>
          ))}
        </div>
      </section>
      {view.spread.length > 0 && (
        <div class="spread" role="group" aria-label={t("felt.spread", { cards: view.spread.length })}>
          {view.spread.map((card, at) => (
            <Card key={at} card={card} size="small" silent />
          ))}
        </div>
      )}
      <ol class={`seats seats-${view.felt.players_side.length}`} aria-label={t("felt.seats")}>
        {view.felt.players_side.map((number) => (
          <Seat
            key={number}
            view={view}
            number={number}
            seat={view.seats[number]!}
            isMine={own.includes(number)}
            isPlayed={own.length > 1 && number === seat}
            isAsked={number === asked}
            draft={number === seat ? draft : {}}
            onSit={onSit?.(number)}
            onSpot={onSpot && own.includes(number) ? (name) => onSpot(name, number) : undefined}
          />
        ))}
      </ol>
    </div>
  );
}

function Device({ view }: { view: View }) {
  const { deck, felt } = view;
  return (
    <div class="device">
      <span class="device-name">
        {t(`felt.${felt.device}` as Text)}
        {deck.colour && <i class={`device-deck card-back-${deck.colour}`} aria-hidden="true" />}
      </span>
      <span class="device-display">
        <span>{phaseOf(view)}</span>
        <span>{deck.colour ? t("felt.deck", { colour: t(`felt.${deck.colour}` as Text), left: deck.left }) : t("felt.no-deck")}</span>
        <span>{t("felt.round", { round: view.round })}</span>
      </span>
    </div>
  );
}

/** What is printed on the cloth. */
function Cloth() {
  return (
    <svg class="cloth" viewBox="0 0 1000 600" preserveAspectRatio="none" aria-hidden="true">
      <defs>
        <radialGradient id="felt-light" cx="50%" cy="0%" r="95%">
          <stop offset="0" class="felt-stop-light" />
          <stop offset="1" class="felt-stop-deep" />
        </radialGradient>
        <linearGradient id="rail-wood" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" class="rail-stop-light" />
          <stop offset="1" class="rail-stop-deep" />
        </linearGradient>
        <path id="felt-arc" d="M 250 196 A 250 118 0 0 0 750 196" />
      </defs>
      <path class="cloth-rail" d="M 4 18 Q 4 2 22 2 H 978 Q 996 2 996 18 C 1002 330 800 598 500 598 C 200 598 -2 330 4 18 Z" />
      <path class="cloth-felt" d="M 22 22 Q 22 16 30 16 H 970 Q 978 16 978 22 C 980 318 786 576 500 576 C 214 576 20 318 22 22 Z" />
      <path class="cloth-line" d="M 150 30 C 150 200 300 372 500 372 C 700 372 850 200 850 30" />
      <text class="cloth-title">
        <textPath href="#felt-arc" startOffset="50%" text-anchor="middle">
          {t("lobby.title").toUpperCase()}
        </textPath>
      </text>
    </svg>
  );
}
