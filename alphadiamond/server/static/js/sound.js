// Short sounds, computed when they are needed; a switch keeps them off.

import { switchButton } from "./dom.js";
import { t } from "./texts.js";

const KEY = "alphadiamond.sound";
// [pitch in hertz, seconds after the beginning, length in seconds, loudness]
const SOUNDS = {
  move: [
    [520, 0, 0.07, 0.5],
    [260, 0, 0.05, 0.35],
  ],
  capture: [
    [390, 0, 0.08, 0.55],
    [195, 0.03, 0.12, 0.5],
  ],
  won: [
    [523, 0, 0.16, 0.4],
    [659, 0.12, 0.16, 0.4],
    [784, 0.24, 0.34, 0.45],
  ],
  lost: [
    [392, 0, 0.2, 0.4],
    [330, 0.16, 0.2, 0.4],
    [262, 0.32, 0.4, 0.4],
  ],
  draw: [
    [440, 0, 0.2, 0.4],
    [440, 0.2, 0.3, 0.35],
  ],
  turn: [[880, 0, 0.12, 0.25]],
};
const VOLUME = 0.35;

let context = null;

export function soundOn() {
  return localStorage.getItem(KEY) !== "off";
}

/** Play a sound, if anybody wants to hear it and the browser allows it. */
export function play(name) {
  if (!soundOn() || !window.AudioContext) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {}); // before the first click a browser allows none
  for (const [pitch, after, length, loudness] of SOUNDS[name]) {
    const at = context.currentTime + after;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(VOLUME * loudness, at + 0.006);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}

export function soundSwitch() {
  return switchButton(
    () => (soundOn() ? ["sound", t("sound.on")] : ["silent", t("sound.off")]),
    () => {
      localStorage.setItem(KEY, soundOn() ? "off" : "on");
      play("move");
    },
  ).made;
}
