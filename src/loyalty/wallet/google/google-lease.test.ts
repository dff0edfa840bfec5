import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { saveToGoogle } from "#loyalty/calls.ts";
import { googlePasses } from "#loyalty/wallet/wallet.tables.server.ts";
import { openTestGoogleClub, pointsOfPass } from "#testing/services/google-club.server.ts";

const { google, product, database, runJobs, addMember, earn, passOf } = await openTestGoogleClub();

/** Runs the job itself, as a worker does. */
const update = async (customerId: number) => product.jobs["loyalty:wallet"]?.({ customerId }, database);
/** Makes every waiting job due now. */
const bringForward = () =>
  database.execute(sql`
    select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
    having count(*) > 0`);

test("ten concurrent jobs of one member send one update, the last state, and notify once", async () => {
  const { id, call } = await addMember();
  await call(saveToGoogle);
  await earn(id, 40);
  await database.execute(sql`
    select graphile_worker.add_job('loyalty:wallet', json_build_object('customerId', ${id}::bigint))
    from generate_series(1, 10)`);
  await runJobs();
  expect(google.updates.map(({ body }) => body)).toMatchObject([pointsOfPass(290)]);
});

test("while Google does not respond, every connection of the pool is free", async () => {
  const members = await Promise.all(Array.from({ length: 10 }, () => addMember()));
  for (const { id, call } of members) {
    await call(saveToGoogle);
    await earn(id, 10);
  }
  const held = google.hold();
  const jobs = members.map(({ id }) => update(id));
  await expect.poll(held.waiting).toBe(10);
  const pool = database.$client;
  expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0]);
  held.release();
  await Promise.all(jobs);
  expect(google.updates).toHaveLength(10);
});

test("a change during an update is sent after it, once", async () => {
  const { id, call } = await addMember();
  await call(saveToGoogle);
  await earn(id, 10);
  const held = google.hold();
  const slow = update(id);
  await expect.poll(held.waiting).toBe(1);
  await earn(id, 10);
  await runJobs();
  expect(held.waiting()).toBe(1);
  held.release();
  await slow;
  await runJobs();
  expect(google.updates.map(({ body }) => body)).toMatchObject([pointsOfPass(260), pointsOfPass(270)]);
  await bringForward();
  await runJobs();
  expect(google.updates).toHaveLength(2);
});

test("a process killed during an update loses no update and notifies no phone twice", async () => {
  const { id, call } = await addMember();
  await call(saveToGoogle);
  await earn(id, 10);
  await runJobs();
  await earn(id, 10);
  const held = google.hold();
  const killed = update(id);
  await expect.poll(held.waiting).toBe(1);
  const left = await passOf(id);
  held.release();
  await killed;
  expect(google.updates.at(-1)?.body).toMatchObject({ ...pointsOfPass(270), notifyPreference: "NOTIFY_ON_UPDATE" });
  // Google took the update, but the process was killed before it stored so: the row is as it was before.
  await database
    .update(googlePasses)
    .set({ ...left })
    .where(eq(googlePasses.customerId, id));
  await runJobs();
  await update(id);
  expect(google.updates).toHaveLength(2);
  await database
    .update(googlePasses)
    .set({ leasedUntil: new Date(0) })
    .where(eq(googlePasses.customerId, id));
  await bringForward();
  await runJobs();
  expect(google.updates).toHaveLength(3);
  expect(google.updates.at(-1)?.body).toMatchObject(pointsOfPass(270));
  expect(google.updates.at(-1)?.body).not.toHaveProperty("notifyPreference");
  // A later change notifies again.
  await earn(id, 10);
  await runJobs();
  expect(google.updates.at(-1)?.body).toMatchObject({ ...pointsOfPass(280), notifyPreference: "NOTIFY_ON_UPDATE" });
});
