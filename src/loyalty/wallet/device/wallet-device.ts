import { userAgentLength } from "#identity/session/device/user-agent.ts";

/** Which wallet a visitor's device supports: Apple's, Google's, or, on a desktop, either of them on a phone. */
export type Device = "apple" | "google" | "desk";

/** By the User-Agent header. An iPad reports itself as a Mac, whose Safari takes Apple's passes too. */
export function deviceOf(sent: string): Device {
  const userAgent = sent.slice(0, userAgentLength);
  if (/Android/.test(userAgent)) return "google";
  if (/iPhone|iPad|iPod/.test(userAgent)) return "apple";
  const safari =
    /Macintosh.*Version\/[\d.]+ .*Safari\//.test(userAgent) && !/Chrome|Chromium|Edg|Firefox/.test(userAgent);
  return safari ? "apple" : "desk";
}
