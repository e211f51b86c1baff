// Synth: sounds made on the spot by WebAudio, and short vibrations; silent until a person has pressed something.
import { buzz, loudness } from "../state/settings";
import type { Cue } from "./cues";

interface Note {
  /** When it begins, in seconds from now, and how long it lasts. */
  at: number;
  lasts: number;
  /** The pitch in hertz; 0 for a rustle. */
  hertz: number;
  loud: number;
}

const tones = (hertz: readonly number[], step: number, lasts: number, loud: number): Note[] =>
  hertz.map((one, at) => ({ at: at * step, lasts, hertz: one, loud }));

const SOUNDS: Record<Cue, Note[]> = {
  card: [{ at: 0, lasts: 0.07, hertz: 0, loud: 0.25 }],
  turn: [{ at: 0, lasts: 0.12, hertz: 0, loud: 0.35 }],
  chips: tones([3100, 2500, 2900], 0.035, 0.05, 0.12),
  ask: tones([660, 880], 0.09, 0.14, 0.16),
  tick: tones([1200], 0, 0.04, 0.14),
  lost: tones([330, 262], 0.12, 0.18, 0.08),
  win: tones([523, 659, 784], 0.09, 0.22, 0.16),
  great: tones([523, 659, 784, 1047, 1319], 0.09, 0.35, 0.18),
  royal: tones([523, 659, 784, 1047, 784, 1047, 1319, 1568, 2093], 0.12, 0.6, 0.2),
};
const VIBRATIONS: Partial<Record<Cue, number[]>> = { ask: [30], tick: [15], win: [40], great: [40, 60, 80], royal: [80, 60, 80, 60, 240] };
/** How soon the same sound may come again: quick deals would make one noise of many. */
const APART_MS = 60;

let context: AudioContext | null = null;
let rustle: AudioBuffer | null = null;
let awake = false;
const last = new Map<Cue, number>();

for (const gesture of ["pointerdown", "keydown"]) {
  addEventListener(gesture, () => (awake = true), { capture: true, once: true });
}

function noise(of: AudioContext): AudioBuffer {
  const buffer = of.createBuffer(1, of.sampleRate / 4, of.sampleRate);
  const data = buffer.getChannelData(0);
  for (let at = 0; at < data.length; at++) data[at] = Math.random() * 2 - 1;
  return buffer;
}

function source(of: AudioContext, note: Note): AudioScheduledSourceNode {
  if (note.hertz) {
    const tone = of.createOscillator();
    tone.type = "triangle";
    tone.frequency.value = note.hertz;
    return tone;
  }
  const paper = of.createBufferSource();
  paper.buffer = rustle ??= noise(of);
  return paper;
}

/** Play a sound, and let the device vibrate where it can, as far as the settings want it. */
export function sound(cue: Cue): void {
  const now = performance.now();
  if (!awake || now - (last.get(cue) ?? -APART_MS) < APART_MS) return;
  last.set(cue, now);
  if (buzz.value && VIBRATIONS[cue] && "vibrate" in navigator) navigator.vibrate(VIBRATIONS[cue]);
  if (!loudness.value || document.hidden || !("AudioContext" in globalThis)) return;
  const of = (context ??= new AudioContext());
  if (of.state === "suspended") void of.resume();
  for (const note of SOUNDS[cue]) {
    const starts = of.currentTime + note.at;
    const gain = of.createGain();
    gain.gain.setValueAtTime(0, starts);
    gain.gain.linearRampToValueAtTime(note.loud * (loudness.value / 100), starts + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, starts + note.lasts);
    const from = source(of, note);
    from.connect(gain).connect(of.destination);
    from.start(starts);
    from.stop(starts + note.lasts);
  }
}
