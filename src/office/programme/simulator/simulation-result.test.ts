import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { listCustomerRewards, obtainEvent, obtainReward, readLoyalty, subscribe } from "#loyalty/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import * as calls from "#office/programme/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

/** What marketing tries: other rates, statuses, gifts, prices and a shorter validity. */
const changed = (rules: Rules): Rules => ({
  ...rules,
  welcomePoints: 400,
  pointsPerEuro: 2,
  pointsValidMonths: 6,
  earnsOn: { priceTypes: ["full"] },
  tiers: rules.tiers.map((tier, n) => ({
    ...tier,
    pointsRequired: [0, 700, 2_100][n] ?? 0,
    multiplierHundredths: [100, 130, 175][n] ?? 100,
  })),
  rewards: rules.rewards.map((reward) => ({ ...reward, points: reward.points + 30 })),
  events: rules.events.map((event) => (event.id === 2 ? { ...event, points: 85 } : event)),
});

const now = new Date("2026-03-10T10:00:00Z");
/** The first moment of the window in Paris: twelve months before. */
const windowStart = new Date("2025-03-09T23:00:00Z");
const dayMs = 86_400_000;

type World = Awaited<ReturnType<typeof openTestShop>>;
interface Act {
  /** Days before now. */
  ago: number;
  member: number;
  do:
    | { join: number }
    | "event"
    | { obtain: string }
    | { sell: string; lines: [cents: number, earns: boolean][]; voucher?: boolean; late?: number; exchange?: string }
    | { back: string; lines?: [line: string, cents?: number][] };
}

