import { readDevice, writeDevice } from "./device-memory.ts";

/** Sounds are off until a person switches them on, on this device. */
const soundKey = "cercle.till.sound";

export const soundOn = () => readDevice(soundKey) === "on";
export const setSound = (on: boolean) => writeDevice(soundKey, on ? "on" : "off");

let audio: AudioContext | undefined;

/** One short vibration, and a short tone where sounds are on: high for done, low for refused. */
export function signal(kind: "done" | "refused"): void {
  navigator.vibrate?.(kind === "done" ? 60 : 180);
  if (!soundOn()) return;
  audio ??= new AudioContext();
  // Created before the first press, or after the device slept, it is silent until it is resumed.
  if (audio.state !== "running") void audio.resume();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = kind === "done" ? 880 : 220;
  volume.gain.setValueAtTime(0.15, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.18);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.2);
}
