// Card: a playing card as a drawing, with its name for those who hear it; suits differ in shape and in color.
import { cardName, t } from "../texts";

const SUITS: Record<string, string> = {
  s: "M16 2c4 7 12 10 12 17a6 6 0 0 1-10 4.500c.300 3 1.300 5 3 6.500H11c1.700-1.500 2.700-3.500 3-6.500A6 6 0 0 1 4 19C4 12 12 9 16 2z",
  h: "M16 29C9 22 3 17 3 10.500A6.500 6.500 0 0 1 16 8a6.500 6.500 0 0 1 13 2.500C29 17 23 22 16 29z",
  d: "M16 2c3 5.500 6 9.500 10 14-4 4.500-7 8.500-10 14-3-5.500-6-9.500-10-14 4-4.500 7-8.500 10-14z",
  c: "M16 3a6 6 0 0 1 5 9.300A6 6 0 1 1 18 22.500c.300 3 1.300 5 3 6.500H11c1.700-1.500 2.700-3.500 3-6.500a6 6 0 1 1-3-10.200A6 6 0 0 1 16 3z",
};

export function Suit({ suit }: { suit: string }) {
  return (
    <svg class={`suit suit-${suit}`} viewBox="0 0 32 32" aria-hidden="true">
      <path d={SUITS[suit] ?? ""} />
    </svg>
  );
}

export interface CardProps {
  /** A face like 'Th', 'Joker', a back like '[red]', or nothing for an empty place. */
  card: string | null;
  size?: "small" | "medium" | "large";
  /** Whether it is part of a text that names it already. */
  silent?: boolean;
  /** Whether it is one of those that make a hand. */
  lit?: boolean;
}

export function Card({ card, size = "medium", silent = false, lit = false }: CardProps) {
  const name = card ? cardName(card) : t("card.place");
  const spoken = silent ? ({ "aria-hidden": "true" } as const) : ({ role: "img", "aria-label": name } as const);
  if (!card) return <span class={`card card-${size} card-place`} {...spoken} />;
  const up = !card.startsWith("[");
  const [rank = "", suit = ""] = card === "Joker" ? "★" : up ? card : "";
  return (
    <span class={`card card-${size} ${up ? "is-up" : "is-down"} ${lit ? "is-lit" : ""}`} {...spoken} data-card={card}>
      <span class="card-turn" key={up ? "up" : "down"}>
        {up ? (
          <span class={`card-face suit-${suit}`}>
            <span class="card-corner">
              <b>{rank === "T" ? "10" : rank}</b>
              <Suit suit={suit} />
            </span>
            <Suit suit={suit} />
            <span class="card-corner card-corner-end">
              <b>{rank === "T" ? "10" : rank}</b>
              <Suit suit={suit} />
            </span>
          </span>
        ) : (
          <span class={`card-back card-back-${card.slice(1, -1)}`} />
        )}
      </span>
    </span>
  );
}
