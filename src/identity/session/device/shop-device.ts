import { createStore, useStore } from "#ui/browser/store.ts";

/**
 * A tablet of the shop, on which one customer registers after the other: no data of one may reach the next. The poster's
 * own button marks it (`?device=shop`), and session storage keeps the mark. A phone that scanned the poster has none.
 */
export const shopDevice = createStore(false);
export const shopDeviceKey = "cercle.shop-device";
/** What a form or an address carries to mark the shop's device. */
export const shopDeviceField = { name: "device", value: "shop" } as const;

const isMarked = (search: URLSearchParams) => search.get(shopDeviceField.name) === shopDeviceField.value;

/** Run once as the document starts. */
export function detectShopDevice(): void {
  // Only from a page of this site: a link elsewhere must not turn a customer's own tab into the shop's device.
  let shop = isMarked(new URLSearchParams(location.search)) && document.referrer.startsWith(`${location.origin}/`);
  try {
    if (shop) sessionStorage.setItem(shopDeviceKey, "1");
    else shop = sessionStorage.getItem(shopDeviceKey) !== null;
  } catch {
    // Storage may be forbidden; then only the address marks the device.
  }
  shopDevice.set(shop);
}

/** Without script only the address marks the device. */
export function useShopDevice(search: URLSearchParams): boolean {
  return useStore(shopDevice, (state) => state) || isMarked(search);
}
