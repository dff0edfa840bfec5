import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { brandWith, openProductOf } from "#testing/brand.server.ts";

interface Changed {
  Links: Record<string, Record<string, string>>;
  ClubName: Record<string, unknown>;
  [field: string]: unknown;
}

const own = {
  Family: "Nord Sans",
  Generic: "sans-serif",
  Files: [{ File: "nord.woff2", Weight: "400", Style: "normal" }],
};
const directory = brandWith({
  "brand.json": (brand: Changed) => {
    Object.assign(brand, { Name: "Nord", Languages: ["en", "de"], DefaultLanguage: "de", Domain: "nord.example" });
    brand.ClubName = JSON.parse(JSON.stringify(brand.ClubName).replaceAll("Cercle", "Nord Club"));
    delete brand.ClubName["fr"];
    brand["Contact"] = { Email: "hallo@nord.example", Phone: "+41 44 999 00 12", Address: ["Nord AG", "Zürich"] };
    for (const link of Object.values(brand.Links)) delete link["fr"];
    brand.Links["Orders"] = { en: "https://shop.example/orders", de: "bestellungen" };
    brand["Profiles"] = [{ Name: "Instagram", Address: "https://instagram.example/nord" }];
  },
  "theme.json": (theme: { Colours: Record<string, string>; Shades: Record<string, string>; Typefaces: object }) => {
    Object.assign(theme.Colours, { Ink: "#10231c", Accent: "#1d4d3a" });
    Object.assign(theme, { ButtonShape: "pill", Typefaces: { Text: own, Display: own } });
  },
  "pages/fr": null,
  "fonts/nord.woff2": "not a font, but a file",
  "people.json": '[{"firstname":"Reto","lastname":"Ammann","email":"reto@beispiel.ch"}]',
  "messages/de.json": { "shell.toProgramme": "Unser Klub", "mail.footer.who": "Es schreibt {brand}." },
});
const { fetch } = await openProductOf(directory);
const html = async (path: string, headers = {}) => (await fetch(path, { headers })).text();

test("a path without a prefix is in the brand's default language, and a language it lacks is not found", async () => {
  expect(await html("/loyalty")).toContain('<html lang="de"');
  expect(await html("/de/loyalty")).toContain('<html lang="de"');
  expect(await html("/en/loyalty")).toContain('<html lang="en"');
  for (const path of ["/fr", "/fr/loyalty", "/fr/account", "/fr/manifest.webmanifest", "/fr/office"])
    expect((await fetch(path)).status, path).toBe(404);
});

test("a brand without a programme of its own has the default one, in its own words and with its contact", async () => {
  const pages = await Promise.all(["/", "/en", "/loyalty", "/en/loyalty", "/help"].map((path) => html(path)));
  for (const page of pages)
    expect(page.replace(/<meta name="formats"[^>]*>/, "")).not.toMatch(/Cercle|cercle\.example/);
  expect(pages[0]).toContain("Willkommen im Nord Club");
  expect(pages[1]).toContain("Welcome to the Nord Club");
  expect(pages[4]).toContain("hallo@nord.example");
});

test("the sandbox has the brand's theme, and its providers the brand's people", async () => {
  const consent = await html("/sandbox/google/consent?client_id=cercle.sandbox");
  expect(Array.from(consent.matchAll(/<strong>([^<]+)/g), ([, name]) => name)).toEqual(["Reto Ammann"]);
  expect(consent).toMatch(/value="alix\.\d+@beispiel\.ch"/);
  expect(await html("/sandbox/sandbox.css")).toContain("--color-accent:#1d4d3a");
});

