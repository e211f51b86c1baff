// Lookup: what do I do with these cards; they are picked or written, and the server says.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../../generated/api";
import { ask, told } from "../../net/api";
import { Button } from "../../parts/Button";
import { Suit } from "../../parts/Card";
import { cardName, t } from "../../texts";
import { Advice } from "./Advice";
import { bestWords } from "./figures";
import { Hand } from "./Hand";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";
const CARDS_MAX = 4;

export function Lookup({ paytable }: { paytable: string }) {
  const picked = useSignal<string[]>([]);
  const advice = useSignal<Http.LookedUp | null>(null);
  const trouble = useSignal("");
  const cards = picked.value.join(" ");
  const enough = picked.value.length >= 3;

  useEffect(() => {
    advice.value = null;
    trouble.value = "";
    if (!enough) return;
    const stop = new AbortController();
    ask("GET /api/learn/player/{paytable}/lookup", { path: { paytable }, query: { cards }, signal: stop.signal })
      .then((found) => (advice.value = found))
      .catch((error: unknown) => {
        if (!stop.signal.aborted) trouble.value = told(error);
      });
    return () => stop.abort();
  }, [cards, paytable]);

  function pick(card: string): void {
    const has = picked.value.includes(card);
    if (!has && picked.value.length >= CARDS_MAX) return;
    picked.value = has ? picked.value.filter((one) => one !== card) : [...picked.value, card];
  }

  const found = advice.value;
  return (
    <div class="lookup">
      <div>
        <p>{t("learn.lookup.how")}</p>
        <div class="picker" role="group" aria-label={t("learn.lookup.cards")}>
          {[...SUITS].map((suit) => (
            <div key={suit} class="picker-row" role="group" aria-label={t(`card.${suit}` as "card.s")}>
              {[...RANKS].map((rank) => {
                const card = rank + suit;
                const on = picked.value.includes(card);
                return (
                  <button
                    key={card}
                    type="button"
                    class={`pick suit-${suit}`}
                    aria-label={cardName(card)}
                    aria-pressed={on}
                    disabled={!on && picked.value.length >= CARDS_MAX}
                    onClick={() => pick(card)}
                  >
                    <b>{rank === "T" ? "10" : rank}</b>
                    <Suit suit={suit} />
                  </button>
                );
              })}
            </div>
          ))}
        </div>
        <Button kind="quiet" disabled={!picked.value.length} onClick={() => (picked.value = [])}>
          {t("learn.lookup.clear")}
        </Button>
      </div>
      <div class="lookup-told">
        {trouble.value && (
          <p class="form-no" role="alert">
            {trouble.value}
          </p>
        )}
        <p class="verdict" role="status">
          {found
            ? t("learn.lookup.best", { bet: found.bet, best: bestWords(found.best) })
            : t("learn.lookup.more", { more: Math.max(3 - picked.value.length, 0) })}
        </p>
        {found && <Hand cards={found.cards} />}
        {found && <Advice advice={found} mistake={false} />}
      </div>
    </div>
  );
}
