import { expect, test } from "vitest";
import { brandWith, openProductOf } from "#testing/brand.server.ts";

interface Changed {
  Links: Record<string, Record<string, string>>;
  ClubName: Record<string, unknown>;
  [field: string]: unknown;
}

const directory = brandWith({
  "brand.json": (brand: Changed) => {
    Object.assign(brand, { Name: "Nord", Languages: ["en", "de"], DefaultLanguage: "de" });
    delete brand.ClubName["fr"];
    for (const link of Object.values(brand.Links)) delete link["fr"];
    brand.Links["Orders"] = { en: "https://shop.example/orders", de: "bestellungen" };
    brand["Profiles"] = [{ Name: "Instagram", Address: "https://instagram.example/nord" }];
  },
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
  const formats = /<meta name="formats" content="([^"]*)"/.exec(page)?.[1]?.replaceAll("&quot;", '"') ?? "";
  expect(JSON.parse(formats)).toMatchObject({ locales: ["de", "en"], texts: { "shell.toProgramme": ["Unser Klub"] } });
  expect(formats).not.toContain("mail.footer.who");
});

test("links lead to the brand's own pages, by address or below the web shop's", async () => {
  const texts = await import("#brand/brand.server.ts");
  expect(texts.shopPagesIn("en", "https://x.example").Orders).toBe("https://shop.example/orders");
  expect(texts.shopPagesIn("de", "https://x.example").Orders).toBe("https://x.example/bestellungen");
  expect(await html("/loyalty")).toContain('href="https://instagram.example/nord"');
});
