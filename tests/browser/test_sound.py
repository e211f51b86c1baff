"""Sounds: the page makes each by itself, and it is heard, as long as it is meant to be, undistorted, and like no other."""

from __future__ import annotations

import runpy
import subprocess
from itertools import combinations
from pathlib import Path

from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
LASTS = {
    "card": 0.07,
    "turn": 0.12,
    "chips": 0.12,
    "ask": 0.23,
    "tick": 0.04,
    "lost": 0.30,
    "win": 0.40,
    "great": 0.71,
    "royal": 1.56,
}
"""Every sound, and how many seconds it is meant to last."""
EXPORTS = 'export { sound } from "./src/sound/synth"; export { volume } from "./src/state/settings";'
RATE, SECONDS, HEARD = 8_000, 2, 0.002
RENDER = """async ([code, cue, volume, rate, seconds]) => {
    const offline = new OfflineAudioContext(1, rate * seconds, rate);
    offline.resume = async () => {};
    globalThis.AudioContext = function () { return offline };
    (0, eval)(code);
    dispatchEvent(new Event("pointerdown"));
    page.volume.value = volume;
    page.sound(cue);
    return [...(await offline.startRendering()).getChannelData(0)];
}"""
"""Plays a sound into memory, as loud as a person may set it; the page's own modules are taken anew for each."""


def bundle() -> str:
    """The page's sounds as one script."""
    script = runpy.run_path(str(ROOT / "scripts" / "web.py"))
    script["packages"](ROOT / "web")
    node = str(script["node_folder"]() / "bin" / "node")
    words = [node, "node_modules/esbuild/bin/esbuild", "--bundle", "--format=iife", "--global-name=page", "--loader=ts"]
    done = subprocess.run(words, cwd=ROOT / "web", input=EXPORTS, text=True, check=True, capture_output=True)
    return done.stdout.replace("var page =", "globalThis.page =", 1)


def test_every_sound_is_heard_as_long_as_it_is_meant_to_be_undistorted_and_like_no_other(page: Page) -> None:
    page.goto("/nowhere")
    code = bundle()

    def render(cue: str, volume: int) -> list[float]:
        found: list[float] = page.evaluate(RENDER, [code, cue, volume, RATE, SECONDS])
        return found

    sounds = {cue: render(cue, 100) for cue in LASTS}
    for cue, samples in sounds.items():
        assert 0.02 < max(map(abs, samples)) < 0.9, cue
        heard = [at for at, one in enumerate(samples) if abs(one) > HEARD]
        assert 0.5 * LASTS[cue] < (heard[-1] + 1) / RATE <= LASTS[cue] + 0.005, cue
        assert heard[0] / RATE < 0.01, cue
    for one, other in combinations(sounds, 2):
        assert max(abs(a - b) for a, b in zip(sounds[one], sounds[other], strict=True)) > 0.02, (one, other)
    soft = render("win", 10)
    assert 0 < max(soft) < max(sounds["win"]) / 5
    assert not any(render("win", 0))
