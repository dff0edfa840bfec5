import { useCallback, useEffect, useRef, useState } from "react";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import type { readState } from "#till/calls.ts";
import * as calls from "#till/calls.ts";
import { readDevice, writeDevice } from "#till/screen/browser/device-memory.ts";
import { failureOf } from "./failure.ts";
import { forgetOfflinePin, keepOfflinePins, type OfflinePerson } from "./sign-in/offline-pins.ts";

export type TillState = ResponseBody<typeof readState>;

/** The last state that was read, without staff: a till that opens without a network knows what it is. */
const storageKey = "cercle.till";
/** A person has locked the till, or signed in without a network: the session that the server knows must end. */
const lockedKey = "cercle.till.locked";

/** How often a till asks whether it is still one, so that a revoked device is closed within a minute. */
const checkMs = 30_000;
/** Without a network it asks more often: a browser says "online" before anything can be reached. */
const retryMs = 5_000;

function remembered(): TillState | undefined {
  const text = readDevice(storageKey);
  if (!text) return undefined;
  return { ...(JSON.parse(text) as TillState), SignedIn: null };
}

/** What this device is and who is signed in; "loading" until it is known. */
export function useTillState() {
  const [state, setState] = useState<TillState | "loading" | "failed">("loading");
  const [online, setOnline] = useState(true);
  /** Of the person who signed in without a network, until the server has it: never stored. */
  const typedPin = useRef<{ IdStaff: number; Pin: string }>(undefined);

  const setSignedIn = useCallback((SignedIn: TillState["SignedIn"]) => {
    setState((known) => (typeof known === "object" ? { ...known, SignedIn } : known));
  }, []);

  /** An answer is older than what is known once another was asked for, or the till was locked: it changes nothing then. */
  const asked = useRef(0);
  /** The end of a locked session is sent before the next sign-in, which it would end if it came after it. */
  const ending = useRef(Promise.resolve());

  /** Ends the session that was locked without a network, before anything is read by it. */
  const settleLock = useCallback(async () => {
    if (!readDevice(lockedKey)) return;
    const typed = typedPin.current;
    if (typed) {
      try {
        await browserCall(calls.signIn, typed);
        // Unless it was locked in the meantime.
        if (typedPin.current === typed) {
          typedPin.current = undefined;
          return writeDevice(lockedKey, null);
        }
      } catch (error) {
        const { offline, fault } = failureOf(error);
        if (offline || fault) throw error;
        // The PIN was replaced, or the person has left.
        typedPin.current = undefined;
        await forgetOfflinePin(typed.IdStaff);
      }
    }
    // A device that is no till any more has no session.
    await browserCall(calls.lock).catch((error) => {
      if (failureOf(error).code !== "not_paired") throw error;
    });
    writeDevice(lockedKey, null);
  }, []);

  const refresh = useCallback(async () => {
    asked.current += 1;
    const turn = asked.current;
    try {
      ending.current = ending.current.catch(() => {}).then(settleLock);
      await ending.current;
      const read = await browserCall(calls.readState);
      if (turn !== asked.current) return;
      // Names of colleagues are no one's business on a device that is no till any more.
      writeDevice(storageKey, read.Paired ? JSON.stringify({ ...read, Staff: [], SignedIn: null }) : null);
      setOnline(true);
      // Locked in the meantime.
      setState(readDevice(lockedKey) ? { ...read, SignedIn: null } : read);
      // A browser that refuses its storage remembers no one.
      await keepOfflinePins(read.Staff).catch(() => {});
    } catch (error) {
      if (turn !== asked.current) return;
      const { offline } = failureOf(error);
      setOnline(!offline);
      // With a server that is broken, no one could sign in on what is remembered.
      const known = offline ? (remembered() ?? "failed") : "failed";
      setState((before) => (before === "loading" || before === "failed" ? known : before));
    }
  }, [settleLock]);

  const lock = useCallback(async () => {
    writeDevice(lockedKey, "1");
    typedPin.current = undefined;
    setSignedIn(null);
    await refresh();
  }, [refresh, setSignedIn]);

  const signInOffline = useCallback(
    ({ IdStaff, Name }: OfflinePerson, Pin: string) => {
      writeDevice(lockedKey, "1");
      typedPin.current = { IdStaff, Pin };
      setSignedIn({ IdStaff, Name });
    },
    [setSignedIn],
  );
  const signIn = useCallback(
    async (person: { IdStaff: number; Pin: string }) => {
      // A lock that could not be sent is replaced by this session.
      await ending.current.catch(() => {});
      await browserCall(calls.signIn, person);
      writeDevice(lockedKey, null);
      void refresh();
    },
    [refresh],
  );

  useEffect(() => {
    void refresh();
    const lost = () => setOnline(false);
    addEventListener("online", refresh);
    addEventListener("offline", lost);
    return () => {
      removeEventListener("online", refresh);
      removeEventListener("offline", lost);
    };
  }, [refresh]);
  useEffect(() => {
    const timer = setInterval(refresh, online ? checkMs : retryMs);
    return () => clearInterval(timer);
  }, [refresh, online]);

  return { state, setSignedIn, online, setOnline, refresh, lock, signIn, signInOffline };
}
