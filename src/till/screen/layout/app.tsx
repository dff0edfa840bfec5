import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { browserCall } from "#platform/api/client/client.ts";
import { reportError } from "#platform/client-errors/report-errors.ts";
import * as calls from "#till/calls.ts";
import { drainQueue } from "#till/queue/send-queue.ts";
import { failureOf } from "#till/screen/failure.ts";
import { Pairing } from "#till/screen/sign-in/pairing.tsx";
import { SignIn, useOfflinePeople } from "#till/screen/sign-in/sign-in.tsx";
import { useTillState } from "#till/screen/till-state.ts";
import { Workspace } from "./workspace.tsx";

/*
 *   no till ──(pairing code)──► locked ──(PIN)──► at work ──(idle, lock)──► locked
 *
 * At work, the sale in hand stays while the till is locked, and goes on with the person who enters a PIN next.
 */
export function TillApp() {
  const { t } = useTexts();
  const { state, setSignedIn, online, setOnline, refresh, lock, signIn, signInOffline } = useTillState();
  const [saleInHand, setSaleInHand] = useState(false);
  const [opened, setOpened] = useState(false);
  const ready = typeof state === "object" ? state : undefined;
  const working = ready?.SignedIn != null;
  useEffect(() => {
    if (working) setOpened(true);
  }, [working]);

  /** What every call's failure may say about the till itself. */
  const onFailure = useCallback(
    (error: unknown) => {
      const failure = failureOf(error);
      // What this device cannot store says nothing about the network, and is known to no one else.
      if (failure.notStored) reportError(error);
      else setOnline(!failure.offline);
      if (failure.code === "pin_required") setSignedIn(null);
      if (failure.code === "pin_required" || failure.code === "not_paired") void refresh();
      return failure;
    },
    [refresh, setOnline, setSignedIn],
  );

  const canSignIn = useOfflinePeople(!online).length > 0 || online;
  useIdleLock(working && canSignIn ? ready.IdleSeconds : undefined, lock);
  useWakeLock(working);
  const sendNow = useSendQueue(working && online, ready?.IdShop ?? undefined, onFailure);

  if (state === "loading") return <p className="till-loading">{t("till.loading")}</p>;
  if (state === "failed")
    return (
      <main className="till-entrance">
        <p className="till-brand">{t("wordmark")}</p>
        <h1>{online ? `${t("till.refused.fault")} ${t("till.refused.fault2")}` : t("till.unreachable")}</h1>
        <p className="note">{t(online ? "till.refused.faultText" : "till.unreachableText")}</p>
        <button type="button" className="button solid" onClick={refresh}>
          {t("till.retry")}
        </button>
      </main>
    );
  if (!state.Paired) return <Pairing revoked={state.Revoked} onPaired={refresh} />;
  return (
    <>
      {(opened || working) && (
        <div hidden={!working}>
          <Workspace
            state={state}
            online={online}
            active={working}
            onFailure={onFailure}
            onOnline={() => setOnline(true)}
            onLock={lock}
            onSendNow={sendNow}
            onSaleInHand={setSaleInHand}
            onUnpair={refresh}
          />
        </div>
      )}
      {!working && (
        <SignIn
          state={state}
          online={online}
          saleInHand={saleInHand}
          onSignIn={signIn}
          onSignedInOffline={signInOffline}
          onRetry={refresh}
        />
      )}
    </>
  );
}

/** Locks after so long without a touch or a key. It stays open where no one could enter a PIN. */
function useIdleLock(seconds: number | undefined, lock: () => void): void {
  const idle = useEffectEvent(lock);
  useEffect(() => {
    if (seconds === undefined) return;
    let since = Date.now();
    const seen = () => {
      since = Date.now();
    };
    const timer = setInterval(() => Date.now() - since >= seconds * 1_000 && idle(), 1_000);
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, seen, true);
    return () => {
      clearInterval(timer);
      for (const name of ["pointerdown", "keydown"]) removeEventListener(name, seen, true);
    };
  }, [seconds]);
}

/** The screen stays on while a person works at it. A browser ends the lock when the page is hidden. */
function useWakeLock(wanted: boolean): void {
  const held = useRef<WakeLockSentinel | undefined>(undefined);
  useEffect(() => {
    if (!wanted || !("wakeLock" in navigator)) return;
    const hold = async () => {
      if (document.visibilityState !== "visible") return;
      // Refused on a low battery: the screen then goes dark as usual.
      held.current = await navigator.wakeLock.request("screen").catch(() => undefined);
    };
    void hold();
    document.addEventListener("visibilitychange", hold);
    return () => {
      document.removeEventListener("visibilitychange", hold);
      void held.current?.release();
    };
  }, [wanted]);
}

/** Sends what waits as soon as a person is signed in and the network is there, then every so often, and when asked. */
function useSendQueue(able: boolean, shop: number | undefined, onFailure: (error: unknown) => unknown): () => void {
  const failed = useEffectEvent(onFailure);
  const now = useRef<() => void>(undefined);
  useEffect(() => {
    if (!able) return;
    const { send, stop } = drainQueue(async (items, sentAt) => {
      try {
        return await browserCall(calls.postBatch, { Items: JSON.stringify(items), SentAt: sentAt });
      } catch (error) {
        failed(error);
        throw error;
      }
    }, shop);
    now.current = send;
    return stop;
  }, [able, shop]);
  return useCallback(() => now.current?.(), []);
}
