import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { clubDay } from "#i18n/club-day.ts";
import * as shopCalls from "#shop/calls.ts";
import { maxContactLookUpsPerDay } from "#shop/keys/look-ups.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as tillCalls from "#till/calls.ts";
import { readLookUps } from "./calls.ts";

const { addMember, clock, database, openOffice, openShop, openTill } = await openTestOffice();
const owner = await openOffice("owner");
const Day = clubDay(clock.now);
const prefixOf = (cookies: Map<string, string>) => cookies.get("till.device")?.split(".")[0] ?? "";

test("head office sees how many customers each person and each key looked up on a day, and by what", async () => {
  const member = await addMember();
  const till = await openTill();
  for (const named of [{ Email: member.email }, { Email: member.email }, { CardNumber: member.card }])
    await till.call(tillCalls.identify, named);
  const server = await openShop("Cercle Lyon");
  await server.call(shopCalls.identify, { CardNumber: member.card });
  await server.call(shopCalls.quote, { CardNumber: member.card, Amount: "10.00" });

  const report = await owner.call(readLookUps, { Day });
  const counts = { Email: 2, Phone: 0, Card: 1, Voucher: 0, OverLimit: false };
  expect(report.People.find(({ IdStaff }) => IdStaff === till.person.id)).toMatchObject({
    ...{ Name: "Nora Petit", ...counts },
  });
  const key = server.key.split("_")[1];
  expect(report.Keys.find(({ Prefix }) => Prefix === prefixOf(till.cookies))).toMatchObject({
    Kind: "till",
    ...counts,
  });
  // The quote is within the quarter of an hour of the look-up before it.
  expect(report.Keys.find(({ Prefix }) => Prefix === key)).toMatchObject({
    ...{ Kind: "key", ShopNames: ["Cercle Lyon"], Email: 0, Card: 1 },
  });
  expect(report).toMatchObject({ Day, DailyLimit: maxContactLookUpsPerDay });
  // No one signed in to a key: it is no person.
  expect(report.People.every(({ IdStaff }) => IdStaff > 0)).toBe(true);
  const other = await owner.call(readLookUps, { Day: "2020-01-01" });
  expect(other).toMatchObject({ People: [], Keys: [] });
});

test("more look-ups by address or phone than the daily limit are marked, and listed for thirty days", async () => {
  const member = await addMember();
  const till = await openTill();
  const lookUps = (count: number, at: Date) =>
    database.execute(sql`
      insert into shop_look_up (customer_id, at, key_prefix, shop_id, found_by, staff_id)
      select ${member.id}::bigint, ${at.toISOString()}::timestamptz, ${prefixOf(till.cookies)}, ${till.shopId}::integer,
        case when n % 2 = 0 then 'email' else 'phone' end, ${till.person.id}::integer
      from generate_series(1, ${count}::integer) n`);
  const daysAgo = (days: number) => new Date(clock.now.getTime() - days * 24 * 3_600_000);
  await lookUps(maxContactLookUpsPerDay, clock.now);
  await lookUps(maxContactLookUpsPerDay + 1, daysAgo(3));
  await lookUps(maxContactLookUpsPerDay + 1, daysAgo(31));

  const today = await owner.call(readLookUps, { Day });
  expect(today.People.find(({ IdStaff }) => IdStaff === till.person.id)).toMatchObject({ OverLimit: false });
  const over = { Day: clubDay(daysAgo(3)), Count: maxContactLookUpsPerDay + 1 };
  expect(today.Exceeded).toEqual([
    expect.objectContaining({ ...over, IdStaff: till.person.id, Name: "Nora Petit" }),
    expect.objectContaining({ ...over, Prefix: prefixOf(till.cookies) }),
  ]);
  const marked = await owner.call(readLookUps, { Day: over.Day });
  expect(marked.People).toMatchObject([{ IdStaff: till.person.id, OverLimit: true }]);
  expect(marked.Keys).toMatchObject([{ Prefix: prefixOf(till.cookies), OverLimit: true }]);
});

test("the report and the alarm have the same daily limit", () => {
  const rules = readFileSync("deploy/prometheus-rules.yml", "utf8");
  expect(rules).toContain(`max by (key) (cercle_look_ups_by_contact) > ${maxContactLookUpsPerDay}\n`);
});
