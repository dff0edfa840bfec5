import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { decodeProtectedHeader, jwtVerify } from "jose";
import { afterAll, beforeEach, expect, test } from "vitest";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { obtainReward, readLoyalty, saveToGoogle, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { openTestClub, refusalOf } from "#testing/club.server.ts";
import { openTestGoogle } from "#testing/google.server.ts";
import { googlePasses } from "./wallet.tables.server.ts";

const google = await openTestGoogle();
const folder = mkdtempSync(join(tmpdir(), "cercle-wallet-"));
afterAll(() => rmSync(folder, { recursive: true }));
const keyFile = join(folder, "key.json");
writeFileSync(keyFile, google.keyFile);

const issuer = "3388000000012345678";
const club = await openTestClub({
  GOOGLE_WALLET_ISSUER_ID: issuer,
  GOOGLE_WALLET_KEY_FILE: keyFile,
  GOOGLE_WALLET_API_URL: google.url,
  GOOGLE_WALLET_TOKEN_URL: `${google.url}/token`,
});
const { addCustomer, database, clock, runJobs } = club;
const start = clock.now;

beforeEach(async () => {
  clock.now = start;
  google.answerWith(200);
  // What an earlier test's members have left to tell.
  await database.delete(googlePasses);
  google.updates.length = 0;
});

async function addMember(facts: Parameters<typeof addCustomer>[0] = {}) {
  const member = await addCustomer(facts);
  await member.call(subscribe);
  return member;
}

const earn = (customerId: number, points: number, cause = String(Math.random())) =>
  credit(database, { customerId, points, kind: "grant", cause, label: {}, now: clock.now });

const points = (balance: number) => ({ loyaltyPoints: { balance: { int: balance } } });

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
          linksModuleData: { uris: [{ uri: "http://localhost:3000/account/loyalty/subscribe" }, { id: "programme" }] },
        },
      ],
    },
  });
});

test("asking again names the same object, and who is no member has no card to put anywhere", async () => {
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

test("a change of points reaches the wallet with a token for a signed assertion, and only of who asked for it", async () => {
  const saved = await addMember();
  const other = await addMember();
  await saved.call(saveToGoogle);
  await earn(saved.id, 800);
  await earn(other.id, 800);
  await runJobs();
  expect(google.assertions).toMatchObject([
    { kid: "key-1", scope: "https://www.googleapis.com/auth/wallet_object.issuer" },
  ]);
  const [pass] = await database.select().from(googlePasses).where(eq(googlePasses.customerId, saved.id));
  expect(google.updates).toMatchObject([
    {
      objectId: `${issuer}.${pass?.objectId}`,
      body: {
        ...points(1_050),
        notifyPreference: "NOTIFY_ON_UPDATE",
        // More than a thousand earned: the status has changed too.
        textModulesData: [{ id: "status", body: "Soie" }],
      },
    },
  ]);
  // The token lasts: the next update asks for none.
  await saved.call(obtainReward, { IdLoyaltyReward: 1 });
  await runJobs();
  expect(google.updates).toHaveLength(2);
  expect(google.updates[1]?.body).toMatchObject(points(800));
  expect(google.assertions).toHaveLength(1);
});

test("a name changed in the profile reaches the pass too, an edit that changes none does not", async () => {
  const { id, call } = await addMember();
  await call(saveToGoogle);
  await database.update(customers).set({ mobilePhone: "+33612345678" }).where(eq(customers.id, id));
  await runJobs();
  expect(google.updates).toEqual([]);
  await database.update(customers).set({ lastname: "Martin" }).where(eq(customers.id, id));
  await runJobs();
  expect(google.updates.map(({ body }) => body)).toMatchObject([{ accountName: "Camille Martin" }]);
});

test("an update waits in the transaction of its cause: undone with it, and told once for many", async () => {
  const { id, call } = await addMember();
  await call(saveToGoogle);
  await expect(
    database.transaction(async (tx) => {
      await credit(tx, { customerId: id, points: 10, kind: "grant", cause: "undone", label: {}, now: clock.now });
      throw new Error("undone");
    }),
  ).rejects.toThrow("undone");
  await runJobs();
  expect(google.updates).toEqual([]);
  for (let n = 0; n < 5; n++) await earn(id, 10);
  await runJobs();
  expect(google.updates.map(({ body }) => body)).toMatchObject([points(300)]);
  // A job that runs again, as after a crash, has nothing to tell.
  await database.execute(
    sql`select graphile_worker.add_job('loyalty:wallet', json_build_object('customerId', ${id}::bigint))`,
  );
  await runJobs();
  expect(google.updates).toHaveLength(1);
});

test("never more than three updates in 24 hours make the phone notice; the fourth is silent, the next day's is not", async () => {
  const { id, call } = await addMember();
  await call(saveToGoogle);
  const notices = [];
  for (const hours of [0, 1, 2, 3, 23.9, 24.1, 24.2]) {
    clock.now = new Date(start.getTime() + hours * 3_600_000);
    await earn(id, 10);
    await runJobs();
    notices.push(google.updates.at(-1)?.body["notifyPreference"] !== undefined);
  }
  expect(google.updates).toHaveLength(7);
  expect(notices).toEqual([true, true, true, false, false, true, false]);
});

test("ten jobs at once for the same member tell one state, the last, and take one notice", async () => {
  const { id, call } = await addMember();
  await call(saveToGoogle);
  await earn(id, 40);
  await database.execute(sql`
    select graphile_worker.add_job('loyalty:wallet', json_build_object('customerId', ${id}::bigint))
    from generate_series(1, 10)`);
  await runJobs();
  expect(google.updates.map(({ body }) => body)).toMatchObject([points(290)]);
});

/** The job itself, as a worker runs it. */
const tell = async (customerId: number) => club.product.jobs["loyalty:wallet"]?.({ customerId }, database);
const passOf = async (id: number) =>
  (await database.select().from(googlePasses).where(eq(googlePasses.customerId, id)))[0];
/** As if the time had come for every job that waits. */
const bringForward = () =>
  database.execute(sql`
    select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
    having count(*) > 0`);

test("while the provider hangs, every connection of the pool is free", async () => {
  const members = await Promise.all(Array.from({ length: 10 }, () => addMember()));
  for (const { id, call } of members) {
    await call(saveToGoogle);
    await earn(id, 10);
  }
  const held = google.hold();
  const jobs = members.map(({ id }) => tell(id));
  await expect.poll(held.waiting).toBe(10);
  const pool = database.$client;
  expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0]);
  held.release();
  await Promise.all(jobs);
  expect(google.updates).toHaveLength(10);
});

