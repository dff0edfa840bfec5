import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { type Brand, installBrand, readBrand } from "#brand/brand.server.ts";
import { BadBrand } from "#brand/brand-file.server.ts";
import { localePath } from "#i18n/locale.ts";
import { pagePaths } from "#identity/paths.ts";
import { clubPath } from "#loyalty/paths.ts";
import { firstProgramme } from "#loyalty/programme/first-programme.server.ts";
import { appleColours } from "#loyalty/wallet/apple/apple-pass.server.ts";
import { googleClass } from "#loyalty/wallet/google/google-pass.server.ts";
import { emailHtml } from "#platform/mail/email.server.tsx";

interface Shot {
  title: string;
  picture: Buffer;
}

const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };
/** Twelve screens: six at each width, in the languages of the brand in turn. */
const screens = [
  ...[pagePaths.home, clubPath, pagePaths.login, pagePaths.help].map((path) => ({ path, size: desk, member: false })),
  ...[pagePaths.memberPage, pagePaths.informations].map((path) => ({ path, size: desk, member: true })),
  ...[pagePaths.home, pagePaths.register, "/legal/terms"].map((path) => ({ path, size: phone, member: false })),
  ...[pagePaths.account, pagePaths.memberPage, pagePaths.informations].map((path) => ({
    ...{ path, size: phone, member: true },
  })),
];
const emails = ["joined", "voucher", "tier", "reset"];

/** `npm run brand -- pictures DIR`: starts the brand's demo on a data folder of its own, and writes pictures of it on one sheet. */
export async function writeContactSheet(directory: string): Promise<string> {
  const brand = readBrand(directory);
  installBrand(brand);
  const data = mkdtempSync(join(tmpdir(), "brand-pictures-"));
  const { chromium } = await import("@playwright/test");
  const { findChromium } = await import(pathToFileURL(resolve("scripts/chromium.mjs")).href);
  const demo = await startDemo(directory, data);
  const browser = await chromium.launch({ executablePath: await findChromium(), args: ["--no-sandbox"] });
  try {
    const shots = [
      ...(await shootScreens(browser, demo.url, brand)),
      ...(await shootStaff(browser, demo.url, brand)),
      ...(await shootEmails(browser, demo.url, brand)),
      ...(await shootPasses(browser, brand)),
    ];
    const file = join("var", "brands", `${basename(resolve(directory))}.png`);
    mkdirSync(join("var", "brands"), { recursive: true });
    writeFileSync(file, await sheetOf(browser, brand, shots));
    return file;
  } finally {
    await browser.close();
    await demo.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function startDemo(directory: string, data: string) {
  const port = await freePort();
  const environment = { ...process.env, BRAND_DIR: directory, DATA_DIR: data, PORT: String(port), LOG_LEVEL: "warn" };
  const child = spawn(process.execPath, ["dist/server/demo.js", "--brand", directory], {
    ...{ env: environment, stdio: ["ignore", "pipe", "inherit"] },
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  for await (const line of lines) if (line.includes(`:${port}`)) break;
  if (child.exitCode !== null) throw new BadBrand(`The demo of ${directory} did not start.`);
  child.stdout?.resume();
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { url: `http://localhost:${port}`, stop };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "localhost", done));
  const address = server.address();
  await new Promise<void>((done) => server.close(() => done()));
  return typeof address === "object" && address ? address.port : 0;
}

async function picture(page: Page): Promise<Buffer> {
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready);
  return page.screenshot({ animations: "disabled" });
}

async function shootScreens(browser: Browser, url: string, brand: Brand): Promise<Shot[]> {
  const visitor = await browser.newContext();
  const member = await browser.newContext();
  await signIn(member, url);
  const shots: Shot[] = [];
  for (const [index, { path, size, member: isMember }] of screens.entries()) {
    const locale = brand.locales[index % brand.locales.length] ?? brand.DefaultLanguage;
    const page = await (isMember ? member : visitor).newPage();
    await page.setViewportSize(size);
    await page.goto(url + localePath(locale, path));
    shots.push({ title: `${localePath(locale, path)}, ${size.width}`, picture: await picture(page) });
    await page.close();
  }
  return shots;
}

/** As the first of the demo's people. */
async function signIn(context: BrowserContext, url: string): Promise<void> {
  const { demoPassword, readPopulation } = await import("#commands/demo/seed-people.server.ts");
  const page = await context.newPage();
  await page.goto(url + pagePaths.login);
  await page.locator("input[type=email]").fill(readPopulation()[0]?.email ?? "");
  await page.locator("input[type=password]").fill(demoPassword);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/account/);
  await page.close();
}

