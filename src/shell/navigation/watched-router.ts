import type { Location, Navigation } from "react-router";

interface RouterState {
  location: Location;
  navigation: Navigation;
  loaderData: Record<string, { customer?: unknown } | null | undefined>;
  actionData: Record<string, unknown> | null;
  errors: Record<string, unknown> | null;
}

/** The router as code outside React watches it. React Router keeps these members private, so `src/pages` hands them in. */
export interface WatchedRouter {
  readonly state: RouterState;
  subscribe(listener: (state: RouterState) => void): void;
  hrefOf(location: Location): string;
}
