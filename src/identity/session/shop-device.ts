import { createStore, useStore } from "#ui/store.ts";

/**
 * A tablet of the shop, on which one customer registers after the other: nothing of one may meet the next. The poster's
 * own button marks it (`?device=shop`), and the tab remembers. A customer's phone that scanned the poster is not marked.
 */
export const shopDevice = createStore(false);
export const shopDevicePlace = "cercle.shop-device";
/** What a form or an address carries to mark the shop's device. */
export const shopDeviceField = { name: "device", value: "shop" } as const;

const marked = (search: URLSearchParams) => search.get(shopDeviceField.name) === shopDeviceField.value;

/** As a document starts: does it stand on the shop's device? */
export function recogniseShopDevice(): void {
  // Only from a page of this site: a link elsewhere must not turn a customer's own tab into the shop's device.
  let shop = marked(new URLSearchParams(location.search)) && document.referrer.startsWith(`${location.origin}/`);
  try {
    if (shop) sessionStorage.setItem(shopDevicePlace, "1");
    else shop = sessionStorage.getItem(shopDevicePlace) !== null;
  } catch {
    // Storage may be forbidden; then the address alone tells.
  }
  shopDevice.set(shop);
}

/** Without script the address alone tells. */
export function useShopDevice(search: URLSearchParams): boolean {
  return useStore(shopDevice, (state) => state) || marked(search);
}
