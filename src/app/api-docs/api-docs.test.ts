import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { openTestProduct } from "#testing/product.server.ts";

const { fetch } = await openTestProduct();

interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** The rows of a call's tables, each as the texts of its cells. */
function rowsOf(page: string, anchor: string): string[][] {
  const [, section = ""] = page.split(`<h2 id="${anchor}">`);
  const [tables = ""] = section.split("</section>");
  return [...tables.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => cell.replace(/<[^>]+>/g, "")),
  );
}

test("the page says of each field of an answer what it means, and whether it may be absent or null", async () => {
  const page = await (await fetch("/api/docs")).text();
  const sold = rowsOf(page, "post-shop-purchase");
  const waits = expect.stringMatching(/^A large sale, or many of a customer in a day: a person who did not ring it up/);
  expect(sold).toContainEqual(["Waiting", "true", "may be absent", waits]);
  expect(sold).toContainEqual([
    "Lines[].Paid",
    "string",
    "always",
    "What is paid after vouchers, in the currency of the club",
  ]);
  expect(sold.find(([path]) => path === "Tier")?.[2]).toBe("may be null");
  expect(sold.find(([path]) => path === "Tier.Multiplier")?.[2]).toBe("always");
  const found = rowsOf(page, "post-shop-identify").find(([path]) => path === "Customers[].Vouchers[].State");
  expect(found?.[1]).toBe(
    "&quot;available&quot; | &quot;held&quot; | &quot;used&quot; | &quot;cancelled&quot; | &quot;expired&quot;",
  );
});

/** The paths of fields that hold a value and do not say what it means. */
function withoutMeaning({ properties = {}, items, anyOf = [], ...schema }: Schema, path: string): string[] {
  const inner = [
    ...Object.entries(properties).flatMap(([name, property]) => withoutMeaning(property, `${path}.${name}`)),
    ...(items?.properties ? withoutMeaning(items, path) : []),
    ...anyOf.flatMap((one) => (one.properties ? withoutMeaning(one, path) : [])),
  ];
  const isParent =
    inner.length > 0 || Object.keys(properties).length > 0 || items?.properties || anyOf.some((one) => one.properties);
  return isParent || schema.description !== undefined ? inner : [path];
}

test("what a shop is answered has a meaning in every field, and every call of a key names its scope", async () => {
  const text = await (await fetch("/api/openapi.json")).text();
  expect(text).not.toContain("undefined");
  const { paths } = JSON.parse(text);
  const missing: string[] = [];
  for (const [path, methods] of Object.entries<object>(paths))
    for (const { security, description, responses } of Object.values(methods))
      if (security?.some((scheme: object) => "key" in scheme)) {
        expect({ path, description }).toEqual({ path, description: expect.stringMatching(/^Scope: \w/) });
        const { schema } = responses["200"].content["application/json"];
        for (const [name, property] of Object.entries<Schema>(schema.properties))
          missing.push(...withoutMeaning(property, `${path} ${name}`));
      }
  expect(missing).toEqual([]);
});

test("whatever changes something for a cookie may be refused as another site's; every call may come too slowly", async () => {
  const { paths } = await (await fetch("/api/openapi.json")).json();
  for (const [path, methods] of Object.entries<object>(paths))
    for (const [method, { security, responses }] of Object.entries(methods)) {
      const byKey = security?.some((scheme: object) => "key" in scheme);
      const said = (responses["403"]?.description ?? "").includes("cross_site");
      expect({ path, method, said }).toEqual({ path, method, said: method !== "get" && !byKey });
      expect({ path, method, slow: responses["408"]?.description }).toEqual({ path, method, slow: "too_slow" });
    }
});

test.each([
  ["/api/docs", "br"],
  ["/api/docs", "gzip"],
  ["/api/openapi.json", "br"],
  ["/api/openapi.json", "gzip"],
])("%s is sent as %s to a client that accepts it, and is the same page each time", async (path, encoding) => {
  const plain = await fetch(path);
  expect(plain.headers.get("content-encoding")).toBeNull();
  const page = await plain.text();
  const unpack = encoding === "br" ? brotliDecompressSync : gunzipSync;
  for (const time of ["first", "again"]) {
    const response = await fetch(path, { headers: { "accept-encoding": encoding } });
    expect(response.headers.get("content-encoding"), time).toBe(encoding);
    expect(response.headers.get("vary"), time).toContain("accept-encoding");
    const body = Buffer.from(await response.arrayBuffer());
    expect(body.length, time).toBeLessThan(page.length / 8);
    expect(unpack(body).toString(), time).toBe(page);
  }
});
