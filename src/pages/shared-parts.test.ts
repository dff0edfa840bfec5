import { expect, test } from "vitest";
import { register } from "#identity/calls.ts";
import type { Site } from "#shell/site.tsx";
import { registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { createSharedParts } from "./shared-parts.server.ts";

test("a part is rendered once for an address and a site", () => {
  const parts = createSharedParts();
  let rendered = 0;
  const ask = (site: Site, path: string, number: string) =>
    parts(site, path, number, () => {
      rendered += 1;
      return `${number} at ${path}`;
    });
  const [french, english] = [{} as Site, {} as Site];
  expect(ask(french, "/account", "1")).toBe("1 at /account");
  expect(ask(french, "/account", "1")).toBe("1 at /account");
  expect(rendered).toBe(1);
  expect(ask(french, "/account", "2")).toBe("2 at /account");
  expect(ask(french, "/loyalty", "1")).toBe("1 at /loyalty");
  ask(english, "/account", "1");
  expect(rendered).toBe(4);
  for (let n = 0; n < 1_000; n += 1) ask(french, `/none/${n}`, "1");
  rendered = 0;
  for (let n = 0; n < 1_000; n += 1) ask(french, `/none/${n}`, "1");
  expect(rendered).toBeGreaterThan(900);
});

test("menus and footer are those of the page and its language, however often and by whomever pages were asked for", async () => {
  const { fetch, call } = await openTestProduct();
  const tokens: string[] = [];
  for (const Firstname of ["Clarisse", "Odile"])
    tokens.push((await call(register, registrationForm({ Firstname }))).AuthData.Token);
  for (const token of [...tokens, ...tokens])
    for (const [prefix, menu] of [
      ["", "Mon espace"],
      ["/en", "Account menu"],
    ])
      for (const page of ["/account", "/account/informations"]) {
        const html = await (await fetch(prefix + page, { headers: { cookie: `auth.token=${token}` } })).text();
        expect(html).not.toContain("data-part");
        expect(html.match(/<nav aria-label="[^"]*"/g)?.filter((nav) => nav.includes(`"${menu}"`))).toHaveLength(2);
        expect(html.match(/<footer/g)).toHaveLength(1);
        const current = html
          .match(/<a [^>]*aria-current="page"[^>]*>/g)
          ?.map((link) => /href="([^"]*)"/.exec(link)?.[1]);
        expect(new Set(current)).toEqual(new Set([prefix + page]));
        expect(html.match(/name="mobile-menu"/g)).toHaveLength(html.match(/name="menu"/g)?.length ?? 0);
      }
});
