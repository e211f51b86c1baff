// Ways: the bar of buttons to what can be known about a table; each opens a drawer, or tells the table in words.
import type { Signal } from "@preact/signals";
import { Coach } from "../../coach/Coach";
import { Button } from "../../parts/Button";
import { textView } from "../../state/settings";
import { t } from "../../texts";
import { AddBot } from "./Bots";
import type { Open } from "./drawers/TableDrawers";
import type { Game } from "./game";

export function Ways({ game, open }: { game: Game; open: Signal<Open> }) {
  return (
    <nav class="table-bar-ways" aria-label={t("table.ways")}>
      <Button kind="quiet" keyName="P" onClick={() => (open.value = "pays")}>
        {t("table.pays")}
      </Button>
      <Button kind="quiet" onClick={() => (open.value = "rules")}>
        {t("table.rules")}
      </Button>
      <Button kind="quiet" keyName="H" onClick={() => (open.value = "rounds")}>
        {t("table.rounds")}
      </Button>
      <Button kind="quiet" keyName="S" onClick={() => (open.value = "results")}>
        {t("results.button")}
      </Button>
      <Button kind="quiet" onClick={() => (open.value = "proofs")}>
        {t("table.proofs")}
      </Button>
      <AddBot game={game} />
      <Coach table={game.line} />
      <Button kind="quiet" keyName="X" aria-pressed={textView.value} onClick={() => (textView.value = !textView.value)}>
        {t("table.text")}
      </Button>
      {game.seat.value > 0 && (
        <Button kind="quiet" keyName="G" onClick={() => (open.value = "settings")}>
          {t("table.settings")}
        </Button>
      )}
      <Button kind="quiet" keyName="?" onClick={() => (open.value = "keys")}>
        {t("table.keys")}
      </Button>
    </nav>
  );
}
