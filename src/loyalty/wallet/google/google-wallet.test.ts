import { eq, sql } from "drizzle-orm";
import { decodeProtectedHeader, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { pagePaths } from "#identity/paths.ts";
import { obtainReward, readLoyalty, saveToGoogle, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestGoogleClub, pointsOfPass } from "#testing/services/google-club.server.ts";

const club = await openTestGoogleClub();
const { google, issuer, start, database, clock, runJobs, addCustomer, addMember, earn, passOf } = club;

test("the link is a JWT of the service account that holds class and object, in three languages", async () => {
  const { call } = await addMember({ firstname: "Zoé", lastname: "O’Hara </script>" });
  const { Card } = await call(readLoyalty);
  const { SaveUrl } = await call(saveToGoogle);
  expect(SaveUrl).toMatch(/^https:\/\/pay\.google\.com\/gp\/v\/save\/[\w-]+\.[\w-]+\.[\w-]+$/);
  const jwt = SaveUrl.split("/").at(-1) ?? "";
  const { payload } = await jwtVerify(jwt, google.publicKey, { audience: "google", algorithms: ["RS256"] });
  expect(decodeProtectedHeader(jwt)).toEqual({ alg: "RS256", typ: "JWT", kid: "key-1" });
  expect(payload).toMatchObject({
    iss: "wallet@club.iam.example",
    typ: "savetowallet",
    origins: ["http://localhost:3000"],
    payload: {
      loyaltyClasses: [
        {
          id: `${issuer}.cercle-club-4`,
          programName: "Le Cercle",
          localizedProgramName: {
            defaultValue: { language: "fr-FR", value: "Le Cercle" },
            translatedValues: [
              { language: "en-GB", value: "The Cercle" },
              { language: "de-DE", value: "Der Cercle" },
            ],
          },
          reviewStatus: "UNDER_REVIEW",
        },
      ],
      loyaltyObjects: [
        {
          id: expect.stringMatching(new RegExp(`^${issuer}\\.[0-9a-f-]{36}$`)),
          classId: `${issuer}.cercle-club-4`,
          state: "ACTIVE",
          accountName: "Zoé O’Hara </script>",
          accountId: Card?.Number,
          barcode: { type: "EAN_13", value: Card?.Number },
          loyaltyPoints: { label: "Points", balance: { int: 250 } },
          textModulesData: [
            {
              id: "status",
              body: "Coton",
              localizedBody: {
                translatedValues: [
                  { language: "en-GB", value: "Cotton" },
                  { language: "de-DE", value: "Baumwolle" },
                ],
              },
            },
          ],
          linksModuleData: { uris: [{ uri: `http://localhost:3000${pagePaths.memberPage}` }, { id: "programme" }] },
        },
      ],
    },
  });
});

test("a second link names the same object, and a customer who is no member gets none", async () => {
  const { call } = await addMember();
  const objectOf = async () => {
    const jwt = (await call(saveToGoogle)).SaveUrl.split(".")[3] ?? "";
    return JSON.parse(Buffer.from(jwt, "base64url").toString()).payload.loyaltyObjects[0].id;
  };
  expect(await objectOf()).toBe(await objectOf());
  const outside = await addCustomer();
  expect(await refusalOf(outside.call(saveToGoogle))).toMatchObject({ status: 409, code: "not_a_member" });
  expect(await refusalOf(club.call(saveToGoogle))).toMatchObject({ status: 401 });
});

test("a change of points is sent with an access token for a signed assertion, and only for a pass that was requested", async () => {
  const saved = await addMember();
  const other = await addMember();
  await saved.call(saveToGoogle);
  await earn(saved.id, 800);
  await earn(other.id, 800);
  await runJobs();
  expect(google.assertions).toMatchObject([
    { kid: "key-1", scope: "https://www.googleapis.com/auth/wallet_object.issuer" },
  ]);
  const pass = await passOf(saved.id);
  expect(google.updates).toMatchObject([
    {
      objectId: `${issuer}.${pass?.objectId}`,
      body: {
        ...pointsOfPass(1_050),
        notifyPreference: "NOTIFY_ON_UPDATE",
        // More than a thousand points were earned: the tier has changed too.
        textModulesData: [{ id: "status", body: "Soie" }],
      },
    },
  ]);
  // The access token is cached: the next update requests none.
  await saved.call(obtainReward, { IdLoyaltyReward: 1 });
  await runJobs();
  expect(google.updates).toHaveLength(2);
  expect(google.updates[1]?.body).toMatchObject(pointsOfPass(800));
  expect(google.assertions).toHaveLength(1);
});

test("a change of the name updates the pass, a change of another field does not", async () => {
  const { id, call } = await addMember();
  await call(saveToGoogle);
  await database.update(customers).set({ mobilePhone: "+33612345678" }).where(eq(customers.id, id));
  await runJobs();
  expect(google.updates).toEqual([]);
  await database.update(customers).set({ lastname: "Martin" }).where(eq(customers.id, id));
  await runJobs();
  expect(google.updates.map(({ body }) => body)).toMatchObject([{ accountName: "Camille Martin" }]);
});

test("an update is queued in the transaction of its cause: rolled back with it, and sent once for many changes", async () => {
  const { id, call } = await addMember();
  await call(saveToGoogle);
  await expect(
    database.transaction(async (tx) => {
      await credit(tx, { customerId: id, points: 10, kind: "grant", cause: "undone", label: {}, now: clock.now });
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  await runJobs();
  expect(google.updates).toEqual([]);
  for (let n = 0; n < 5; n++) await earn(id, 10);
  await runJobs();
  expect(google.updates.map(({ body }) => body)).toMatchObject([pointsOfPass(300)]);
  // A job that runs again, as after a crash, sends nothing.
  await database.execute(
    sql`select graphile_worker.add_job('loyalty:wallet', json_build_object('customerId', ${id}::bigint))`,
  );
  await runJobs();
  expect(google.updates).toHaveLength(1);
});

test("at most three updates in 24 hours notify the phone; the fourth is silent, the next day's is not", async () => {
  const { id, call } = await addMember();
  await call(saveToGoogle);
  const notified = [];
  for (const hours of [0, 1, 2, 3, 23.9, 24.1, 24.2]) {
    clock.now = new Date(start.getTime() + hours * 3_600_000);
    await earn(id, 10);
    await runJobs();
    notified.push(google.updates.at(-1)?.body["notifyPreference"] !== undefined);
  }
  expect(google.updates).toHaveLength(7);
  expect(notified).toEqual([true, true, true, false, false, true, false]);
});

test("a failed update is retried; an object that is not saved yet is tried again each night", async () => {
  const { id, call } = await addMember();
  await call(saveToGoogle);
  await earn(id, 10);
  google.answerWith(503);
  const [failed] = await runJobs({ mayFail: true });
  expect(failed).toMatchObject({ name: "loyalty:wallet", reason: "Error: The wallet refused an update: 503" });
  google.answerWith(404);
  await runJobs({ retries: true });
  expect(await passOf(id)).toMatchObject({ reviewOn: "2026-03-11" });
  google.answerWith(200);
  clock.now = new Date("2026-03-11T23:40:00Z");
  await database.execute(sql`select graphile_worker.add_job('loyalty:wallet-review')`);
  await runJobs();
  expect(google.updates.map(({ body }) => body)).toMatchObject([pointsOfPass(260)]);
  // A link that no one has followed for a month is no longer tried.
  google.answerWith(404);
  clock.now = new Date("2026-04-20T23:40:00Z");
  await earn(id, 10);
  await runJobs();
  expect(await passOf(id)).toMatchObject({ reviewOn: null });
});

test("a tier that ends without any movement of points updates the pass", async () => {
  const { id, call } = await addMember();
  await earn(id, 1_000);
  await call(saveToGoogle);
  clock.now = new Date("2027-03-11T23:40:00Z");
  await database.execute(sql`select graphile_worker.add_job('loyalty:wallet-review')`);
  await runJobs();
  expect(google.updates).toMatchObject([{ body: { textModulesData: [{ body: "Coton" }] } }]);
});

test("leaving makes the pass inactive, returning active, and erasure removes everything personal from it", async () => {
  const { id, call } = await addMember();
  await call(saveToGoogle);
  await call(unsubscribe);
  await runJobs();
  await call(subscribe);
  await runJobs();
  expect(google.updates.map(({ body }) => body["state"])).toEqual(["INACTIVE", "ACTIVE"]);
  await database.transaction((tx) => clubHooks({ publicUrl: "", now: () => clock.now }).erase(tx, id));
  await runJobs();
  expect(google.updates.at(-1)?.body).toEqual({
    state: "EXPIRED",
    accountName: "",
    accountId: "",
    barcode: null,
    loyaltyPoints: null,
    textModulesData: null,
    linksModuleData: null,
  });
  expect(await passOf(id)).toBeUndefined();
});
