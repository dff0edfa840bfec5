import type { Customer } from "#identity/session/browser/session.ts";
import { createStore } from "#ui/browser/store.ts";

/**
 * Who is signed in, where that has changed since this tab's page was loaded: null is no one, undefined is no change. The
 * page itself goes on showing the customer it was loaded for.
 */
export const sessionStore = createStore<Customer | null | undefined>(undefined);

export const openSessionChannel = () => new BroadcastChannel("cercle.session");
