/** Between two pieces of work: what a browser does for each goes on beside the page. */
const pauseMs = 100;
/** How long the browser may delay a piece until it is idle. */
const idleTimeoutMs = 2_000;

const loaded = () =>
  new Promise<void>((resolve) => {
    if (document.readyState === "complete") resolve();
    else addEventListener("load", () => resolve(), { once: true });
  });

/** Safari has no requestIdleCallback; there the pause is all. */
const idle = () =>
  new Promise<void>((resolve) => {
    setTimeout(() => {
      if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: idleTimeoutMs });
      else resolve();
    }, pauseMs);
  });

let last: Promise<unknown> | undefined;

/**
 * Runs work that no page needs to be shown, after the page has loaded and when the browser is idle. One piece at a time,
 * in their order: many at once would hold up a press. A failure is ignored. Returns what calls it off.
 */
export function whenIdle(work: () => unknown): () => void {
  let wanted = true;
  last = (last ?? loaded())
    .then(idle)
    .then(() => wanted && work())
    .catch(() => {});
  return () => {
    wanted = false;
  };
}
