// Table drawers: pays, rules, past rounds, proofs and keys; each is loaded when it is opened first.
import { signal, type Signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { View } from "../../../generated/api";
import { Coach } from "../../../coach/Coach";
import { Drawer } from "../../../parts/Drawer";
import { t, type Text } from "../../../texts";
import { withTexts } from "../../../texts/language";
import { chipsOf } from "../Betting";
import { useFocusBack } from "../focus";
import { RulesDrawer } from "../../../parts/RulesDrawer";
import type { Autopilot } from "../autopilot";
import type { Game } from "../game";
import { handsIn, LimitsSign, PaysSign } from "../Signs";
import { isFixed, sideKeys } from "../spots";
import { paidRows } from "../why";

export type Open = "pays" | "rules" | "rounds" | "results" | "proofs" | "keys" | "chips" | "settings" | "coach" | "more" | null;

interface Inside {
  game: Game;
  auto: Autopilot;
  onClose: () => void;
  onDispute: (round: number) => void;
}

const loads: Partial<Record<NonNullable<Open>, () => Promise<{ default: ComponentType<Inside> }>>> = {
  rounds: () => import("./Rounds"),
  results: () => withTexts(import("../../../results/TableResults")),
  proofs: () => import("./Proofs"),
  settings: () => import("./Settings"),
};
const loaded = signal<Record<string, ComponentType<Inside>>>({});

/** The keys that do something at this table. */
function keysOf(view: View): [string, string][] {
  const keys: [string, Text, boolean?][] = [
    [`1 – ${chipsOf(view).length}`, "keys.chips"],
    ["M", "keys.least"],
    ["Enter", "keys.enter"],
    ["A", "keys.again"],
    ["⌫", "keys.clear"],
    ["Z", "keys.undo"],
    ["K", "keys.bank", !!view.bank],
    ["D", "keys.no-bank", !!view.bank],
    ["W", "keys.coach"],
    ["R", "keys.ride"],
    ["T", "keys.take"],
    ["U", "keys.tuck"],
    ["P", "keys.pays"],
    ["H", "keys.rounds"],
    ["S", "keys.results"],
    ["X", "keys.text"],
    ["Q", "keys.sound"],
    ["G", "keys.settings"],
  ];
  const side = sideKeys(view).map(([key, bet]): [string, string] => [key.toUpperCase(), t(isFixed(bet) ? "keys.fixed" : "keys.side", { bet: bet.title })]);
  return [...keys.filter(([, , has = true]) => has).map(([key, words]): [string, string] => [key, t(words)]), ...side];
}

export function TableDrawers({ game, auto, open }: { game: Game; auto: Autopilot; open: Signal<Open> }) {
  const which = open.value;
  const close = (): void => void (open.value = null);
  const dispute = (round: number): void => {
    game.disputed.value = round;
    open.value = "chips";
  };
  useFocusBack(which !== null && which !== "chips");
  useEffect(() => {
    const load = which && loads[which];
    if (load) void load().then((found) => (loaded.value = { ...loaded.value, [which]: found.default }));
  }, [which]);
  if (!which || which === "chips" || which === "more") return null;
  if (which === "rules") return <RulesDrawer table={game.line.id} name={game.line.name.value} onClose={close} />;
  const view = game.view.value!;
  const Inside = loaded.value[which];
  return (
    <Drawer title={t(`drawer.${which}`)} open onClose={close}>
      {which === "pays" ? (
        <div class="drawer-signs">
          <LimitsSign view={view} />
          <PaysSign view={view} hands={handsIn(view)} lit={paidRows(game.results.value[game.seat.value]?.reasons ?? [])} />
        </div>
      ) : which === "coach" ? (
        <Coach table={game.line} />
      ) : which === "keys" ? (
        <dl class="keys">
          {keysOf(view).map(([key, words]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      ) : Inside ? (
        <Inside game={game} auto={auto} onClose={close} onDispute={dispute} />
      ) : (
        <p>{t("app.loading")}</p>
      )}
    </Drawer>
  );
}
