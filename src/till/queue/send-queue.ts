import { CallFailed } from "#platform/api/client/client.ts";
import { createStore } from "#ui/browser/store.ts";
import type { OfflineSale } from "./database.ts";
import { firstWaiting, noteTried, openSaleQueue, saleQueue, settle } from "./sale-queue.ts";

/** An item of `POST till/purchase/batch`. */
type BatchItem = Omit<OfflineSale, "IdShop"> & { Kind: "purchase" };

interface BatchOutcome {
  ReceiptNumber: string;
  Status: number;
  /** Of a purchase. */
  Answer?: object | { Customer?: "unknown" | undefined; ClaimCode?: string | undefined } | undefined;
  Problem?: { detail: string; code: string } | undefined;
}

/** The call `POST till/purchase/batch`; rejects when there is no response, or a refusal of the call as a whole. */
export type PostBatch = (items: BatchItem[], sentAt: string) => Promise<{ Outcomes: BatchOutcome[] }>;

/** The API takes no more at once. */
const mostItems = 100;
export const retrySeconds = 30;
/** A server answers or gives up sooner. A request that hangs must not keep the lock from the other tabs. */
const timeoutMs = 30_000;

/**
 * Sends what waits, in order, until nothing waits or something must wait longer. One tab at a time. A sale leaves the queue
 * only when its outcome is stored here: after a lost response it is sent again, and its receipt number makes the server
 * count it once. Rejects with whatever `post` rejected with; the sales then wait on.
 */
export function sendQueue(post: PostBatch): Promise<void> {
  return navigator.locks.request("cercle-till-sender", async () => {
    for (;;) {
      const waiting = await firstWaiting(mostItems);
      if (waiting.length === 0) return;
      const items = waiting.map(({ queuedAt: _, IdShop: __, ...sale }): BatchItem => ({ Kind: "purchase", ...sale }));
      await noteTried(waiting, true);
      const { Outcomes } = await inTime(post(items, new Date().toISOString())).catch(async (error) => {
        // Refused as a whole, as without a PIN: nothing was recorded.
        if (error instanceof CallFailed && error.status < 500) await noteTried(waiting, undefined);
        throw error;
      });
      const final = Outcomes.filter(({ Status }) => Status < 500 && Status !== 429);
      await settle(final.map(outcomeOf));
      // An outcome that is not final, or one that is missing: the rest waits too.
      if (final.length < waiting.length) return;
    }
  });
}

/** A sale with a card that no member has was recorded, without points: the person at the till has a code for the customer. */
function outcomeOf({ ReceiptNumber, Status, Answer, Problem }: BatchOutcome) {
  if (Status !== 200)
    return { ReceiptNumber, refusal: { detail: Problem?.detail ?? "", code: Problem?.code ?? String(Status) } };
  if (Answer && "Customer" in Answer && Answer.Customer === "unknown")
    return { ReceiptNumber, refusal: { detail: Answer.ClaimCode ?? "", code: "unknown_card" } };
  return { ReceiptNumber };
}

async function inTime<Result>(response: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The batch has no response.")), timeoutMs);
  });
  try {
    return await Promise.race([response, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Failed: something still waited after the last attempt, as the server could not take it. */
export const sendState = createStore({ sending: false, failed: false });

/**
 * Sends what this shop's till has sold: on load, when the network is back, when a sale is kept, and every 30 s while something
 * waits. Returns functions that send at once, and that stop it.
 */
export function drainQueue(post: PostBatch, shop?: number): { send: () => void; stop: () => void } {
  let sending = false;
  let stopped = false;
  const countWaiting = () => saleQueue.get().waiting.length;
  const send = async () => {
    if (sending) return;
    sending = true;
    sendState.set({ ...sendState.get(), sending });
    // No network, no PIN session, a busy server: the sales wait, and the next attempt comes by itself.
    await sendQueue(post).catch(() => {});
    sending = false;
    if (!stopped) sendState.set({ sending, failed: countWaiting() > 0 });
  };
  let known = countWaiting();
  const stopWatching = saleQueue.subscribe(() => {
    const former = known;
    known = countWaiting();
    if (known > former) void send();
  });
  void openSaleQueue(shop).then(send);
  addEventListener("online", send);
  const timer = setInterval(() => {
    if (countWaiting() > 0) void send();
  }, retrySeconds * 1_000);
  return {
    send,
    stop() {
      stopped = true;
      sendState.set(sendState.initial);
      stopWatching();
      removeEventListener("online", send);
      clearInterval(timer);
    },
  };
}
