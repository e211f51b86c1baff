// Round picture: a hand of a round as it lay on the felt: the player's three cards, the community cards, what they made.
import type { Http } from "../generated/api";
import { Card } from "../parts/Card";
import { signed, t } from "../texts";
import { readHand } from "../texts/engine";

/** What the five cards were, in words. */
export const handOf = (round: Http.OwnRound): string => (round.reading ? readHand([round.reading]) : t("results.unseen"));

export function Cards({ round, size = "small" }: { round: Http.OwnRound; size?: "small" | "medium" }) {
  const community = round.community ?? [];
  return (
    <span class="round-five">
      <span>
        {(round.cards?.length ? round.cards : [null, null, null]).map((card, at) => (
          <Card key={at} card={card} size={size} />
        ))}
      </span>
      <span>
        {[0, 1].map((at) => (
          <Card key={at} card={community[at] ?? null} size={size} />
        ))}
      </span>
    </span>
  );
}

export function RoundPicture({ round, size = "small" }: { round: Http.OwnRound; size?: "small" | "medium" }) {
  return (
    <span class="round-picture">
      <Cards round={round} size={size} />
      <span class="round-picture-words">
        <span>{handOf(round)}</span>
        <b class={round.result_cents > 0 ? "won" : ""}>{signed(round.result_cents)}</b>
      </span>
    </span>
  );
}
