import { useEffect, useEffectEvent, useState } from "react";
import { useLocation } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { useCustomer } from "#identity/session/session.ts";
import { shopDeviceKey } from "#identity/session/shop-device.ts";
import { posterPath } from "#shop/paths.ts";
import { useLeave } from "./logout.tsx";

/** How long nobody may touch the shop's device: with a card on the screen, and with a form to fill in. */
const signedInSeconds = 60;
const strangerSeconds = 120;
/** From here on a screen reader says once that time is running out. */
const warningSeconds = 20;

/** On every page of the shop's device: the way to end the visit, which ends by itself when nobody touches the screen. */
export function ShopBar() {
  const { t } = useTexts();
  const poster = useLocalePath()(posterPath);
  const { pathname } = useLocation();
  const signedIn = useCustomer() !== undefined;
  const leave = useLeave();
  useNothingKeptWhole();

  // A clean poster waits for the next customer.
  const waits = !signedIn && pathname === poster;
  const seconds = signedIn ? signedInSeconds : strangerSeconds;
  const end = () => {
    forgetVisitor();
    void leave(() => location.replace(poster));
  };
  const left = useCountdown(waits ? undefined : seconds, end);
  if (waits) return null;
  const text = signedIn ? "store.endsIn" : "store.clearsIn";
  return (
    <section
      aria-label={t("store.shared")}
      className="sticky top-0 z-20 flex items-center justify-between gap-x-6 bg-ink px-5 py-2 text-paper lg:px-[2.6rem] print:hidden"
    >
      <p role="timer" className="tabular-nums text-[0.9375rem]">
        {t(text, { seconds: left })}
      </p>
      <p role="status" className="sr-only">
        {left <= warningSeconds && t(text, { seconds: warningSeconds })}
      </p>
      <button type="button" className="button button-small shrink-0 border-paper bg-paper text-ink" onClick={end}>
        {t("store.end")}
      </button>
    </section>
  );
}

/** Empties what the browser keeps for this site. Memory goes with the document. */
function forgetVisitor(): void {
  try {
    localStorage.clear();
    sessionStorage.clear();
    sessionStorage.setItem(shopDeviceKey, "1");
  } catch {
    // Nothing was kept, so nothing is left.
  }
}

/** The seconds left since the last touch; at none the visit ends. */
function useCountdown(seconds: number | undefined, end: () => void): number {
  const [left, setLeft] = useState(seconds ?? 0);
  const ended = useEffectEvent(end);
  useEffect(() => {
    if (seconds === undefined) return;
    let until = Date.now() + seconds * 1_000;
    const look = () => {
      const rest = Math.max(0, Math.ceil((until - Date.now()) / 1_000));
      setLeft(rest);
      if (rest === 0) ended();
    };
    const touched = () => {
      // A tablet that slept has not counted: the touch that wakes it is the next customer's.
      if (Date.now() < until) until = Date.now() + seconds * 1_000;
      look();
    };
    look();
    const timer = setInterval(look, 1_000);
    const events = ["pointerdown", "keydown", "input"];
    for (const name of events) addEventListener(name, touched, { capture: true, passive: true });
    return () => {
      clearInterval(timer);
      for (const name of events) removeEventListener(name, touched, { capture: true });
    };
  }, [seconds]);
  return left;
}

/** The back button may bring a page back whole, with what was typed (bfcache): it is hidden as it goes, and loaded anew. */
function useNothingKeptWhole(): void {
  useEffect(() => {
    const hide = () => {
      document.documentElement.hidden = true;
    };
    const renew = ({ persisted }: PageTransitionEvent) => {
      if (persisted) location.reload();
    };
    addEventListener("pagehide", hide);
    addEventListener("pageshow", renew);
    return () => {
      removeEventListener("pagehide", hide);
      removeEventListener("pageshow", renew);
    };
  }, []);
}
