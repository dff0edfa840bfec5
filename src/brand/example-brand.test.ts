import { expect, test } from "vitest";
import { openProductOf } from "#testing/brand.server.ts";

const { fetch, database } = await openProductOf("examples/brand-nord");

const pages = ["/", "/loyalty", "/help", "/store/qrcode", "/authenticate/login", "/authenticate/register", "/forget"];
const legal = ["terms", "privacy", "imprint", "accessibility"].map((name) => `/legal/${name}`);

test.each(["", "/en"].flatMap((prefix) => [...pages, ...legal].map((path) => prefix + path)))(
  "%s of the example is in its own name, without a trace of the default brand",
  async (path) => {
    const response = await fetch(path.replace(/(.)\/$/, "$1"));
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(html).toContain("Nordlicht");
    // Lower-case identifiers of the product, as in names of storage, are the same for all brands.
    expect(html).not.toMatch(/Cercle|CERCLE|Paris|Jost|Bodoni/);
    // As Switzerland writes.
    expect(html).not.toContain("ß");
  },
);

test("the logo has colours of its own on a dark screen, and no light ground there", async () => {
  const html = await (await fetch("/")).text();
  expect(html).toMatch(
    /prefers-color-scheme:dark\)\{:root\{[^}]*\}header a img\.light-scheme\{color-scheme:dark;background:none\}/,
  );
});

test("manifest and API docs are the example's own", async () => {
  expect(await (await fetch("/manifest.webmanifest")).json()).toMatchObject({ name: "Nordlicht", lang: "de" });
  expect(await (await fetch("/api/docs")).text()).toContain("Nordlicht");
});

test("the example's demo has people of its own, who live by its programme", async () => {
  const { seedPeople } = await import("#commands/demo/seed-people.server.ts");
  const added = await seedPeople(database, { now: new Date(), publicUrl: "http://localhost", passwordHash: null });
  expect(added).toHaveLength(3);
  expect(added.join()).toContain("reto@beispiel.ch");
});
