import { useEffect } from "react";
import type { Customer } from "#identity/session/session.ts";
import { shopDevice } from "#identity/session/shop-device.ts";
import type { Standing } from "#loyalty/standing.ts";
import { browserCall } from "#platform/api/client.ts";
import { forgetCards } from "./card-storage.ts";
import { keepCard } from "./kept-card.ts";

/** Nothing of this is needed to see a page: it waits until the page is there and the phone has a moment. */
function whenIdle(work: () => void): () => void {
  const later = () => {
    if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 3_000 });
    else setTimeout(work, 200);
  };
  if (document.readyState === "complete") later();
  else addEventListener("load", later, { once: true });
  return () => removeEventListener("load", later);
}

/** Account pages make the phone ready for a till without a network: the service worker, and the card as it is now. */
export function useOfflineCard(customer: Customer | undefined, standing: Standing | null): void {
  useEffect(() => {
    if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    return whenIdle(() => {
      // Refused, as in a private window: the card is then one that needs a network.
      navigator.serviceWorker.register("/service-worker.js").catch(() => {});
    });
  }, []);
  const id = customer?.IdCustomer;
  const name = `${customer?.Firstname} ${customer?.Lastname}`;
  // The standing is new after every action, and with it what should be kept.
  useEffect(() => {
    // The shop's device keeps nobody's card.
    if (id === undefined || !standing || shopDevice.get()) return;
    if (!standing.LoyaltyCustomerState) {
      void forgetCards();
      return;
    }
    return whenIdle(() => void keepCard(browserCall, { IdCustomer: id, name }));
  }, [id, name, standing]);
}
