import { expect, test } from "vitest";
import { deviceOf } from "./wallet-device.ts";

const webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  [
    "iPhone",
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webkit} Version/18.5 Mobile/15E148 Safari/604.1`,
    "apple",
  ],
  [
    "Chrome on an iPhone",
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webkit} CriOS/140.0 Mobile/15E148 Safari/604.1`,
    "apple",
  ],
  [
    "iPad, which reports itself as a Mac",
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.5 Safari/605.1.15`,
    "apple",
  ],
  [
    "Chrome on a Mac",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36",
    "desk",
  ],
  ["Firefox on a Mac", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0", "desk"],
  [
    "Android",
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Mobile Safari/537.36",
    "google",
  ],
  [
    "Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36 Edg/147.0",
    "desk",
  ],
  ["no user agent", "", "desk"],
])("%s", (_, userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});
