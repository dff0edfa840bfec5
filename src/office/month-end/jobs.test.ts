import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import * as monthEnd from "#loyalty/ledger/month-end/month-end.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as calls from "./calls.ts";

/** A club whose last month has ended, its owner and another one. */
async function openClub() {
  const office = await openTestOffice();
  const { addMember, clock, database, openOffice, product, runJobs } = office;
  clock.now = new Date("2026-01-20T10:00:00Z");
  await addMember(300);
  clock.now = new Date("2026-02-03T10:00:00Z");
  const [owner, other] = [await openOffice("owner"), await openOffice("owner")];
  const month = { Month: "2026-01" };
  const read = () => owner.call(calls.readMonthEnd, month);
  const isClosed = async () => (await read()).Months[0]?.State === "closed";
  /** Runs the jobs of calls that wait for them, once all of them are there. */
  async function withJobs<T>(response: Promise<T>): Promise<T> {
    while ((await read()).Job === null || (await read()).Job === "changed");
    await runJobs();
    return response;
  }
  const draft = async () => {
    await withJobs(owner.call(calls.draftMonth, month));
    return { ...month, DraftedAt: (await read()).Book?.DraftedAt ?? "" };
  };
  const audited = async (action: string) =>
    (await database.execute(sql`select from audit_log where action = ${action}`)).rows.length;
  /** Runs the waiting job once more than the queue does, as after a kill before its end was recorded. */
  async function runTwice() {
    const { rows } = await database.execute<{ name: string; payload: object }>(sql`
      select task_identifier as name, payload from graphile_worker.jobs join graphile_worker._private_jobs using (id)
      where jobs.key like 'month-end:%'`);
    for (const { name, payload } of rows) await product.jobs[name]?.(payload, database);
    await runJobs();
  }
  const breakLedger = (points: number) =>
    database.execute(sql`update loyalty_lot set remaining = remaining + ${points}`);
  return { ...office, owner, other, month, read, isClosed, withJobs, draft, audited, runTwice, breakLedger };
}

test("a call that its job outlasts says so, the page says what is done, and the result is there when it is", async () => {
  const { owner, other, month, read, runJobs, audited } = await openClub();
  const first = owner.call(calls.draftMonth, month);
  await expect.poll(async () => (await read()).Job).toBe("drafting");
  await expect(other.call(calls.draftMonth, month)).rejects.toMatchObject({ problem: { code: "month_busy" } });
  expect(await first).toEqual({ InProgress: true });
  expect(await read()).toMatchObject({ Job: "drafting", Book: null });
  await runJobs();
  expect(await read()).toMatchObject({ Job: null, Book: { DraftedAt: expect.any(String) } });
  expect(await audited("month_drafted")).toBe(1);
}, 30_000);

test("while the job of the night drafts a month the page says so, also that it failed", async () => {
  const { database, read, runJobs } = await openClub();
  const { nightlyDraftJob } = monthEnd;
  await queueJob(database, nightlyDraftJob, {}, { key: nightlyDraftJob });
  expect(await read()).toMatchObject({ Job: "drafting", Book: null });
  await database.execute(sql`alter table month_end rename to hidden`);
  expect(await runJobs({ mayFail: true })).toHaveLength(1);
  await database.execute(sql`alter table hidden rename to month_end`);
  expect((await read()).Job).toBe("failed");
  await runJobs({ retries: true });
  expect(await read()).toMatchObject({ Job: null, Book: { DraftedAt: expect.any(String) } });
  // A month that is drafted again keeps its book meanwhile.
  await queueJob(database, nightlyDraftJob, {}, { key: nightlyDraftJob });
  expect(await read()).toMatchObject({ Job: "drafting", Book: { DraftedAt: expect.any(String) } });
  await runJobs();
  expect((await read()).Job).toBeNull();
});

test("of two closings at once one closes the month, and the other is told", async () => {
  const { owner, other, read, draft, withJobs, audited, isClosed } = await openClub();
  const closing = await draft();
  const both = Promise.allSettled([owner, other].map((person) => person.call(calls.closeMonth, closing)));
  const responses = await withJobs(both);
  expect(responses.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(responses.find(({ status }) => status === "fulfilled")).toMatchObject({ value: { InProgress: false } });
  expect(responses.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { problem: { code: "month_busy" } },
  });
  expect(await isClosed()).toBe(true);
  expect((await read()).Job).toBeNull();
  expect(await audited("month_closed")).toBe(1);
  await expect(owner.call(calls.closeMonth, closing)).rejects.toMatchObject({ problem: { code: "month_not_next" } });
});

test("a closing whose process was killed is done once", async () => {
  const { owner, read, draft, runTwice, audited, isClosed } = await openClub();
  const closing = await draft();
  const response = owner.call(calls.closeMonth, closing);
  await expect.poll(async () => (await read()).Job).toBe("closing");
  await runTwice();
  expect(await response).toEqual({ InProgress: false });
  expect(await isClosed()).toBe(true);
  expect(await audited("month_closed")).toBe(1);
});

test("a closing whose figures have changed leaves the new draft to be read, and says so until it is closed", async () => {
  const { database, owner, read, draft, withJobs, isClosed } = await openClub();
  const closing = await draft();
  await database.execute(sql`update month_end set book = jsonb_set(book, '{points,opening}', '1')`);
  const refused = expect(owner.call(calls.closeMonth, closing)).rejects.toMatchObject({
    problem: { code: "month_changed" },
  });
  await withJobs(refused);
  expect(await isClosed()).toBe(false);
  expect((await read()).Job).toBe("changed");
  await withJobs(owner.call(calls.closeMonth, { ...closing, DraftedAt: (await read()).Book?.DraftedAt ?? "" }));
  expect(await isClosed()).toBe(true);
  expect((await read()).Job).toBeNull();
});

test("a closing that fails says so, is tried again by itself, and may be asked for again", async () => {
  const { owner, read, draft, runJobs, breakLedger, audited, isClosed } = await openClub();
  const closing = await draft();
  await breakLedger(1);
  const first = owner.call(calls.closeMonth, closing);
  await expect.poll(async () => (await read()).Job).toBe("closing");
  expect(await runJobs({ mayFail: true })).toHaveLength(1);
  expect((await read()).Job).toBe("failed");
  const again = owner.call(calls.closeMonth, closing);
  await expect.poll(async () => (await read()).Job).toBe("closing");
  await runJobs({ mayFail: true });
  expect((await read()).Job).toBe("failed");
  await breakLedger(-1);
  await runJobs({ retries: true });
  await Promise.all([first, again]);
  expect(await isClosed()).toBe(true);
  expect((await read()).Job).toBeNull();
  expect(await audited("month_closed")).toBe(1);
});
