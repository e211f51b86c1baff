// Shared round: a round that its player shows by a link: hand, decisions and their value, bets, rulings, proofs of the cards.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PageProps } from "..";
import type { Http } from "../../generated/api";
import { ask, Refused, told } from "../../net/api";
import { type CardProof, cardProblems } from "../../net/fair-card";
import { saveJson } from "../../net/files";
import { Button, ButtonLink } from "../../parts/Button";
import { RoundDetails } from "../../results/RoundDetails";
import { Cards, handOf } from "../../results/RoundPicture";
import { cardName, moment, money, signed, t } from "../../texts";
import { proofFaults } from "../../texts/kept";

export default function SharedRound({ params }: PageProps) {
  const token = params.token ?? "";
  const found = useSignal<Http.SharedRound | null>(null);
  const trouble = useSignal("");
  useEffect(() => {
    ask("GET /api/rounds/{token}", { path: { token } }).then(
      (one) => void (found.value = one),
      (error: unknown) => void (trouble.value = error instanceof Refused && [404, 422].includes(error.status) ? t("shared.missing") : told(error)),
    );
  }, [token]);
  const shown = found.value;
  if (!shown)
    return (
      <div class="page-note">
        <h1>{t("shared.title")}</h1>
        <p>{trouble.value || t("app.loading")}</p>
        {trouble.value && (
          <ButtonLink kind="main" href="/">
            {t("app.missing.home")}
          </ButtonLink>
        )}
      </div>
    );
  const { round, player } = shown;
  const hand = handOf(round);
  const base = round.wagers?.[0]?.stake_cents ?? 0;
  return (
    <div class="page shared-round">
      <h1>
        {hand.charAt(0).toUpperCase() + hand.slice(1)}: <b class={round.result_cents > 0 ? "won" : ""}>{signed(round.result_cents)}</b>
      </h1>
      <p>
        {player && <b>{player} · </b>}
        {t("shared.about", { book: round.book_title, bet: money(base), moment: moment(round.ended_ms) })}
      </p>
      <Cards round={round} size="medium" />
      <RoundDetails round={round} />
      <CardsProof token={token} />
      <p class="small">{t("shared.private")}</p>
      <ButtonLink kind="main" href="/">
        {t("shared.play")}
      </ButtonLink>
    </div>
  );
}

/** The proof that the cards lay so in a deck the house had committed to: checked here, in this browser. */
function CardsProof({ token }: { token: string }) {
  const told_ = useSignal("");
  const good = useSignal(false);
  const load = async (): Promise<CardProof[]> => (await ask("GET /api/rounds/{token}/proof", { path: { token } })).cards as unknown as CardProof[];
  async function check(): Promise<void> {
    try {
      const proofs = await load();
      const wrong = (await Promise.all(proofs.map((one) => cardProblems(one)))).flat();
      const roots = new Set(proofs.map((one) => one.commitment.root));
      if (roots.size > 1) wrong.push({ code: "card_decks" });
      good.value = proofs.length > 0 && !wrong.length;
      const cards = proofs.map((one) => t("shared.place", { card: cardName(one.face), place: one.place + 1 }));
      told_.value = !proofs.length ? t("shared.unopened") : wrong.length ? t("proofs.wrong", { what: proofFaults(wrong) }) : t("shared.holds", { cards: cards.join(", ") });
    } catch (error) {
      good.value = false;
      told_.value = told(error);
    }
  }
  return (
    <section aria-labelledby="shared-proof">
      <h2 id="shared-proof">{t("shared.proof")}</h2>
      <p class="small">{t("shared.proof.how")}</p>
      <div class="side-by-side">
        <Button onClick={() => void check()}>{t("proofs.check")}</Button>
        <Button onClick={() => void load().then((found) => found.forEach((one) => saveJson(`proof-of-${one.face}.json`, one)), (error: unknown) => void (told_.value = told(error)))}>{t("proofs.download")}</Button>
      </div>
      {told_.value && (
        <p role="status" class={good.value ? "proof-good" : "form-no"}>
          {good.value ? "✓ " : ""}
          {told_.value}
        </p>
      )}
    </section>
  );
}
