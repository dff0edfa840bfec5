import { useEffect } from "react";
import { pageTimeoutMs } from "./card-cache.ts";

/** How long the page waits before it asks again, about: each pause is twice the one before. */
const firstPauseMs = 2_000;
const longestPauseMs = 60_000;

/**
 * The offline page asks whether the page that was wanted is served again, and then loads it: after growing pauses, back
 * online, and when it is looked at again. Pauses are random, or a server that has just started would meet all phones at once.
 */
export function useReloadWhenBack(): void {
  useEffect(() => {
    let asking: AbortController | undefined;
    let timer: ReturnType<typeof setTimeout>;
    let pauseMs = firstPauseMs;
    const stop = () => {
      asking?.abort();
      asking = undefined;
      clearTimeout(timer);
    };
    const ask = async () => {
      stop();
      const mine = new AbortController();
      asking = mine;
      timer = setTimeout(() => mine.abort(), pageTimeoutMs);
      const isBack = await isServed(mine.signal);
      // Stopped, or asked again meanwhile.
      if (asking !== mine) return;
      clearTimeout(timer);
      // A dialog shows a code to the scanner.
      if (isBack && !document.querySelector("dialog[open]")) location.reload();
      else askLater();
    };
    const askLater = () => {
      timer = setTimeout(ask, pauseMs * (0.5 + Math.random()));
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    };
    const askNow = () => {
      pauseMs = firstPauseMs;
      void ask();
    };
    const onVisibility = () => (document.hidden ? stop() : askNow());
    askLater();
    addEventListener("online", askNow);
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      stop();
      removeEventListener("online", askNow);
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }, []);
}

/** Whether the page would be shown now, and not this one in its place: the service worker leaves requests of scripts alone. */
async function isServed(signal: AbortSignal): Promise<boolean> {
  try {
    const options = { method: "HEAD", cache: "no-store", redirect: "manual", signal } as const;
    return (await fetch(location.href, options)).status < 500;
  } catch {
    return false;
  }
}
