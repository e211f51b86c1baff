// Hand: a hand to decide on, as it lies on the felt: three cards, and the community cards before them.
import { Card } from "../../parts/Card";
import { cardName, t } from "../../texts";

export function Hand({ cards }: { cards: readonly string[] }) {
  const own = cards.slice(0, 3);
  const first = cards[3];
  return (
    <div class="hand-felt">
      <div class="learn-cards" role="group" aria-label={t("learn.community")}>
        <Card card={first ?? "[red]"} size="medium" />
        <Card card="[red]" size="medium" />
      </div>
      <div class="learn-cards" role="group" aria-label={t("learn.own")}>
        {own.map((card) => (
          <Card key={card} card={card} size="large" />
        ))}
      </div>
    </div>
  );
}

/** A hand as it is spoken. */
export function spokenHand(bet: number, cards: readonly string[]): string {
  const own = cards.slice(0, 3).map(cardName).join(", ");
  const first = cards[3];
  return first ? t("learn.spoken.four", { bet, own, first: cardName(first) }) : t("learn.spoken.three", { bet, own });
}
