import { useEffect, useEffectEvent, useState } from "react";
import { useLocation } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { useCustomer } from "#identity/session/browser/session.ts";
import { shopDeviceKey } from "#identity/session/device/shop-device.ts";
import { useLogout } from "#identity/sign-out/sign-out.tsx";
import { deleteCachedCards } from "#offline/card-cache.ts";
import { posterPath } from "#shop/paths.ts";

/** After this long without a touch the visit on the shop's device ends: with a person signed in, and without. */
const signedInSeconds = 60;
const strangerSeconds = 120;
/** With this long left, a screen reader announces once that the time is running out. */
const warningSeconds = 20;

/** On every page of the shop's device: a button that ends the visit, and the countdown after which it ends by itself. */
export function ShopBar() {
  const { t } = useTexts();
  const poster = useLocalePath()(posterPath);
  const { pathname } = useLocation();
  const signedIn = useCustomer() !== undefined;
  const logOut = useLogout(deleteCachedCards);
  useNoBfcache();

  // The poster with no one signed in is where a visit begins: nothing has to be ended.
  const idle = !signedIn && pathname === poster;
  const seconds = signedIn ? signedInSeconds : strangerSeconds;
  const end = () => {
    clearVisitorData();
    void logOut(() => location.replace(poster));
  };
  const left = useCountdown(idle ? undefined : seconds, end);
  if (idle) return null;
  const text = signedIn ? "store.endsIn" : "store.clearsIn";
  return (
    <section
      aria-label={t("store.shared")}
      className="sticky top-0 z-20 flex items-center justify-between gap-x-6 bg-ink px-5 py-2 text-paper lg:px-[2.6rem] print:hidden"
    >
      <p role="timer" className="tabular-nums text-md">
        {t(text, { seconds: left })}
      </p>
      <p role="status" className="sr-only">
        {left <= warningSeconds && t(text, { seconds: warningSeconds })}
      </p>
      <button type="button" className="button small shrink-0 border-paper" onClick={end}>
        {t("store.end")}
      </button>
    </section>
  );
}

/** Clears this site's storage. What is in memory goes with the document. */
function clearVisitorData(): void {
  try {
    localStorage.clear();
    sessionStorage.clear();
    sessionStorage.setItem(shopDeviceKey, "1");
  } catch {
    // Without access to storage nothing was stored.
  }
}

/** The seconds left since the last input event; at zero the visit ends. */
function useCountdown(seconds: number | undefined, onEnd: () => void): number {
  const [left, setLeft] = useState(seconds ?? 0);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (seconds === undefined) return;
    let until = Date.now() + seconds * 1_000;
    const tick = () => {
      const rest = Math.max(0, Math.ceil((until - Date.now()) / 1_000));
      setLeft(rest);
      if (rest === 0) end();
    };
    const touched = () => {
      // Timers stop while a tablet sleeps: the touch that wakes it after the end is the next customer's.
      if (Date.now() < until) until = Date.now() + seconds * 1_000;
      tick();
    };
    tick();
    const timer = setInterval(tick, 1_000);
    const events = ["pointerdown", "keydown", "input"];
    for (const name of events) addEventListener(name, touched, { capture: true, passive: true });
    return () => {
      clearInterval(timer);
      for (const name of events) removeEventListener(name, touched, { capture: true });
    };
  }, [seconds]);
  return left;
}

/** The bfcache would bring a page back with what was typed: the page is hidden as it is left, and reloaded on return. */
function useNoBfcache(): void {
  useEffect(() => {
    const hide = () => {
      document.documentElement.hidden = true;
    };
    const reload = ({ persisted }: PageTransitionEvent) => {
      if (persisted) location.reload();
    };
    addEventListener("pagehide", hide);
    addEventListener("pageshow", reload);
    return () => {
      removeEventListener("pagehide", hide);
      removeEventListener("pageshow", reload);
    };
  }, []);
}