test("menus, hreflang and the site's map have the brand's languages alone", async () => {
  const page = await html("/en/loyalty");
  expect(
    Array.from(page.matchAll(/<link rel="alternate" hrefLang="([\w-]+)" href="[^"]*?(\/[a-z/]+)"/g), ([, ...of]) => of),
  ).toEqual([
    ["de", "/loyalty"],
    ["en", "/en/loyalty"],
    ["x-default", "/loyalty"],
  ]);
  expect(page).not.toMatch(/Français|lang="fr"/);
  const map = await html("/sitemap.xml");
  expect(map).not.toContain('hreflang="fr"');
});

test("neither a cookie nor a browser's preference leads to a language the brand lacks", async () => {
  const home = await fetch("/", { headers: { cookie: "i18n_redirected=fr", "accept-language": "fr" } });
  expect(home.status).toBe(200);
  expect(await home.text()).toContain('<html lang="de"');
  const english = await fetch("/", { headers: { "accept-language": "fr, en;q=0.5" } });
  expect(english.headers.get("location")).toBe("/en");
});

test("a text in the brand's own words is on the page, and reaches the browser without those of the server", async () => {
  const page = await html("/loyalty");
  expect(page).toContain("Unser Klub");
  const formats = /<meta name="formats" content='([^']*)'/.exec(page)?.[1] ?? "";
  expect(JSON.parse(formats)).toMatchObject({ locales: ["de", "en"], texts: { "shell.toProgramme": ["Unser Klub"] } });
  expect(formats).not.toContain("mail.footer.who");
  expect(formats).not.toContain("pairingMinutes");
});

test("links lead to the brand's own pages, by address or below the web shop's", async () => {
  const texts = await import("#brand/brand.server.ts");
  expect(texts.shopPagesIn("en", "https://x.example").Orders).toBe("https://shop.example/orders");
  expect(texts.shopPagesIn("de", "https://x.example").Orders).toBe("https://x.example/bestellungen");
  expect(await html("/loyalty")).toContain('href="https://instagram.example/nord"');
});

test("the theme is a style of the head, whose hash the content security policy names", async () => {
  for (const path of ["/loyalty", "/authenticate/login"]) {
    const response = await fetch(path);
    const sheet = /<style>(.*?)<\/style>/.exec(await response.text())?.[1] ?? "";
    expect(sheet).toContain("--color-accent:#1d4d3a");
    expect(sheet).toContain("--radius-button:99px");
    expect(sheet).toContain('--font-display:"Nord Sans",sans-serif');
    const hash = createHash("sha256").update(sheet).digest("base64");
    expect(response.headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
  }
});

test("the brand's font, pictures and icons are served, fonts and pictures for good", async () => {
  const page = await html("/");
  const font = /url\("(\/assets\/brand\/nord-[\da-f]{8}\.woff2)"\)/.exec(page)?.[1] ?? "";
  const picture = /srcSet="(\/assets\/brand\/home-[\da-f]{8}\.avif)"/.exec(page)?.[1] ?? "";
  for (const path of [font, picture])
    expect((await fetch(path)).headers.get("cache-control"), path).toContain("immutable");
  expect((await fetch("/favicon.svg")).headers.get("content-type")).toBe("image/svg+xml");
  const manifest = await (await fetch("/manifest.webmanifest")).json();
  expect(manifest).toMatchObject({ name: "Nord", lang: "de", theme_color: "#ffffff" });
});

test("emails have the brand's colours, typeface and shape", async () => {
  const { emailHtml } = await import("#platform/mail/email.server.tsx");
  const email = emailHtml(
    { subject: "", preheader: "", title: "", paragraphs: [], action: { label: "", url: "" } },
    "de",
  );
  expect(email).toContain("background-color:#1d4d3a");
  expect(email).toContain("Nord Sans");
  expect(email).toContain("border-radius:99px");
});

test("legal pages are in the brand's languages, with its names and the product's own periods", async () => {
  const { idleYears } = await import("#identity/privacy/retention.server.ts");
  const page = await html("/legal/privacy");
  expect(page).toContain("<h1");
  expect(page).toContain(`nach ${idleYears} Jahren ohne Besuch`);
  expect(page).not.toMatch(/\{\w+\}<|\{idleYears\}/);
  expect((await fetch("/fr/legal/privacy")).status).toBe(404);
  expect((await fetch("/legal/unknown")).status).toBe(404);
});
