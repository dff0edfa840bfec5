import { isFromShop, pagePaths } from "#identity/paths.ts";
import { setUi, uiStore } from "./ui-store.ts";

/** Where a sign-in leads when nobody asked for a place: the profile form. */
export const defaultGoTo = uiStore.initial.loginGoTo;

/** The query that remembers where a stranger wanted to go. */
export const goToParameter = "loginGoTo";

/** Where somebody signed in goes on from an entrance. Whoever joins in the shop stands at the till: the card comes first. */
export function afterSignIn(search: URLSearchParams): string {
  if (isFromShop(search)) return pagePaths.memberPage;
  return search.has(goToParameter) ? safeGoTo(search.get(goToParameter)) : pagePaths.account;
}

/** Only paths of this site are followed: `//evil`, `/\evil`, `/..//evil` and `javascript:` lead to the default. */
export function safeGoTo(wanted: string | null | undefined): string {
  if (!wanted?.startsWith("/")) return defaultGoTo;
  try {
    const base = "http://site.invalid";
    const url = new URL(wanted, base);
    if (url.origin !== base) return defaultGoTo;
    const path = url.pathname + url.search;
    // Once its dots are gone, `/..//evil` has become an address of another site too.
    return new URL(path, base).origin === base ? path : defaultGoTo;
  } catch {
    return defaultGoTo;
  }
}

/** Where this sign-in leads: the address says it, or the tab remembers from the door it first knocked at. */
export function takeGoTo(wanted: string | null): string {
  const goTo = safeGoTo(wanted ?? uiStore.get().loginGoTo);
  if (typeof document !== "undefined") setUi({ loginGoTo: defaultGoTo });
  return goTo;
}
