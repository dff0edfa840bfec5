import { useCallback, useEffect, useState } from "react";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import type { readState } from "#till/calls.ts";
import * as calls from "#till/calls.ts";
import { readDevice, writeDevice } from "#till/screen/browser/device-memory.ts";
import { failureOf } from "./failure.ts";

export type TillState = ResponseBody<typeof readState>;

/** The last state that was read, without who is signed in: a till that opens without a network knows what it is. */
const storageKey = "cercle.till";

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

  const refresh = useCallback(async () => {
    try {
      const read = await browserCall(calls.readState);
      // Names of colleagues are no one's business on a device that is no till any more.
      writeDevice(storageKey, read.Paired ? JSON.stringify({ ...read, Staff: [], SignedIn: null }) : null);
      setOnline(true);
      setState(read);
    } catch (error) {
      const { offline } = failureOf(error);
      setOnline(!offline);
      // Who works here is not stored: with a server that is broken, no one could sign in on what is remembered.
      const known = offline ? (remembered() ?? "failed") : "failed";
      setState((before) => (before === "loading" || before === "failed" ? known : before));
    }
  }, []);

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

  return { state, setState, online, setOnline, refresh };
}
