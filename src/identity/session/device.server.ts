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

/** Browsers send 100 to 300 characters. On 15 kB these patterns would hold the event loop: `.*` inside one is quadratic. */
const userAgentLength = 512;

/** What the owner recognises a device by. The browser's full description is not kept. */
export function deviceOf(userAgent: string | null): string | null {
  const read = (userAgent ?? "").slice(0, userAgentLength);
  const named = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(read))?.[1];
  return [named(browsers), named(systems)].filter(Boolean).join(" · ") || null;
}
