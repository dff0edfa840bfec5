import { createContext } from "react-router";

/**
 * Where a visitor came to a page from: directly (typed, from a mail program) or from a page of this site; from the configured
 * web shop; from anywhere else.
 */
export type NavigationSource = "direct" | "shop" | "elsewhere";

/** Set by the server for the page of a request. Without it, nothing is known. */
export const navigationSourceContext = createContext<NavigationSource>("elsewhere");
