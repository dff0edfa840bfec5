import type { Customer } from "#identity/session/session.ts";
import { createStore } from "#ui/store.ts";

/**
 * Who is signed in, as far as this tab has learned since its page was loaded: null is nobody, undefined is no news.
 * The page itself goes on showing whom it was loaded for.
 */
export const sessionStore = createStore<Customer | null | undefined>(undefined);

export const openSessionChannel = () => new BroadcastChannel("cercle.session");
