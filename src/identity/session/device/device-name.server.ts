import { userAgentLength } from "./user-agent.ts";

const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];
const systems: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "Mac"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** A device as its owner recognises it. The whole user agent is not stored. */
export function deviceName(userAgent: string | null): string | null {
  const agent = (userAgent ?? "").slice(0, userAgentLength);
  const firstMatch = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(agent))?.[1];
  return [firstMatch(browsers), firstMatch(systems)].filter(Boolean).join(" · ") || null;
}
