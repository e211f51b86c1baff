// Ways: the bar of buttons to what can be known about a table; those that find no room in it are in a list behind the last one.
import type { Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Button } from "../../parts/Button";
import { Drawer } from "../../parts/Drawer";
import { textView } from "../../state/settings";
import { t } from "../../texts";
import { addBot, mayAddBot } from "./Bots";
import type { Open } from "./drawers/TableDrawers";
import { useFit } from "./fit";
import type { Game } from "./game";

interface Way {
  words: string;
  keyName?: string;
  pressed?: boolean;
  go: () => void;
}

/** What leads on from a table, the most wanted first. */
function waysOf(game: Game, open: Signal<Open>): Way[] {
  const show = (which: Open) => (): void => void (open.value = which);
  return [
    { words: t("table.pays"), keyName: "P", go: show("pays") },
    { words: t("table.rules"), go: show("rules") },
    { words: t("table.rounds"), keyName: "H", go: show("rounds") },
    { words: t("results.button"), keyName: "S", go: show("results") },
    { words: t("drawer.coach"), keyName: "W", go: show("coach") },
    ...(game.seat.value ? [{ words: t("table.settings"), keyName: "G", go: show("settings") }] : []),
    ...(mayAddBot(game) ? [{ words: t("bots.add"), go: () => void addBot(game) }] : []),
    { words: t("table.proofs"), go: show("proofs") },
    { words: t("table.text"), keyName: "X", pressed: textView.value, go: () => void (textView.value = !textView.value) },
    { words: t("table.keys"), keyName: "?", go: show("keys") },
  ];
}

export function Ways({ game, open }: { game: Game; open: Signal<Open> }) {
  const row = useRef<HTMLElement>(null);
  const ways = waysOf(game, open);
  const fits = useFit(row, ways.map((one) => one.words).join());
  function pick(way: Way): void {
    open.value = null;
    way.go();
  }
  return (
    <>
      <nav class="table-bar-ways" aria-label={t("table.ways")} ref={row}>
        {ways.map((one, at) => (
          <Button key={one.words} kind="quiet" keyName={one.keyName} hidden={at >= fits} aria-pressed={one.pressed} onClick={one.go}>
            {one.words}
          </Button>
        ))}
        <Button kind="quiet" hidden={fits >= ways.length} aria-haspopup="dialog" onClick={() => (open.value = "more")}>
          {t("table.more")}
        </Button>
      </nav>
      <Drawer title={t("table.ways")} place="middle" open={open.value === "more"} onClose={() => (open.value = null)}>
        <div class="ways-more">
          {ways.slice(fits).map((one) => (
            <Button key={one.words} keyName={one.keyName} aria-pressed={one.pressed} onClick={() => pick(one)}>
              {one.words}
            </Button>
          ))}
        </div>
      </Drawer>
    </>
  );
}
