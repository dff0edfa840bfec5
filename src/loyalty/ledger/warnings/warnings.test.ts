import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { listCustomerRewards, obtainReward, readLoyalty, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { ledgerJobs } from "#loyalty/ledger/ledger-jobs.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { mails } from "#platform/mail/mail.tables.server.ts";
import { openTestShop } from "#testing/shop.server.ts";
import { endingSoon } from "./warnings.server.ts";

const { addCustomer, openShop, database, clock } = await openTestShop();
const start = clock.now;
beforeEach(async () => {
  await database.delete(customers);
  clock.now = start;
});

const jobs = ledgerJobs({ publicUrl: "https://cercle.test", now: () => clock.now });
const warn = async (on: string, through: Database = database) => {
  clock.now = new Date(`${on}T08:00:00Z`);
  await jobs["loyalty:warn"]?.({}, through);
};

/** Of the emails that warn: their customers, subjects and causes, oldest first. */
const emails = async () =>
  (
    await database
      .select({ cause: mails.cause, id: mails.customerId, locale: mails.locale, subject: mails.subject })
      .from(mails)
      .where(sql`cause like 'lapse:%'`)
      .orderBy(asc(mails.id))
  ).map((email) => ({ ...email, subject: email.subject?.replaceAll(/\s/g, " ") }));

async function addMember(facts: Parameters<typeof addCustomer>[0] = { language: "en" }) {
  const member = await addCustomer(facts);
  await member.call(subscribe);
  const grant = (points: number, on: string) => {
    const cause = `grant:${on}:${points}`;
    return credit(database, {
      ...{ customerId: member.id, points, kind: "grant", cause, label: {} },
      now: new Date(`${on}T10:00:00Z`),
    });
  };
  return { ...member, grant };
}

test("points that expire are told 30 and 7 days before, each once; not to a member who has spent them", async () => {
  const stays = await addMember();
  const spends = await addMember();
  await spends.call(obtainReward, { IdLoyaltyReward: 1 });
  await warn("2028-02-08");
  expect(await emails()).toEqual([]);
  await Promise.all([warn("2028-02-09"), warn("2028-02-09")]);
  await warn("2028-02-10");
  await warn("2028-03-03");
  await warn("2028-03-04");
  await warn("2028-03-12");
  expect(await emails()).toMatchObject(
    [30, 7].map((days) => ({
      ...{ cause: `lapse:points:${days}:${stays.id}:2028-03-10`, id: stays.id, locale: "en" },
      subject: "250 points expire by 10 March 2028",
    })),
  );
});

test("a former member is told once, 30 days before the first points expire, until when all of them are kept", async () => {
  const left = await addMember();
  await left.grant(40, "2026-06-01");
  await left.call(unsubscribe);
  await warn("2028-02-08");
  expect(await emails()).toEqual([]);
  for (const day of ["2028-02-09", "2028-02-10", "2028-03-04", "2028-05-10", "2028-05-26"]) await warn(day);
  expect(await emails()).toMatchObject([
    { cause: `lapse:kept_points:30:${left.id}:2028-06-01`, subject: "290 points expire if you do not return" },
  ]);
  const [email] = await database.select().from(mails).where(sql`cause like 'lapse:%'`);
  expect(email?.plainText).toContain("the first by 10\u00a0March 2028, the last by 1\u00a0June 2028");
});

test("a former member whose points all end on one day reads that day; one who left this week has just read it on the page", async () => {
  const left = await addMember();
  await left.call(unsubscribe);
  const justLeft = await addMember();
  await warn("2028-02-09");
  clock.now = new Date("2028-02-09T09:00:00Z");
  await justLeft.call(unsubscribe);
  await warn("2028-02-10");
  expect((await emails()).filter(({ cause }) => cause?.includes("kept"))).toMatchObject([{ id: left.id }]);
  const [email] = await database.select().from(mails).where(sql`cause like 'lapse:kept%'`);
  expect(email?.plainText).toContain("They expire by 10\u00a0March 2028.");
  await warn("2028-02-17");
  expect((await emails()).filter(({ cause }) => cause?.includes("kept"))).toHaveLength(2);
});

test("points that expire are to be exchanged for a voucher only when the balance reaches one", async () => {
  const enough = await addMember();
  const short = await addMember();
  await short.grant(90, "2026-03-10");
  await short.call(obtainReward, { IdLoyaltyReward: 1 });
  await warn("2028-02-09");
  const text = async (id: number) =>
    (await database.select().from(mails).where(eq(mails.customerId, id))).at(-1)?.plainText;
  expect(await text(enough.id)).toContain("exchange them for a voucher");
  expect(await text(short.id)).not.toContain("exchange them");
  expect(await text(short.id)).toContain("You need 160 more points for a voucher.");
});

test("an email tells of a week at once; a job that did not run for weeks sends one email, the nearest", async () => {
  const { grant } = await addMember();
  for (const day of ["11", "12", "13", "14"]) await grant(10, `2026-03-${day}`);
  for (const day of ["09", "10", "11", "12"]) await warn(`2028-02-${day}`);
  expect(await emails()).toMatchObject([{ subject: "290 points expire by 14 March 2028" }]);
  clock.now = start;
  const late = await addMember();
  await warn("2028-03-05");
  expect((await emails()).filter(({ id }) => id === late.id)).toMatchObject([
    { cause: `lapse:points:7:${late.id}:2028-03-10` },
  ]);
});

test("vouchers that lapse are told 30 and 7 days before, also to who has left; not those that were used", async () => {
  const member = await addMember();
  await member.grant(750, "2026-03-10");
  await member.call(obtainReward, { IdLoyaltyReward: 1 });
  await member.call(obtainReward, { IdLoyaltyReward: 2 });
  const used = await addMember({ language: "de" });
  const { CustomerReward } = await used.call(obtainReward, { IdLoyaltyReward: 1 });
  const { Card } = await used.call(readLoyalty);
  const till = await openShop();
  await till.sell({ CardNumber: Card?.Number ?? "", Amount: "50.00", VoucherCodes: CustomerReward.Code });
  await member.call(unsubscribe);
  await warn("2026-05-08");
  expect(await emails()).toEqual([]);
  await warn("2026-05-09");
  await warn("2026-05-10");
  await warn("2026-06-01");
  expect(await emails()).toMatchObject(
    [30, 7].map((days) => ({
      ...{ cause: `lapse:voucher:${days}:${member.id}:2026-06-08` },
      subject: "2 vouchers expire by 8 June 2026",
    })),
  );
  // Their codes are in it, as the text says: to be entered online or shown in store.
  const { CustomerRewards } = await member.call(listCustomerRewards);
  const sent = await database.select({ text: mails.plainText }).from(mails).where(sql`cause like 'lapse:voucher:%'`);
  expect(CustomerRewards).toHaveLength(2);
  for (const { text } of sent) for (const { Code } of CustomerRewards) expect(text).toContain(`${Code}: €`);
  const { NextExpiry, Total } = await member.call(listCustomerRewards, { LoyaltyRewardState: "available", Limit: 1 });
  expect({ NextExpiry, Total }).toEqual({ NextExpiry: "2026-06-08T21:59:59.000Z", Total: 2 });
});

test("a status about to end is told 30 and 7 days before, with the points that keep it; the page says the same", async () => {
  const member = await addMember({ language: "de" });
  await member.grant(800, "2026-03-12");
  await member.grant(100, "2026-09-01");
  await warn("2027-02-07");
  expect(await emails()).toEqual([]);
  // On 10 March the 250 points of a year ago still count; on the day after, 900 are left of 1,000.
  await warn("2027-02-09");
  expect((await member.call(readLoyalty)).Tier).toMatchObject({ Until: "2027-03-10", PointsToKeep: 100 });
  await warn("2027-03-04");
  expect(await emails()).toMatchObject(
    [30, 7].map((days) => ({
      ...{ cause: `lapse:status:${days}:${member.id}:2027-03-10` },
      subject: "Ihr Status Seide endet am 10. März 2027",
    })),
  );
  // Enough is earned: the status now ends later, and that is told in its time.
  await member.grant(100, "2027-03-05");
  await warn("2027-03-09");
  expect((await emails()).slice(2)).toMatchObject([{ cause: `lapse:status:7:${member.id}:2027-03-12` }]);
});

test("the lowest status never ends, and who has left hears nothing of theirs", async () => {
  await addMember();
  const left = await addMember();
  await left.grant(900, "2026-03-10");
  await left.call(unsubscribe);
  await warn("2027-02-20");
  expect(await emails()).toEqual([]);
});

test("a job that is killed after the first email goes on where it was, and writes none twice", async () => {
  for (let n = 0; n < 3; n += 1) await addMember();
  let transactions = 0;
  const dying = new Proxy(database, {
    get(target, name) {
      if (name !== "transaction") return Reflect.get(target, name, target);
      return (...work: Parameters<typeof database.transaction>) => {
        transactions += 1;
        // The second email is written and not committed.
        if (transactions < 2) return target.transaction(...work);
        return target.transaction(async (tx) => {
          await work[0](tx);
          throw new Error("killed");
        });
      };
    },
  });
  await expect(warn("2028-02-15", dying)).rejects.toThrow("killed");
  expect(await emails()).toHaveLength(1);
  await warn("2028-02-15");
  const ids = (await emails()).map(({ id }) => id);
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
});

test("an erased customer's marks are erased", async () => {
  const member = await addMember();
  await warn("2028-02-15");
  const marks = async () => (await database.execute(sql`select from loyalty_warning`)).rowCount;
  expect(await marks()).toBe(1);
  await database.delete(customers).where(eq(customers.id, member.id));
  expect(await marks()).toBe(0);
});

test("what ends soon is found by indexes among 40 000 rows that do not", async () => {
  const window = { now: new Date("2026-05-20T08:00:00Z"), days: 30, after: 0 };
  const plans: string[] = [];
  const rolledBack = database.transaction(async (tx) => {
    // Without triggers and foreign keys: only the rows matter to the planner.
    await tx.execute(sql`set local session_replication_role = replica; set local statement_timeout = 0`);
    await tx.execute(sql`
      insert into loyalty_voucher
        (customer_id, id, programme_id, reward_id, code, points, amount_cents, obtained_at, expires_at)
      select 1000000 + n, n, 4, 1, 'T' || n, 1, 1000, '2026-01-01', timestamptz '2027-01-01' + n * interval '1 minute'
      from generate_series(1, 40000) n`);
    await tx.execute(sql`
      insert into loyalty_earned_day (customer_id, day, points, through)
      select 1000000 + n, date '2020-01-01' + n % 700, 1, 1 from generate_series(1, 40000) n`);
    await tx.execute(sql`
      insert into loyalty_lot (customer_id, entry_id, expires_at, remaining)
      select 1000000 + n, n, timestamptz '2027-01-01' + n * interval '1 minute', 1 from generate_series(1, 40000) n`);
    await tx.execute(sql`analyze loyalty_voucher, loyalty_earned_day, loyalty_lot`);
    for (const query of [endingSoon.points, endingSoon.keptPoints, endingSoon.vouchers, endingSoon.statuses])
      plans.push(JSON.stringify((await tx.execute(sql`explain ${query(window)}`)).rows));
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
  expect(plans).toEqual(
    ["loyalty_lot_due", "loyalty_lot_due", "loyalty_voucher_end", "loyalty_earned_day_day"].map((index) =>
      expect.stringContaining(index),
    ),
  );
  for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on loyalty_(voucher|earned_day|lot)\b/);
});
