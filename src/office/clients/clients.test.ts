import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { hashToken } from "#identity/session/tokens.server.ts";
import { oidcClients } from "#oidc/oidc.tables.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as calls from "./calls.ts";

const { database, openOffice } = await openTestOffice();
const owner = await openOffice("owner");
const shop = { Name: "Web shop", RedirectUris: "https://shop.example/callback https://shop.example/other" };

test("an owner adds a client, gives it another secret and disables it; only hashes are stored", async () => {
  const { IdClient, Secret } = await owner.call(calls.addClient, { ...shop, FirstParty: true });
  const stored = async () => (await database.select().from(oidcClients).where(eq(oidcClients.id, IdClient)))[0];
  expect((await stored())?.secretHash).toEqual(hashToken(Secret ?? ""));
  const { Clients } = await owner.call(calls.listClients);
  expect(Clients.find((one) => one.IdClient === IdClient)).toMatchObject({
    ...{ IdClient, Name: "Web shop", FirstParty: true, Public: false, DisabledAt: null },
    RedirectUris: ["https://shop.example/callback", "https://shop.example/other"],
  });
  expect(JSON.stringify(Clients)).not.toContain(Secret);
  const rotated = await owner.call(calls.rotateClient, { IdClient });
  expect((await stored())?.secretHash).toEqual(hashToken(rotated.Secret));
  await owner.call(calls.disableClient, { IdClient });
  expect((await stored())?.disabledAt).not.toBeNull();
  for (const line of [calls.rotateClient, calls.disableClient] as const)
    expect(await refusalOf(owner.call(line, { IdClient }))).toMatchObject({ code: "not_found" });
});

test("a public client has no secret, and may have an address of the app's own scheme", async () => {
  const app = { Name: "App", RedirectUris: "com.example.app:/callback", Public: true };
  expect(await owner.call(calls.addClient, app)).toMatchObject({ Secret: null });
});

test.each([
  { ...shop, RedirectUris: "http://shop.example/callback" },
  { ...shop, RedirectUris: "https://shop.example/callback javascript:alert(1)" },
  { ...shop, RedirectUris: "https://*.shop.example/callback" },
  { ...shop, RedirectUris: "https://user@shop.example/#x" },
  { ...shop, RedirectUris: "com.example.app:/callback" },
  { ...shop, LogoutUris: "http://shop.example/bye" },
  { ...shop, BackChannelLogoutUri: "http://shop.example/logout" },
])("%j is refused", async (client) => {
  expect(await refusalOf(owner.call(calls.addClient, client))).toMatchObject({ code: "invalid" });
});
