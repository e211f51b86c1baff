// How to: what the game is, in five steps; true at every table, so it names no pay of any one.
import { tellsHow } from "../state/settings";
import { t } from "../texts";
import { Card } from "./Card";

const HAND = ["Th", "7d", "4c"];
const MIDDLE = ["Ts", "2h"];

/** How the game is played; a player who knows it folds it away, and the page remembers that. */
export function HowTo() {
  return (
    <details class="how" open={tellsHow.value}>
      <summary onClick={fold}>
        <h2>{t("how.title")}</h2>
      </summary>
      <ol class="how-steps">
        <li>
          <Spots left={[true, true, true]} />
          <h3>{t("how.bet")}</h3>
          <p>{t("how.bet.text")}</p>
        </li>
        <li>
          <Cards cards={HAND} />
          <h3>{t("how.three")}</h3>
          <p>{t("how.three.text")}</p>
        </li>
        <li>
          <Cards cards={[MIDDLE[0]!, "[blue]"]} />
          <h3>{t("how.four")}</h3>
          <p>{t("how.four.text")}</p>
        </li>
        <li>
          <Cards cards={MIDDLE} />
          <h3>{t("how.five")}</h3>
          <p>{t("how.five.text")}</p>
        </li>
        <li>
          <Spots left={[false, true, true]} paid />
          <h3>{t("how.paid")}</h3>
          <p>{t("how.paid.text")}</p>
        </li>
      </ol>
      <p class="small">
        {t("how.side")} {t("how.pays")}
      </p>
    </details>
  );
}

/** Fold or unfold at once: a `toggle` event comes later, and a player who leaves the page by then would not be remembered. */
function fold(event: Event) {
  event.preventDefault();
  tellsHow.value = !tellsHow.value;
}

function Cards({ cards }: { cards: string[] }) {
  return (
    <div class="how-shown" aria-hidden="true">
      {cards.map((card) => (
        <Card key={card} card={card} size="small" silent />
      ))}
    </div>
  );
}

function Spots({ left, paid = false }: { left: boolean[]; paid?: boolean }) {
  return (
    <div class="how-shown" aria-hidden="true">
      {["1", "2", "$"].map((name, at) => (
        <span key={name} class={left[at] ? (paid ? "how-spot is-paid" : "how-spot is-bet") : "how-spot"}>
          {name}
        </span>
      ))}
    </div>
  );
}
