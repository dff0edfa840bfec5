import { useSearchParams } from "react-router";
import { createStore, useStore } from "#ui/store.ts";

/**
 * A tablet of the shop, on which one customer registers after the other: nothing of one may meet the next. The poster's
 * own button marks it, and the tab remembers. A customer's phone that scanned the poster is not marked.
 */
export const shopDeviceQuery = "device=shop";
const place = "cercle.shop-device";

export const shopDevice = createStore(false);

const marked = (search: URLSearchParams) => search.get("device") === "shop";

/** As a document starts: does it stand on the shop's device? */
export function recogniseShopDevice(): void {
  const now = marked(new URLSearchParams(location.search));
  try {
    if (now) sessionStorage.setItem(place, "1");
    shopDevice.set(sessionStorage.getItem(place) !== null);
  } catch {
    // Storage may be forbidden; then the address alone tells.
    shopDevice.set(now);
  }
}

/** Empties what the browser keeps for this site. Memory goes with the document. */
export function forgetVisitor(): void {
  try {
    localStorage.clear();
    sessionStorage.clear();
    sessionStorage.setItem(place, "1");
  } catch {
    // Nothing was kept, so nothing is left.
  }
}

export function useShopDevice(): boolean {
  const [search] = useSearchParams();
  // Without script the address alone tells.
  return useStore(shopDevice, (state) => state) || marked(search);
}
