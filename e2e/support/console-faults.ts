/** A line of the console, and the address it is about. */
export interface ConsoleLine {
  text: string;
  url: string;
}

/** Refusals that a journey may meet; Chromium writes a console error for each of them. */
const refusal = /^Failed to load resource: the server responded with a status of (400|401|403|404|409|422|429) /;
/** A network that a test turned off, or a request that it aborted. */
const disconnected = /^Failed to load resource: net::ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|FAILED)$/;
/** Scripts, styles, fonts, icons, manifests and the service worker: a page that lacks one is broken. */
const buildFile = /^\/assets\/|\.(js|css|woff2?|svg|png|ico|webmanifest)$/;

/** Whether a console error fails the test: everything does, unless it is a refusal by the API, or the test names it. */
export function isFault({ text, url }: ConsoleLine, tolerated?: RegExp): boolean {
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  if (tolerated?.test(`${text} ${path}`)) return false;
  return buildFile.test(path) || !(refusal.test(text) || disconnected.test(text));
}

/** For tests without a network: files that were not loaded before cannot be, and the worker cannot look for a newer one. */
export const withoutNetwork =
  /^An unknown error occurred when fetching the script|net::ERR_(INTERNET_DISCONNECTED|FAILED) /;
