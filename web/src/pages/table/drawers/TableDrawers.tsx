// Table drawers: pays, rules, past rounds, proofs and keys; each is loaded when it is opened first.
import { signal, type Signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { Drawer } from "../../../parts/Drawer";
import { t, type Text } from "../../../texts";
import type { Game } from "../game";
import { LimitsSign, PaysSign } from "../Signs";

export type Open = "pays" | "rules" | "rounds" | "proofs" | "keys" | "chips" | null;

const loads = {
  rules: () => import("./Rules"),
  rounds: () => import("./Rounds"),
  proofs: () => import("./Proofs"),
};
const loaded = signal<Record<string, ComponentType<{ game: Game }>>>({});

const KEYS: [string, Text][] = [
  ["1 – 6", "keys.chips"],
  ["Enter", "keys.enter"],
  ["A", "keys.again"],
  ["⌫", "keys.clear"],
  ["B", "keys.bonus"],
  ["C", "keys.three"],
  ["V", "keys.cover"],
  ["W", "keys.coach"],
  ["R", "keys.ride"],
  ["T", "keys.take"],
  ["P", "keys.pays"],
  ["H", "keys.rounds"],
  ["X", "keys.text"],
];

export function TableDrawers({ game, open }: { game: Game; open: Signal<Open> }) {
  const which = open.value;
  const close = (): void => void (open.value = null);
  useEffect(() => {
    if (which === "rules" || which === "rounds" || which === "proofs") {
      void loads[which]().then((found) => (loaded.value = { ...loaded.value, [which]: found.default }));
    }
  }, [which]);
  if (!which || which === "chips") return null;
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
          {KEYS.map(([key, words]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{t(words)}</dd>
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
