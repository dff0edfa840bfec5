import { createStore } from "#ui/browser/store.ts";

export type BarPhase = "hidden" | "running" | "done" | "failed";

/** Loading that takes less than this shows no bar. */
const delayMs = 200;
/** A bar is shown at least this long: one that flashes cannot be seen. */
const minimumShownMs = 200;
/** How long the finished bar stays before it is hidden. */
const hideDelayMs = 500;

export const loadingBarStore = createStore<BarPhase>("hidden");

/*
 * hidden ──(200 ms of loading)──► running ──(end)──► done or failed ──(500 ms)──► hidden
 */
let loading = false;
let shownAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function schedule(ms: number, act: () => void): void {
  clearTimeout(timer);
  timer = setTimeout(act, ms);
}

export function startLoading(): void {
  if (loading) return;
  loading = true;
  loadingBarStore.set("hidden");
  schedule(delayMs, () => {
    shownAt = Date.now();
    loadingBarStore.set("running");
  });
}

export function endLoading(failed: boolean): void {
  if (!loading) return;
  loading = false;
  const shown = loadingBarStore.get() === "running";
  // A failure shows the bar even when it came at once.
  if (!shown && !failed) {
    clearTimeout(timer);
    return;
  }
  schedule(shown ? Math.max(0, minimumShownMs - (Date.now() - shownAt)) : 0, () => {
    loadingBarStore.set(failed ? "failed" : "done");
    schedule(hideDelayMs, () => loadingBarStore.set("hidden"));
  });
}
