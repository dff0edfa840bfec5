import { type MouseEvent, type ReactNode, useContext, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { cardDialog } from "#loyalty/paths.ts";
import { Fabric, type FabricName } from "#ui/fabric/fabric.tsx";
import { Icon } from "#ui/icon.tsx";
import { Barcode } from "./barcode.tsx";
import { CodesContext, voucherDialog } from "./codes.ts";

/** A dialog that shows a code in full screen for the till's scanner, and keeps the screen on meanwhile. */
export function FullScreenCode(props: {
  /** Of the dialog, and the fragment that opens it. */
  id: string;
  /** Whose it is, where the page does not say. */
  name?: string;
  /** Of the card, or the voucher's name. */
  kind: string;
  title?: string;
  note: string;
  /** The cloth below the bars: of the card's status, or of vouchers. */
  fabric: FabricName;
  /** Beside the name: points, or the voucher's amount. */
  value: ReactNode;
  svg: string;
  /** The text of the barcode, for a cashier to type. */
  code: string;
}) {
  const { id, svg, code } = props;
  const { t, date } = useTexts();
  const { name, card, vouchers } = useContext(CodesContext);
  const others = vouchers
    .filter(({ LoyaltyRewardState }) => LoyaltyRewardState === "available")
    .map((voucher) => ({
      id: voucherDialog(voucher),
      label: voucher.Name,
      code: voucher.Code,
      until: t("member.codeUntil", { date: date(voucher.ExpiresAt) }),
    }));
  if (card) others.unshift({ id: cardDialog, label: t("member.codeCard"), code: card.Number, until: "" });
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [shown, setShown] = useState(false);
  useWakeLock(shown);

  // The link was pressed before this code was there, or the page was opened with the fragment.
  const open = useEffectEvent(() => {
    if (location.hash === `#${id}` && !dialog.current?.open) dialog.current?.showModal();
    if (dialog.current?.open) setShown(true);
  });
  useEffect(() => {
    const onHashChange = () => open();
    onHashChange();
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);

  function onClose() {
    setShown(false);
    // Without the fragment, a reload does not open it again.
    if (location.hash === `#${id}`) history.replaceState(history.state, "", location.pathname + location.search);
  }

  /** The focus stays on the switch; closing the second dialog leads back to what opened the first. */
  function change(event: MouseEvent, other: string) {
    const next = document.getElementById(other);
    if (!(next instanceof HTMLDialogElement)) return;
    event.preventDefault();
    dialog.current?.close();
    next.showModal();
    next.querySelector<HTMLElement>("[aria-current]")?.focus();
  }

  return (
    <dialog
      id={id}
      ref={dialog}
      className="till light-scheme"
      aria-labelledby={`${titleId} ${titleId}name`}
      // A dialog that opens takes the focus; not every browser has an event for its opening.
      onFocus={() => setShown(true)}
      onClose={onClose}
    >
      <div className="flex items-center justify-between gap-4 pl-5">
        <span aria-hidden="true" className="font-display text-2xl leading-none tracking-wordmark">
          {t("wordmark")}
        </span>
        <form method="dialog" className="[@media(scripting:none)]:hidden">
          <button type="submit" className="-outline-offset-4 flex size-14 shrink-0 items-center justify-center">
            <Icon name="close" className="size-6" />
            <span className="sr-only">{t("shell.close")}</span>
          </button>
        </form>
        <noscript>
          <a className="underlined m-4 inline-flex min-h-11 items-center" href="#content">
            {t("shell.close")}
          </a>
        </noscript>
      </div>
      <div className="flex min-h-0 flex-col items-center gap-4 pb-5">
        {/* As high for a card as for a voucher: the bars stay where they are when one is changed for the other. */}
        <div className="flex h-[clamp(5rem,17vh,9.5rem)] shrink-0 flex-col justify-end px-5 text-center [@media(height<30rem)]:hidden">
          <div id={titleId} className="font-display text-5xl leading-tight">
            {props.title ?? t("member.present")}
          </div>
          <div className="mt-1 text-md text-soft">{props.note}</div>
        </div>
        <div className="till-bars">
          <Barcode svg={svg} />
        </div>
        {/* Groups are separated by a gap, not by spaces: copied or read out, the code is one word. */}
        <p className="tabular-nums flex flex-wrap justify-center gap-[0.4em] text-code leading-none tracking-[0.08em]">
          {groupsOf(code).map(({ 0: group, index }) => (
            <span key={index}>{group}</span>
          ))}
        </p>
        {/* Below the bars, so that no name can move them. */}
        <div
          className={`till-person ${props.fabric === "cashmere" ? "text-paper" : "text-ink"} [@media(height<30rem)]:sr-only`}
        >
          <Fabric name={props.fabric} />
          <div className="kicker relative">{props.kind}</div>
          <div className="relative mt-auto grid grid-cols-[minmax(0,1fr)_auto] items-baseline-last gap-x-4">
            <h2
              id={`${titleId}name`}
              dir="auto"
              className="line-clamp-2 font-sans text-lg leading-snug tracking-normal [overflow-wrap:anywhere]"
            >
              {props.name ?? name}
            </h2>
            <div className="whitespace-nowrap">{props.value}</div>
          </div>
        </div>
        {others.length > 1 && (
          <div className="code-foot mt-auto [@media(height<34rem)]:hidden print:hidden">
            <ul className="till-switch">
              {others.map((other) => (
                <li key={other.id}>
                  <a
                    href={`#${other.id}`}
                    aria-current={other.code === code ? "true" : undefined}
                    onClick={(event) => change(event, other.id)}
                  >
                    {other.label}
                    <span className="text-2xs">{other.until}</span>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </dialog>
  );
}

/** An EAN-13 is grouped as it is printed under its bars, any other code in fours. */
function groupsOf(code: string) {
  return [...code.matchAll(/^\d{13}$/.test(code) ? /^\d|\d{6}/g : /.{1,4}/g)];
}

/** Keeps the screen on where the browser grants a wake lock. */
function useWakeLock(shown: boolean): void {
  useEffect(() => {
    if (!shown || !("wakeLock" in navigator)) return;
    let lock: Promise<WakeLockSentinel | undefined> = Promise.resolve(undefined);
    // Refused on low battery, and not allowed while the page is hidden; the code is readable without it.
    const requestLock = () => {
      if (document.visibilityState === "visible") lock = navigator.wakeLock.request("screen").catch(() => undefined);
    };
    requestLock();
    // The browser releases the lock when the page is hidden; it is requested again when the page is visible.
    document.addEventListener("visibilitychange", requestLock);
    return () => {
      document.removeEventListener("visibilitychange", requestLock);
      void lock.then((held) => held?.release());
    };
  }, [shown]);
}