async function shootStaff(browser: Browser, url: string, brand: Brand): Promise<Shot[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const headers = { "sec-fetch-site": "same-origin" };
  const { Code, IdStaff, Pin } = await (await context.request.get(`${url}/sandbox/till.json`)).json();
  await context.request.post(`${url}/api/till/pair`, { form: { Code, TillName: "1" }, headers });
  await context.request.post(`${url}/api/till/sign-in`, { form: { IdStaff, Pin }, headers });
  const page = await context.newPage();
  await page.goto(`${url}/till`);
  await page.locator(".till-ready").waitFor();
  const till = { title: "till", picture: await picture(page) };
  const [owner] = await (await context.request.get(`${url}/sandbox/office.json`)).json();
  const form = { email: owner.Email, locale: brand.DefaultLanguage };
  await context.request.post(`${url}/sandbox/office/session`, { form, headers: { ...headers, origin: url } });
  await page.goto(`${url}/office`);
  await page.locator("h1").waitFor();
  return [till, { title: "back office", picture: await picture(page) }];
}

async function shootEmails(browser: Browser, url: string, brand: Brand): Promise<Shot[]> {
  await import("#app/text-numbers.server.ts");
  const { sampleEmails } = await import("#commands/customers/sample-emails.server.ts");
  const page = await browser.newPage({ viewport: { width: 640, height: 900 } });
  // The samples link to an address that is not there: their pictures are those of the demo.
  await page.route(/^https:\/\/[^/]+\/assets\//, async (route) =>
    route.fulfill({ response: await route.fetch({ url: url + new URL(route.request().url()).pathname }) }),
  );
  const shots: Shot[] = [];
  for (const [index, name] of emails.entries()) {
    const locale = brand.locales[index % brand.locales.length] ?? brand.DefaultLanguage;
    const email = sampleEmails(locale)[name];
    if (!email) continue;
    await page.setContent(emailHtml(email, locale));
    shots.push({ title: `email ${name}, ${locale}`, picture: await picture(page) });
  }
  return shots;
}

/** Drawn from what each wallet is sent: the wallets themselves draw much the same. */
async function shootPasses(browser: Browser, brand: Brand): Promise<Shot[]> {
  const tier = firstProgramme().tiers.at(-1);
  const status = (tier?.name as Record<string, string> | undefined)?.[brand.DefaultLanguage] ?? "";
  const apple = appleColours(tier?.rank ?? 1);
  const google = googleClass({ issuerId: "", publicUrl: "" });
  const image = (file: string) =>
    `data:image/png;base64,${readFileSync(join(brand.directory, "derived", file)).toString("base64")}`;
  const passes = [
    {
      title: "Apple Wallet",
      ground: apple.background,
      ink: apple.text,
      logo: image(`wallet-logo-${apple.logo}@2x.png`),
    },
    { title: "Google Wallet", ground: google.hexBackgroundColor, ink: "#ffffff", logo: image("icon-192.png") },
  ];
  const page = await browser.newPage({ viewport: { width: 420, height: 560 } });
  const shots: Shot[] = [];
  for (const { title, ground, ink, logo } of passes) {
    await page.setContent(
      `<body style="margin:0;padding:30px;font:16px sans-serif"><div style="background:${ground};color:${ink};border-radius:14px;padding:20px;height:460px;box-sizing:border-box"><img src="${logo}" height="50" alt=""> <b style="font-size:22px;vertical-align:16px">${brand.Wordmark ?? brand.Name.toUpperCase()}</b><p>${status}<p style="font-size:40px;margin:20px 0">650</p><p style="background:white;color:black;padding:30px;text-align:center;margin-top:120px">2900000123496</p></div>`,
    );
    shots.push({ title, picture: await picture(page) });
  }
  return shots;
}

async function sheetOf(browser: Browser, brand: Brand, shots: Shot[]): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 2000, height: 1000 } });
  const figures = shots.map(
    ({ title, picture: shot }) =>
      `<figure style="margin:0"><img style="height:360px;border:1px solid #ccc" src="data:image/png;base64,${shot.toString("base64")}"><figcaption>${title}</figcaption></figure>`,
  );
  await page.setContent(
    `<body style="margin:30px;font:15px sans-serif;background:#eee"><h1>${brand.Name}</h1><div style="display:flex;flex-wrap:wrap;gap:24px">${figures.join("")}</div>`,
  );
  await page.evaluate(() => Promise.all(Array.from(document.images, (one) => one.decode())));
  return page.screenshot({ fullPage: true });
}
