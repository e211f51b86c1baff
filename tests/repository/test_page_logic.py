"""The page's logic without a browser: when autoplay stops, what it does next, and what is heard of a round."""

from __future__ import annotations

import json
import runpy
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"

SCRIPT = """
import { begun, counted, nextOf, stopAfter, stopNow } from "./src/pages/table/autoplay";
import { cues } from "./src/sound/cues";

const plan = { rounds: 2, loss_cents: 3000, win_cents: 5000, big: 5 };
const ended = (round: number, net: number, paid = 0) => ({ round, net, lines: [{ stake_cents: 500, paid_cents: paid }] });
function played(...rounds: ReturnType<typeof ended>[]) {
  let run = { ...begun(plan, {}, 0), waits: true };
  let why: unknown = null;
  for (const one of rounds) {
    run = { ...counted({ ...run, waits: true }, one), waits: false };
    why = stopAfter(run, one);
  }
  return [run.played, run.net_cents, why];
}
const run = { ...begun(plan, {}, 4), waits: true };
const offers = [{ type: "Choose", seat: 3, bet: 1, choice: "ride", by: "seat:3" }];
const view = (more: object) => ({ coach: true, betting_open: false, offers: [], seats: { 3: { wagers: { "base-1": 5 }, cards: ["Th", "Td", "4c"], results: [] } }, community: ["[red]"], packet: [], ...more }) as never;
const bare = { 3: { wagers: {}, cards: [], results: [] } };
const place = [{ type: "PlaceWagers", seat: 3, by: "seat:3" }];
const hidden = { 3: { wagers: { "base-1": 5 }, cards: ["[red]", "[red]", "[red]"], results: [] } };
const lost = { 3: { wagers: {}, cards: ["Th", "Td", "4c"], results: [{ wager: "base-1", stake_cents: 5, fate: "lost" }] } };
const won = { 3: { wagers: {}, cards: ["Th", "Td", "4c"], results: [{ wager: "base-1", stake_cents: 5, fate: "won", paid_cents: 5, back_cents: 5 }] } };
console.log(JSON.stringify({
  rounds: played(ended(1, -500), ended(2, 500)),
  loss: played(ended(1, -3000)),
  win: played(ended(1, 5000)),
  big: played(ended(1, 100, 2500)),
  goes_on: played(ended(1, -2999, 2499)),
  once: [counted(run, ended(4, 100)).played, counted(run, ended(5, 100)).played, counted({ ...run, waits: false }, ended(5, 100)).played],
  forbidden: stopNow(view({ coach: false }), [3]),
  hands: stopNow(view({}), [3, 4]),
  away: stopNow(view({ seats: { 3: { sitting_out: true } } }), [3]),
  none: stopNow(view({}), [3]),
  decide: nextOf(view({ offers }), 3, run),
  unseen: nextOf(view({ offers, seats: hidden }), 3, run),
  bet: nextOf(view({ betting_open: true, offers: place, seats: bare }), 3, { ...run, waits: false }),
  waits: nextOf(view({ betting_open: true, offers: place, seats: bare }), 3, run),
  other: nextOf(view({ offers: [{ ...offers[0], by: "seat:5", seat: 5 }] }), 3, run),
  turned: cues(view({}), view({ community: ["Ah"] }), [3], () => 0),
  lost: cues(view({}), view({ seats: lost }), [3], () => 0),
  royal: cues(view({}), view({ seats: won }), [3], () => 9),
  pair: cues(view({}), view({ seats: won }), [3], () => 1),
  others: cues(view({}), view({ seats: won }), [], () => 9),
  first: cues(null, view({ seats: won }), [3], () => 9),
}));
"""


def test_autoplay_stops_when_told_and_sounds_follow_what_is_shown(tmp_path: Path) -> None:
    node = runpy.run_path(str(ROOT / "scripts" / "web.py"))["node_folder"]() / "bin" / "node"
    bundle = tmp_path / "logic.mjs"
    options = {"bundle": True, "format": "esm", "platform": "node", "outfile": str(bundle), "logLevel": "error"}
    build = f"""
      import {{ build }} from "esbuild";
      const stdin = {{ contents: {json.dumps(SCRIPT)}, resolveDir: {json.dumps(str(WEB))}, loader: "ts" }};
      await build({{ stdin, ...{json.dumps(options)} }});
    """
    subprocess.run([str(node), "--input-type=module", "-e", build], cwd=WEB, check=True, timeout=120)
    done = subprocess.run([str(node), str(bundle)], capture_output=True, text=True, check=True, timeout=120)
    assert json.loads(done.stdout) == {
        "rounds": [2, 0, "rounds"],
        "loss": [1, -3000, "loss"],
        "win": [1, 5000, "win"],
        "big": [1, 100, "big"],
        "goes_on": [1, -2999, None],
        "once": [0, 1, 0],
        "forbidden": "forbidden",
        "hands": "hands",
        "away": "away",
        "none": None,
        "decide": {"do": "decide", "bet": 1},
        "unseen": {"do": "wait"},
        "bet": {"do": "bet"},
        "waits": {"do": "wait"},
        "other": {"do": "wait"},
        "turned": ["turn"],
        "lost": ["chips", "lost"],
        "royal": ["chips", "royal"],
        "pair": ["chips", "win"],
        "others": ["chips"],
        "first": [],
    }
