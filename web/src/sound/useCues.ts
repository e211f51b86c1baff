// Use cues: plays the sounds that go with what happens at a table, as long as its page is there.
import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { View } from "../generated/api";
import type { Game } from "../pages/table/game";
import { greatness } from "../pages/table/why";
import { cues } from "./cues";
import { sound } from "./synth";

export function useCues(game: Game): void {
  useEffect(() => {
    let before: View | null = null;
    return effect(() => {
      const now = game.view.value;
      const own = game.own.value;
      if (!now) return;
      for (const cue of cues(before, now, own, (seat) => greatness(now, seat.reasons ?? []))) sound(cue);
      before = now;
    });
  }, [game]);
}
