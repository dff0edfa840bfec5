import { afterEach, expect, test, vi } from "vitest";
import { signal } from "./signals.ts";

afterEach(() => vi.unstubAllGlobals());

test("a sound that the browser suspended, as before the first press, is resumed before it is played", () => {
  const resume = vi.fn(async () => {});
  const node = { connect: () => node, frequency: {}, gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } };
  const player = { ...node, start: vi.fn(), stop() {} };
  class SuspendedAudio {
    state = "suspended";
    currentTime = 0;
    destination = node;
    resume = resume;
    createOscillator = () => player;
    createGain = () => node;
  }
  vi.stubGlobal("AudioContext", SuspendedAudio);
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("localStorage", { getItem: () => "on" });
  signal("done");
  expect(resume).toHaveBeenCalledOnce();
  expect(player.start).toHaveBeenCalledOnce();
});
