// Text table: the whole table in words, for a screen reader or a player who prefers words; plays with the same rail.
import { cardName, money, t, type Text } from "../../texts";
import type { Game } from "./game";
import { phaseOf } from "./narrate";
import type { OnSit } from "./Felt";
import { spokenSeat } from "./Seat";
import { handsIn, LimitsSign, PaysSign } from "./Signs";

export function TextTable({ game, onSit }: { game: Game; onSit: OnSit | undefined }) {
  const view = game.view.value!;
  const seats = Object.entries(view.seats);
  return (
    <div class="text-table">
      <section aria-labelledby="text-now">
        <h2 id="text-now">{t("text.now")}</h2>
        <p>
          {t("felt.round", { round: view.round })}. {phaseOf(view)}.{" "}
          {view.deck.colour && t("felt.deck", { colour: t(`felt.${view.deck.colour}` as Text), left: view.deck.left })}
        </p>
        <p>
          {t("felt.community")}: {view.community.length ? view.community.map(cardName).join(", ") : t("card.place")}.
        </p>
        {view.bank && <p>{view.bank.seat ? t("said.bank", { seat: view.bank.seat, stake: money(view.bank.stake_cents) }) : t(view.bank.sentence ? "said.no-bank" : "text.no-bank")}</p>}
      </section>
      <section aria-labelledby="text-said">
        <h2 id="text-said">{t("text.said")}</h2>
        <ol class="said">
          {game.said.value.slice(-12).toReversed().map((one) => (
            <li key={one.id}>{one.text}</li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="text-seats">
        <h2 id="text-seats">{t("felt.seats")}</h2>
        <ul>
          {seats.map(([number, seat]) => (
            <li key={number}>
              {spokenSeat(view, Number(number), seat, game.own.value.includes(Number(number)))}
              {!seat.player && onSit?.(Number(number)) && (
                <button type="button" class="button" onClick={onSit(Number(number))}>
                  {t("table.sit.at", { seat: number })}
                </button>
              )}
            </li>
          ))}
        </ul>
      </section>
      <details>
        <summary>
          <h2>{t("sign.title")}</h2>
        </summary>
        <LimitsSign view={view} />
        <PaysSign view={view} hands={handsIn(view)} />
      </details>
    </div>
  );
}
