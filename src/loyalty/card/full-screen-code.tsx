import { type MouseEvent, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { Icon } from "#ui/icon.tsx";
import { Barcode } from "./barcode.tsx";

export interface Till {
  id: string;
  ref: RefObject<HTMLDialogElement | null>;
  /** For every link that opens it: without script the address's fragment does, and the style sheet. */
  link: { href: string; onClick(event: MouseEvent): void };
  close(): void;
  closed(): void;
}

/** The moment at the till: a code over the whole screen, which stays lit meanwhile. */
export function useTill(id: string): Till {
  const ref = useRef<HTMLDialogElement>(null);
  const [shown, setShown] = useState(false);
  useAwake(shown);

  const show = () => {
    if (!ref.current?.open) ref.current?.showModal();
    setShown(true);
  };
  // Pressed before the script was there, or opened by an address that asks for it.
  const look = useEffectEvent(() => {
    if (location.hash === `#${id}`) show();
  });
  useEffect(() => {
    const changed = () => look();
    changed();
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);

  return {
    id,
    ref,
    link: {
      href: `#${id}`,
      onClick(event) {
        event.preventDefault();
        show();
      },
    },
    close: () => ref.current?.close(),
    closed() {
      setShown(false);
      // A reload should not open it again.
      if (location.hash === `#${id}`) history.replaceState(history.state, "", location.pathname + location.search);
    },
  };
}

/** Keeps the screen from going dark, as far as the phone agrees. */
function useAwake(shown: boolean): void {
  useEffect(() => {
    if (!shown || !("wakeLock" in navigator)) return;
    let lock: Promise<WakeLockSentinel | undefined> = Promise.resolve(undefined);
    // A phone low on power refuses, and a page out of sight may not ask: the code can be read all the same.
    const keep = () => {
      if (document.visibilityState === "visible") lock = navigator.wakeLock.request("screen").catch(() => undefined);
    };
    keep();
    // Looking at something else lets go of it; coming back must ask again.
    document.addEventListener("visibilitychange", keep);
    return () => {
      document.removeEventListener("visibilitychange", keep);
      void lock.then((held) => held?.release());
    };
  }, [shown]);
}

export function TillScreen(props: {
  till: Till;
  /** What it is, and whose. */
  title: string;
  note: string;
  svg: string;
  /** What the bars say, as a cashier would type it. */
  code: string;
}) {
  const { till, title, note, svg, code } = props;
  const { t } = useTexts();
  const titleId = useId();
  return (
    <dialog id={till.id} ref={till.ref} className="till" aria-labelledby={titleId} onClose={till.closed}>
      <div className="flex items-start justify-between gap-4 pl-5">
        <div className="min-w-0 pt-4">
          <h2 id={titleId} dir="auto" className="truncate text-[1.5rem] leading-tight">
            {title}
          </h2>
          <p className="text-[0.9375rem] text-soft">{note}</p>
        </div>
        <button
          type="button"
          className="-outline-offset-4 flex size-14 shrink-0 items-center justify-center [@media(scripting:none)]:hidden"
          onClick={till.close}
        >
          <Icon name="close" className="size-6" />
          <span className="sr-only">{t("shell.close")}</span>
        </button>
        <noscript>
          <a className="underlined m-4 inline-flex min-h-11 items-center" href="#content">
            {t("shell.close")}
          </a>
        </noscript>
      </div>
      <div className="flex min-h-0 flex-col items-center justify-center gap-4 pb-5">
        <div className="till-bars">
          <Barcode svg={svg} />
        </div>
        {/* In groups for the eye; copied or read out, it is one word. */}
        <p className="tabular-nums flex gap-[0.4em] text-[clamp(1.375rem,6.2vw,2.25rem)] leading-none tracking-[0.08em]">
          {groupsOf(code).map(({ 0: group, index }) => (
            <span key={index}>{group}</span>
          ))}
        </p>
      </div>
    </dialog>
  );
}

/** As a cashier reads it: an EAN-13 as it is printed under its bars, anything else in fours. */
function groupsOf(code: string) {
  return [...code.matchAll(/^\d{13}$/.test(code) ? /^\d|\d{6}/g : /.{1,4}/g)];
}
