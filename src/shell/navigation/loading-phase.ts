import { createStore } from "#ui/store.ts";

export type BarPhase = "hidden" | "running" | "done" | "failed";

/** What takes less than this shows no bar at all. */
const throttleMs = 200;
/** What was shown stays at least this long: a flash tells nobody anything. */
const leastShownMs = 200;
/** How long the finished bar stays. */
const hideDelayMs = 500;

export const barStore = createStore<BarPhase>("hidden");

/*
 * hidden ──(200 ms of loading)──► running ──(end)──► done or failed ──(500 ms)──► hidden
 */
let loading = false;
let shownAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function later(ms: number, act: () => void): void {
  clearTimeout(timer);
  timer = setTimeout(act, ms);
}

export function startLoading(): void {
  if (loading) return;
  loading = true;
  barStore.set("hidden");
  later(throttleMs, () => {
    shownAt = Date.now();
    barStore.set("running");
  });
}

export function endLoading(failed: boolean): void {
  if (!loading) return;
  loading = false;
  const shown = barStore.get() === "running";
  // A failure is worth a bar even when it came at once.
  if (!shown && !failed) {
    clearTimeout(timer);
    return;
  }
  later(shown ? Math.max(0, leastShownMs - (Date.now() - shownAt)) : 0, () => {
    barStore.set(failed ? "failed" : "done");
    later(hideDelayMs, () => barStore.set("hidden"));
  });
}
