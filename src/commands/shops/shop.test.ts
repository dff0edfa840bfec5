import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { quote, readReport } from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { manageShops } from "./manage-shops.server.ts";

const { as, database } = await openTestProduct();
const shop = (...words: string[]) => manageShops(database, words, new Date());
const lastOf = async (said: Promise<string[]>) => (await said).at(-1) ?? "";

test("a shop and its key are made, the key works at once, and revoked it opens nothing", async () => {
  const id = await lastOf(shop("add", "Cercle Marais", "Paris"));
  expect(id).toMatch(/^\d+$/);
  const key = await lastOf(shop("key", id, "Till 1"));
  expect(key).toMatch(/^cercle_[a-z2-9]{8}_[\w-]{43}$/);
  const priced = await as(key)(quote, { Amount: "10.00" });
  expect(priced.Lines).toEqual([{ Line: "1", Paid: "10.00", VoucherShare: "0.00" }]);
  const [, prefix = ""] = key.split("_");
  await shop("revoke", prefix);
  expect(await refusalOf(as(key)(quote, { Amount: "10.00" }))).toMatchObject({ code: "key_invalid" });
  await expect(shop("revoke", prefix)).rejects.toThrow("to revoke");
  const reports = await lastOf(shop("key", id, "Head office", "report,events"));
  expect(await refusalOf(as(reports)(quote, { Amount: "10.00" }))).toMatchObject({ code: "scope_missing" });
});

test("a rotated key works on for seven days beside the new one, then no more", async () => {
  const id = await lastOf(shop("add", "Cercle Lyon", "Lyon"));
  const old = await lastOf(shop("key", id, "Till 1", "identify"));
  const fresh = await lastOf(shop("rotate", old));
  await as(fresh)(quote, { Amount: "10.00" });
  await as(old)(quote, { Amount: "10.00" });
  expect(await refusalOf(as(fresh)(readReport, { Day: "2026-03-10" }))).toMatchObject({ code: "scope_missing" });
  const [, prefix] = old.split("_");
  const { rows } = await database.execute(sql`
    select round(extract(epoch from ends_at - now()) / 86400)::int as days from shop_key where prefix = ${prefix}`);
  expect(rows).toEqual([{ days: 7 }]);
  await database.execute(sql`update shop_key set ends_at = now() - interval '1 second' where prefix = ${prefix}`);
  expect(await refusalOf(as(old)(quote, { Amount: "10.00" }))).toMatchObject({ code: "key_invalid" });
  await expect(shop("rotate", old)).rejects.toThrow("to rotate");
});

test("what cannot be done is refused in plain words", async () => {
  for (const words of [
    [],
    ["add", "x"],
    ["add", "x", "y", "web", "z"],
    ["key"],
    ["key", "1"],
    ["rotate"],
    ["revoke"],
    ["sell"],
  ])
    await expect(shop(...words)).rejects.toThrow("Usage:");
  await expect(shop("add", "x", "y", "market")).rejects.toThrow("The kind of a shop");
  for (const id of ["0", "x", "99999"]) await expect(shop("key", id, "Till")).rejects.toThrow("There is no shop");
  await expect(shop("key", "1", "Till", "sell,buy")).rejects.toThrow("Unknown scope buy");
});