test("a change while the provider is told is told after it, once", async () => {
  const { id, call } = await addMember();
  await call(saveToGoogle);
  await earn(id, 10);
  const held = google.hold();
  const slow = tell(id);
  await expect.poll(held.waiting).toBe(1);
  await earn(id, 10);
  await runJobs();
  expect(held.waiting()).toBe(1);
  held.release();
  await slow;
  await runJobs();
  expect(google.updates.map(({ body }) => body)).toMatchObject([points(260), points(270)]);
  await bringForward();
  await runJobs();
  expect(google.updates).toHaveLength(2);
});

test("a process killed while it told the provider loses no update and makes no phone notice twice", async () => {
  const { id, call } = await addMember();
  await call(saveToGoogle);
  await earn(id, 10);
  await runJobs();
  await earn(id, 10);
  const held = google.hold();
  const killed = tell(id);
  await expect.poll(held.waiting).toBe(1);
  const left = await passOf(id);
  held.release();
  await killed;
  expect(google.updates.at(-1)?.body).toMatchObject({ ...points(270), notifyPreference: "NOTIFY_ON_UPDATE" });
  // The provider took it, and nobody is left to note so.
  await database
    .update(googlePasses)
    .set({ ...left })
    .where(eq(googlePasses.customerId, id));
  await runJobs();
  await tell(id);
  expect(google.updates).toHaveLength(2);
  await database
    .update(googlePasses)
    .set({ leasedUntil: new Date(0) })
    .where(eq(googlePasses.customerId, id));
  await bringForward();
  await runJobs();
  expect(google.updates).toHaveLength(3);
  expect(google.updates.at(-1)?.body).toMatchObject(points(270));
  expect(google.updates.at(-1)?.body).not.toHaveProperty("notifyPreference");
  // A later change is noticed again.
  await earn(id, 10);
  await runJobs();
  expect(google.updates.at(-1)?.body).toMatchObject({ ...points(280), notifyPreference: "NOTIFY_ON_UPDATE" });
});

test("a provider that is down is told later; one that does not know the object yet is asked again each night", async () => {
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
  expect(google.updates.map(({ body }) => body)).toMatchObject([points(260)]);
  // A link that nobody has followed for a month is let go of.
  google.answerWith(404);
  clock.now = new Date("2026-04-20T23:40:00Z");
  await earn(id, 10);
  await runJobs();
  expect(await passOf(id)).toMatchObject({ reviewOn: null });
});

test("a status that lapses with the calendar alone is told too", async () => {
  const { id, call } = await addMember();
  await earn(id, 1_000);
  await call(saveToGoogle);
  clock.now = new Date("2027-03-11T23:40:00Z");
  await database.execute(sql`select graphile_worker.add_job('loyalty:wallet-review')`);
  await runJobs();
  expect(google.updates).toMatchObject([{ body: { textModulesData: [{ body: "Coton" }] } }]);
});

test("leaving puts the pass to sleep, coming back wakes it, erasure takes everything personal out of it", async () => {
  const { id, email, call } = await addMember();
  await call(saveToGoogle);
  await call(unsubscribe);
  await runJobs();
  await call(subscribe);
  await runJobs();
  expect(google.updates.map(({ body }) => body["state"])).toEqual(["INACTIVE", "ACTIVE"]);
  await database.transaction((tx) => clubHooks({ publicUrl: "", now: () => clock.now }).erase(tx, id, email));
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
  expect(await database.select().from(googlePasses).where(eq(googlePasses.customerId, id))).toEqual([]);
});
