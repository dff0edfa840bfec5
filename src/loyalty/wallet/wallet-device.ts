import { userAgentLength } from "#identity/session/user-agent.ts";

/** Which wallet a visitor can have in hand: Apple's, Google's, or, at a desk, either of them on a phone. */
export type Device = "apple" | "google" | "desk";

/** By what the browser says of itself. An iPad passes for a Mac, whose Safari takes Apple's passes too. */
export function deviceOf(sent: string): Device {
  const userAgent = sent.slice(0, userAgentLength);
  if (/Android/.test(userAgent)) return "google";
  if (/iPhone|iPad|iPod/.test(userAgent)) return "apple";
  const safari =
    /Macintosh.*Version\/[\d.]+ .*Safari\//.test(userAgent) && !/Chrome|Chromium|Edg|Firefox/.test(userAgent);
  return safari ? "apple" : "desk";
}
