/** Where errors are reported (client-errors.server.ts). */
export const reportClientError = "POST client-error";

/** A page that fails again and again has said enough. */
const maxReports = 5;
let reports = 0;

/** Reports an error to the server. It throws nothing and waits for nothing, so it cannot cause another report. */
export function reportError(error: unknown): void {
  reports += 1;
  if (reports > maxReports) return;
  const fields = {
    Message: String(error),
    Stack: (error as Error | undefined)?.stack ?? "",
    Page: location.pathname,
    Release: document.querySelector<HTMLMetaElement>("meta[name=release]")?.content ?? "",
  };
  navigator.sendBeacon(`/api/${reportClientError.slice(5)}`, new URLSearchParams(fields));
}

/** For React: what an error boundary has caught, which the console shows as usual. */
export function reportCaughtError(error: unknown): void {
  console.error(error);
  reportError(error);
}

/** Whatever no code has caught, from now on. */
export function reportErrors(): void {
  addEventListener("error", ({ error, message }) => reportError(error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => reportError(reason));
}
