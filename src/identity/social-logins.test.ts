import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { openTestProduct } from "../test-product.server.ts";
import { unlinkSocial } from "./calls.ts";
import { customers } from "./customer.tables.server.ts";
import { type SocialProvider, socialAccounts, socialLogins } from "./identity.tables.server.ts";
import { enter } from "./test-people.server.ts";

const { call, as, fetch, database } = await openTestProduct();

async function withLogins(...providers: SocialProvider[]) {
  const person = await enter(call);
  const customerId = person.Customer.IdCustomer;
  for (const provider of providers) {
    await database.insert(socialLogins).values({ customerId, provider });
    await database.insert(socialAccounts).values({ customerId, provider, providerCustomerId: `${customerId}` });
  }
  return { ...person, customerId };
}

const dropPassword = (customerId: number) =>
  database.update(customers).set({ passwordHash: null }).where(eq(customers.id, customerId));

test("a social login is removed, and its account may be linked again", async () => {
  const { Token, customerId } = await withLogins("google", "facebook");
  const customer = await as(Token)(unlinkSocial, { provider: "google" });
  expect(customer.SocialLogins).toEqual(["facebook"]);
  const left = await database.select().from(socialAccounts).where(eq(socialAccounts.customerId, customerId));
  expect(left.map(({ provider }) => provider)).toEqual(["facebook"]);
});

test.each([
  ["fr", "C’est votre seul moyen de vous connecter. Choisissez d’abord un mot de passe."],
  ["en", "This is your only way to sign in. Set a password first."],
  ["de", "Das ist Ihre einzige Anmeldemöglichkeit. Legen Sie zuerst ein Passwort fest."],
])("the last way in stays, in %s", async (language, detail) => {
  const { Token, customerId } = await withLogins("google");
  await dropPassword(customerId);
  const response = await fetch("/api/customer/social/google", {
    method: "DELETE",
    headers: { authorization: `Bearer ${Token}`, "accept-language": language },
  });
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ code: "last_way_in", detail });
});

test("two removals at once leave one way in", async () => {
  const { Token, customerId } = await withLogins("google", "facebook");
  await dropPassword(customerId);
  const results = await Promise.allSettled(
    (["google", "facebook"] as const).map((provider) => as(Token)(unlinkSocial, { provider })),
  );
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test.each(["facebook", "myspace", "__proto__"])("the login %s, which is not linked, is unknown", async (provider) => {
  const { Token } = await withLogins("google");
  await expect(as(Token)(unlinkSocial, { provider })).rejects.toThrow("Unexpected status code: 404");
});