/** A repeatable stream of numbers between 0 and 1. */
function random(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Fourteen months of four members: what they buy, claim, bring back and exchange. */
function invent(): Act[] {
  const next = random(7);
  const below = (most: number) => Math.floor(next() * most);
  const acts: Act[] = [];
  for (let member = 0; member < 4; member += 1) {
    const joined = member < 3 ? 430 : 120;
    acts.push({ ago: joined, member, do: { join: member < 3 ? 2_600 : 900 } });
    if (member % 2 === 0) acts.push({ ago: joined - 20 * (member + 1), member, do: "event" });
    const sold: string[] = [];
    for (let ago = joined - 1; ago > 0; ago -= 10 + below(30)) {
      const number = `S-${member}-${ago}`;
      const lines = Array.from({ length: 1 + below(3) }, (): [number, boolean] => [below(30_000) + 99, next() > 0.2]);
      const voucher = next() < 0.25;
      if (voucher) acts.push({ ago: ago + 0.2, member, do: { obtain: "1" } });
      if (voucher) lines[0] = [5_000 + below(9_000), true];
      const exchange = next() < 0.15 ? sold.at(-1) : undefined;
      const late = next() < 0.2 ? 1 + below(5) : 0;
      const sale = { sell: number, lines, voucher, late: late < ago ? late : 0, ...(exchange && { exchange }) };
      acts.push({ ago, member, do: sale });
      if (exchange) sold.pop();
      if (next() < 0.35) {
        const part: [string, number?][] = next() < 0.5 ? [["1"]] : [["1", Math.min(99, lines[0]?.[0] ?? 0)]];
        acts.push({
          ago: Math.max(ago - 7, 0.1),
          member,
          do: next() < 0.3 ? { back: number } : { back: number, lines: part },
        });
      } else if (!sale.late) sold.push(number);
    }
  }
  return acts.sort((a, b) => b.ago - a.ago || a.member - b.member);
}

/** Does it all through the product's own calls, with the clock set back to each moment. */
async function live(world: World, acts: Act[]) {
  const { addCustomer, clock, database } = world;
  clock.now = new Date(now.getTime() - 431 * dayMs);
  const till = await world.openShop();
  const members: Awaited<ReturnType<typeof addCustomer>>[] = [];
  for (const act of acts) {
    const { member: index, do: what } = act;
    clock.now = new Date(now.getTime() - act.ago * dayMs);
    const at = clock.now.toISOString();
    if (what !== "event" && "join" in what) {
      const customer = await addCustomer({ firstname: `M${index}` });
      members[index] = customer;
      await customer.call(subscribe, { LoyaltyCustomerState: "true", CustomerBirthday: "1990-07-14" });
      const grant = { customerId: customer.id, points: what.join, kind: "grant", cause: "grant:1", label: {} } as const;
      await database.transaction((tx) => credit(tx, { ...grant, now: clock.now }));
      continue;
    }
    const member = members[index];
    if (!member) throw new Error("Nobody has joined yet.");
    if (what === "event") await member.call(obtainEvent, { IdLoyaltyProgramEvent: "2" });
    else if ("obtain" in what) await member.call(obtainReward, { IdLoyaltyReward: what.obtain });
    else if ("sell" in what) {
      const vouchers = what.voucher
        ? (await member.call(listCustomerRewards, { LoyaltyRewardState: "available" })).CustomerRewards
        : [];
      const CardNumber = (await member.call(readLoyalty)).Card?.Number ?? "";
      const Lines = what.lines.map(([cents, Earns], n) => ({
        Line: String(n + 1),
        Amount: (cents / 100).toFixed(2),
        Earns,
        ...(cents % 4 === 0 && { PriceType: "sale" as const }),
      }));
      const SoldAt = new Date(clock.now.getTime() - (what.late ?? 0) * dayMs).toISOString();
      await till.sell({
        ...{ ReceiptNumber: what.sell, CardNumber, Lines, SoldAt, SentAt: at },
        ...(vouchers[0] && { VoucherCodes: vouchers[0].Code }),
        ...(what.exchange && { ReturnOf: { OriginalReceiptNumber: what.exchange, Lines: [{ Line: "1" }] } }),
      });
    } else {
      const Lines = what.lines?.map(([Line, cents]) => ({ Line, ...(cents && { Amount: (cents / 100).toFixed(2) }) }));
      await till.takeBack(what.back, Lines, { SoldAt: at, SentAt: at });
    }
  }
  clock.now = now;
  return summaryOf(world, members);
}

/** What the ledger says at the end. */
async function summaryOf({ database }: World, members: Awaited<ReturnType<World["addCustomer"]>>[]) {
  const { rows } = await database.execute<{ issued: number; taken: number }>(sql`
    select (select sum(points)::integer from loyalty_entry where points > 0 and club_day(at) >= '2025-03-10') as issued,
      (select coalesce(sum(c.points), 0)::integer from loyalty_claw_back c
        join loyalty_entry e on e.customer_id = c.customer_id and e.id = c.purchase_id
        where club_day(e.at) >= '2025-03-10') as taken`);
  const tiers: Record<number, number> = {};
  let outstanding = 0;
  for (const member of members) {
    const { Points, Tier } = await member.call(readLoyalty);
    outstanding += Points.Available;
    tiers[Tier?.IdLoyaltyTier ?? 0] = (tiers[Tier?.IdLoyaltyTier ?? 0] ?? 0) + 1;
  }
  return { issued: rows[0]?.issued, takenBack: rows[0]?.taken, outstanding, tiers };
}

test("a simulation says what the same year under the draft's rules would have been, by the product's own calls", async () => {
  const office = await openTestOffice();
  const other = await openTestShop();
  const acts = invent();
  const lived = await live(office, acts);
  // The other world's programme is the draft's from the first moment of the window on.
  const published = { now: new Date(windowStart.getTime() - dayMs), startsAt: windowStart };
  await publishNow(other.database, changed, published);
  const livedOtherwise = await live(other, acts);

  const marketing = await office.openOffice("marketing");
  const { Rules } = (await marketing.call(calls.readRules)).Current;
  const draft = { Revision: "0", Label: "Double", Rules: JSON.stringify(changed(Rules)) };
  const { Revision } = await marketing.call(calls.saveDraft, draft);
  await marketing.call(calls.startSimulation, { Revision: String(Revision) });
  expect((await marketing.call(calls.readSimulation)).Simulation?.State).toBe("running");
  await office.runJobs();
  const { Simulation } = await marketing.call(calls.readSimulation);
  expect(Simulation).toMatchObject({ State: "done", Revision, Outdated: false, Done: 4, Total: 4 });
  const result = Simulation?.Result;
  expect(result?.today).toMatchObject(lived);
  expect(result?.draft).toMatchObject(livedOtherwise);
  // The history is no trivial one.
  expect(lived.takenBack).toBeGreaterThan(500);
  expect(livedOtherwise.issued).toBeGreaterThan((lived.issued ?? 0) * 1.5);
  expect((result?.up ?? 0) + (result?.down ?? 0)).toBeGreaterThan(0);
  expect(result?.gain.length).toBeGreaterThan(0);
  // The largest reward gives most for a point.
  expect(result?.draft.costCents).toBe(
    Math.floor((((result?.draft.issued ?? 0) - (result?.draft.takenBack ?? 0)) * 5_000) / 1_280),
  );

  // Saved since, it is outdated; another run takes its place, and one that is cancelled ends without a result.
  const again = await marketing.call(calls.saveDraft, { ...draft, Revision: String(Revision) });
  expect((await marketing.call(calls.readSimulation)).Simulation?.Outdated).toBe(true);
  const second = await marketing.call(calls.startSimulation, { Revision: String(again.Revision) });
  await marketing.call(calls.cancelSimulation, { IdSimulation: String(second.IdSimulation) });
  await office.runJobs();
  expect((await marketing.call(calls.readSimulation)).Simulation).toMatchObject({ State: "cancelled", Result: null });
  const cancelled = marketing.call(calls.cancelSimulation, { IdSimulation: String(second.IdSimulation) });
  expect(await refusalOf(cancelled)).toMatchObject({ status: 404 });
});
