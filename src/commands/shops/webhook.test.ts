import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createSecrets } from "#shop/webhooks/secrets.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { manageWebhooks } from "./manage-webhooks.server.ts";

const { database, settings } = await openTestProduct({ WEBHOOK_KEY: Buffer.alloc(32, 7).toString("base64") });
const deps = { queries: database, secrets: createSecrets(settings), sandbox: false, now: new Date() };
const webhook = (...words: string[]) => manageWebhooks(deps, words);

test("an endpoint is added, listed, rotated, sent to again and disabled", async () => {
  const added = await webhook("add", "https://partner.example/hook", "owner@partner.example");
  expect(added.at(-1)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await webhook("list")).toEqual([
    "1  https://partner.example/hook  owner@partner.example  enabled  0 waiting, 0 dead",
  ]);
  expect(await webhook("test", "1")).toEqual(["webhook.test is on its way."]);
  expect(await webhook("list")).toEqual([expect.stringContaining("1 waiting")]);
  const rotated = await webhook("rotate", "1");
  expect(rotated.at(-1)).toMatch(/^whsec_/);
  expect(rotated.at(-1)).not.toBe(added.at(-1));
  const { rows } = await database.execute<{ id: string }>(sql`select id from webhook_event order by id limit 1`);
  expect(await webhook("resend", `${rows[0]?.id}`)).toEqual(["1 delivery queued."]);
  expect(await webhook("list")).toEqual([expect.stringContaining("2 waiting")]);
  await webhook("disable", "1");
  expect(await webhook("list")).toEqual([expect.stringContaining("disabled  0 waiting")]);
  await expect(webhook("rotate", "1")).rejects.toThrow("no endpoint 1");
  await expect(webhook("test", "1")).rejects.toThrow("no endpoint 1");
  await expect(webhook("disable", "1")).rejects.toThrow("no endpoint 1");
  await expect(webhook("resend", "1..9")).rejects.toThrow("no endpoint that is enabled");
});

test("what cannot be done is refused in plain words", async () => {
  for (const words of [
    [],
    ["add"],
    ["add", "x"],
    ["list", "x"],
    ["rotate"],
    ["rotate", "x"],
    ["resend", "1.."],
    ["go"],
  ])
    await expect(webhook(...words)).rejects.toThrow("Usage:");
  for (const url of ["x", "http://partner.example/", "https://10.0.0.1/", "https://a:b@partner.example/"])
    await expect(webhook("add", url, "owner@partner.example")).rejects.toThrow("URL must be");
  for (const email of ["x", "a@b, c@d", "A <a@b>"])
    await expect(webhook("add", "https://partner.example/", email)).rejects.toThrow("one address");
});
