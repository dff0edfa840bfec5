import { friendCode, friendParameter, isJoining, pagePaths } from "#identity/paths.ts";
import { setUi, uiStore } from "./ui-store.ts";

/** Where a sign-in redirects to when no page asked for it: the profile form. */
export const defaultLoginGoTo = uiStore.initial.loginGoTo;

/** The query parameter with the page that asked for the sign-in. */
export const loginGoToParameter = "loginGoTo";

/** The sign-in that links for visitors lead to: then the account's home. Without a parameter the default above holds. */
export const loginToAccountPath = `${pagePaths.login}?${new URLSearchParams({ [loginGoToParameter]: pagePaths.account })}`;

/** Where sign-in and registration redirect to. Who came to join sees the card first: in the shop they are at the till. */
export function pathAfterSignIn(search: URLSearchParams): string {
  if (isJoining(search)) {
    const friend = friendCode(search);
    const query = friend ? `?${new URLSearchParams({ [friendParameter]: friend })}` : "";
    return `${pagePaths.memberPage}${query}`;
  }
  return search.has(loginGoToParameter) ? sameSitePath(search.get(loginGoToParameter)) : pagePaths.account;
}

/** Prevents open redirects: `//evil`, `/\evil`, `/..//evil` and `javascript:` become the default path. */
export function sameSitePath(wanted: string | null | undefined): string {
  if (!wanted?.startsWith("/")) return defaultLoginGoTo;
  try {
    const base = "http://site.invalid";
    const url = new URL(wanted, base);
    if (url.origin !== base) return defaultLoginGoTo;
    const path = url.pathname + url.search;
    // Resolving the dots of `/..//evil` yields `//evil`, an address of another site.
    return new URL(path, base).origin === base ? path : defaultLoginGoTo;
  } catch {
    return defaultLoginGoTo;
  }
}

/** Where this sign-in redirects to: the query parameter, else what the store holds, which is then reset. */
export function consumeLoginGoTo(wanted: string | null): string {
  const path = sameSitePath(wanted ?? uiStore.get().loginGoTo);
  if (typeof document !== "undefined") setUi({ loginGoTo: defaultLoginGoTo });
  return path;
}
