import { useEffect } from "react";
import type { Customer } from "#identity/session/browser/session.ts";
import { shopDevice } from "#identity/session/device/shop-device.ts";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { whenIdle } from "#ui/browser/when-idle.ts";
import { later } from "#ui/lazy.tsx";

const deleteCachedCards = later(async () => (await import("./card-cache.ts")).deleteCachedCards);
const cacheCard = later(async () => (await import("./cached-card.ts")).cacheCard);

/** Account pages prepare for a till without a network: they register the service worker and cache the card. */
export function useOfflineCard(customer: Customer | undefined, loyalty: LoyaltyCustomer | null): void {
  useEffect(() => {
    if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    // Refused, as in a private window, the card needs a network.
    return whenIdle(() => navigator.serviceWorker.register("/service-worker.js"));
  }, []);
  const id = customer?.IdCustomer;
  const name = `${customer?.Firstname} ${customer?.Lastname}`;
  // The loader reads it again after every action: each time the card is cached again.
  useEffect(() => {
    // The shop's device caches no card.
    if (id === undefined || !loyalty || shopDevice.get()) return;
    if (!loyalty.LoyaltyCustomerState) {
      void deleteCachedCards();
      return;
    }
    return whenIdle(() => cacheCard(browserCall, { IdCustomer: id, name }));
  }, [id, name, loyalty]);
}
