import { ErrorScreen } from "./error-screen.tsx";

/** /error: where a failed authentication lands. */
export function Component() {
  return <ErrorScreen />;
}
