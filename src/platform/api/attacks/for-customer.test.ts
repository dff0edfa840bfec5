import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { editCustomer, eraseCustomer, readCustomer } from "#identity/calls.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { obtainReward, readLoyalty, subscribe } from "#loyalty/calls.ts";
import { openTestClub } from "#testing/club.server.ts";

const { addCustomer, database, fetch } = await openTestClub();

/** Sends the fields as they stand, as the owner of the token. */
async function send(token: string, line: string, fields: Record<string, string>, key?: string) {
  const [method = "", path] = line.split(" ");
  const query = new URLSearchParams(fields);
  const response = await fetch(`/api/${path}${method === "GET" ? `?${query}` : ""}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(key && { "idempotency-key": key }) },
    ...(method !== "GET" && { body: query }),
  });
  return { status: response.status, body: await response.json() };
}

test("a call made for another customer is refused before anything happens, in three languages", async () => {
  const anna = await addCustomer();
  const bruno = await addCustomer({ firstname: "Bruno" });
  const details = [];
  for (const LanguageIsoCode of ["fr", "en", "de"]) {
    const fields = { Firstname: "Annabelle", Lastname: "Laurent", ForCustomer: String(anna.id), LanguageIsoCode };
    const { status, body } = await send(bruno.token, editCustomer, fields);
    expect(body).toMatchObject({ status, code: "other_customer" });
    expect(status).toBe(409);
    details.push(body.detail);
  }
  expect(details).toEqual([
    "Cette page a été ouverte pour un autre compte. Rien n’a été modifié.",
    "This page was opened for another account. Nothing was changed.",
    "Diese Seite wurde für ein anderes Konto geöffnet. Es wurde nichts geändert.",
  ]);
  expect((await bruno.call(readCustomer)).Firstname).toBe("Bruno");
});

test("a call made for another customer spends no points, changes no membership, erases and signs out nobody, and uses up no idempotency key", async () => {
  const anna = await addCustomer();
  const bruno = await addCustomer();
  const ForCustomer = String(anna.id);
  await bruno.call(subscribe);
  const refused = [
    await send(bruno.token, obtainReward, { IdLoyaltyReward: "1", ForCustomer }, "key"),
    await send(bruno.token, "POST loyalty/unsubscribe", { ForCustomer }, "key"),
    await send(bruno.token, eraseCustomer, { ForCustomer }),
    await send(bruno.token, "DELETE customer/session", { ForCustomer }),
    await send(bruno.token, "GET loyalty/customer", { ForCustomer }),
  ];
  expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => "other_customer"));
  expect(await bruno.call(readLoyalty)).toMatchObject({ LoyaltyCustomerState: true, Points: { Available: 250 } });
  expect((await send(bruno.token, obtainReward, { IdLoyaltyReward: "1" }, "key")).status).toBe(200);
  const kept = await database.select().from(customers).where(eq(customers.id, bruno.id));
  expect(kept).toHaveLength(1);
});

test("a call made for the signed-in customer works as without the field, also with the same idempotency key", async () => {
  const anna = await addCustomer();
  await anna.call(subscribe);
  const own = { IdLoyaltyReward: "1", ForCustomer: String(anna.id) };
  const first = await send(anna.token, obtainReward, own, "key");
  expect(first.status).toBe(200);
  expect(await send(anna.token, obtainReward, { IdLoyaltyReward: "1" }, "key")).toEqual(first);
});

test.each(["0", "-1", "4.0", "1e9", "NaN", "anna"])("ForCustomer=%s is malformed", async (ForCustomer) => {
  const anna = await addCustomer();
  const { status, body } = await send(anna.token, editCustomer, { Firstname: "Anna", Lastname: "L", ForCustomer });
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ field: "ForCustomer", code: "invalid" }]);
});

test("without a session the refusal is not_signed_in, no matter who the call was made for", async () => {
  const anna = await addCustomer();
  const response = await send("nobody", editCustomer, { ForCustomer: String(anna.id) });
  expect(response.body).toMatchObject({ status: 401, code: "not_signed_in" });
});

test("OpenAPI describes ForCustomer and its refusal on every call of a customer, and on no other", async () => {
  const { paths } = await (await fetch("/api/openapi.json")).json();
  const operations = Object.values<object>(paths).flatMap((methods) => Object.values(methods));
  expect(operations.filter(({ security }) => security).length).toBeGreaterThan(0);
  for (const { summary, security, parameters, requestBody, responses } of operations) {
    const bodies = Object.values<{ schema: { properties: object } }>(requestBody?.content ?? {});
    const fields = [
      ...parameters.map(({ name }: { name: string }) => name),
      ...bodies.flatMap(({ schema }) => Object.keys(schema.properties)),
    ];
    const refusals: string = responses["409"]?.description ?? "";
    const described = { field: fields.includes("ForCustomer"), refusal: refusals.includes("other_customer") };
    const customers = security?.some((scheme: object) => "bearer" in scheme) ?? false;
    expect({ summary, ...described }).toEqual({ summary, field: customers, refusal: customers });
  }
});
