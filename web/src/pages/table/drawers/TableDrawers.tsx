// Table drawers: pays, rules, past rounds, proofs and keys; each is loaded when it is opened first.
import { signal, type Signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { View } from "../../../generated/api";
import { Drawer } from "../../../parts/Drawer";
import { t, type Text } from "../../../texts";
import { chipsOf } from "../Betting";
import { useFocusBack } from "../focus";
import { RulesDrawer } from "../../../parts/RulesDrawer";
import type { Game } from "../game";
import { LimitsSign, PaysSign } from "../Signs";
import { isFixed, sideKeys } from "../spots";

export type Open = "pays" | "rules" | "rounds" | "proofs" | "keys" | "chips" | null;

const loads = {
  rounds: () => import("./Rounds"),
  proofs: () => import("./Proofs"),
};
const loaded = signal<Record<string, ComponentType<{ game: Game }>>>({});

/** The keys that do something at this table. */
function keysOf(view: View): [string, string][] {
  const keys: [string, Text, boolean?][] = [
    [`1 – ${chipsOf(view).length}`, "keys.chips"],
    ["M", "keys.least"],
    ["Enter", "keys.enter"],
    ["A", "keys.again"],
    ["⌫", "keys.clear"],
    ["K", "keys.bank", !!view.bank],
    ["D", "keys.no-bank", !!view.bank],
    ["W", "keys.coach"],
    ["R", "keys.ride"],
    ["T", "keys.take"],
    ["U", "keys.tuck"],
    ["P", "keys.pays"],
    ["H", "keys.rounds"],
    ["X", "keys.text"],
  ];
  const side = sideKeys(view).map(([key, bet]): [string, string] => [key.toUpperCase(), t(isFixed(bet) ? "keys.fixed" : "keys.side", { bet: bet.title })]);
  return [...keys.filter(([, , has = true]) => has).map(([key, words]): [string, string] => [key, t(words)]), ...side];
}

export function TableDrawers({ game, open }: { game: Game; open: Signal<Open> }) {
  const which = open.value;
  const close = (): void => void (open.value = null);
  useFocusBack(which !== null && which !== "chips");
  useEffect(() => {
    if (which === "rounds" || which === "proofs") {
      void loads[which]().then((found) => (loaded.value = { ...loaded.value, [which]: found.default }));
    }
  }, [which]);
  if (!which || which === "chips") return null;
  if (which === "rules") return <RulesDrawer table={game.line.id} name={game.line.name.value} onClose={close} />;
  const view = game.view.value!;
  const Inside = loaded.value[which];
  return (
    <Drawer title={t(`drawer.${which}`)} open onClose={close}>
      {which === "pays" ? (
        <div class="drawer-signs">
          <LimitsSign view={view} />
          <PaysSign view={view} />
        </div>
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
        <Inside game={game} />
      ) : (
        <p>{t("app.loading")}</p>
      )}
    </Drawer>
  );
}
