// Finds a Chromium: the variable CHROMIUM, an installed one, the npm package's (x64 alone), or, as root on Debian, apt's. The headless
// shell comes first: without a user interface of its own it runs the same tests in four fifths of the time.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const own = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

export async function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const found = own.find(existsSync);
  if (found) return found;
  if (process.platform === "linux" && process.arch === "x64") {
    // The package unpacks the shared libraries it needs only where it detects AWS Lambda.
    process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs20.x";
    const { default: chromium } = await import("@sparticuz/chromium");
    return chromium.executablePath();
  }
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("No Chromium here: installing Debian's…");
    execFileSync("apt-get", ["update", "-qq"], { stdio: "ignore" });
    execFileSync("apt-get", ["install", "-y", "-qq", "chromium", "chromium-headless-shell"], { stdio: "ignore" });
    return "/usr/bin/chromium-headless-shell";
  }
  throw new Error("No Chromium found: install one, or name it in the variable CHROMIUM.");
}
