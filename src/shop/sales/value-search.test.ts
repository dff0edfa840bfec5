import fc from "fast-check";
import { expect, test } from "vitest";
import type { Rules } from "#loyalty/programme/rules.ts";
import { expectInvariants } from "#testing/invariants.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { gainOf, type ValuedAccount, type ValuedLine, type ValuedSale, withdrawalDays } from "#testing/value/value.ts";
import { playSequence, sequences } from "#testing/value/value-actions.server.ts";
import { openValuePeople } from "#testing/value/value-people.server.ts";

const people = await openValuePeople();
const { clock, database } = people;

/** For so long, from another seed each time; absent, a few sequences that are always the same. */
const seconds = Number(process.env["VALUE_SEARCH_SECONDS"] ?? 0);
const parameters =
  seconds > 0
    ? { numRuns: 1_000_000, interruptAfterTimeLimit: seconds * 1_000 }
    : { seed: 17, numRuns: 20, interruptAfterTimeLimit: 10_000 };

/** Fails with the sequence that brings a gain, and with what everybody did in it. */
async function gainless(changes: Partial<Rules>) {
  await publishNow(database, changes, { now: clock.now });
  const rules = await people.readRules();
  return fc.asyncProperty(sequences, async (sequence) => {
    const { gained, gains, log } = await playSequence(people, rules, sequence);
    await expectInvariants(database);
    if (gained > 0) throw new Error([...gains.map(({ of, cents }) => `${of}: ${cents} cents`), ...log].join("\n"));
  });
}

test(
  "whatever a customer, an assistant, a manager, a marketing person and a partner do, they draw no more than the programme promises",
  async () => {
    await fc.assert(await gainless({ pendingDays: withdrawalDays }), parameters);
  },
  (seconds + 120) * 1_000,
);

test.each([
  ["a gain where points are available at once", 0, true],
  ["none where they are pending", withdrawalDays, false],
] as const)("goods for points of a purchase that is returned are %s", async (_, pendingDays, isGain) => {
  await publishNow(database, { pendingDays }, { now: clock.now });
  const { gained } = await playSequence(people, await people.readRules(), [
    {
      async play({ accounts: [account], obtain, sell, spend, giveAllBack, people: { sellers } }) {
        if (!account) throw new Error("The group has no account.");
        const lines = [{ cents: 1_000_00, earns: true }];
        await sell(sellers.assistant, { account, lines, codes: [], daysAgo: 0, exchanged: null });
        await obtain(account, 10);
        await spend(sellers.assistant, account);
        await giveAllBack();
      },
    },
  ]);
  expect(gained > 0).toBe(isGain);
});

/** A sale of one line, of which so much was paid. */
const saleOf = (paidCents: number, line: Partial<ValuedLine> = {}): ValuedSale => ({
  ...{ postedAt: clock.now, multiplierHundredths: 100, judgedCents: paidCents, review: "none" },
  lines: [
    {
      ...{ line: "1", earns: true, paidCents, shareCents: 0, refundedCents: 0, lateCents: 0, returned: false },
      ...line,
    },
  ],
});

/** An account under the former rules: points at once, and a return that left vouchers usable beside a debt. */
function openFormerAccount(rules: Rules) {
  const nothing = { giftPoints: 0, availablePoints: 0, usableCents: 0, favourCents: 0, sales: [], spent: [] };
  const account: ValuedAccount = nothing;
  return {
    buy(cents: number) {
      account.sales.push(saleOf(cents));
      account.availablePoints += cents / 100;
    },
    obtain(reward: Rules["rewards"][number]) {
      account.availablePoints -= reward.points;
      account.usableCents += reward.amountCents;
    },
    returnAll() {
      for (const line of account.sales.flatMap(({ lines }) => lines)) {
        Object.assign(line, { refundedCents: line.paidCents, returned: true });
        account.availablePoints = Math.max(0, account.availablePoints - line.paidCents / 100);
      }
    },
    spend() {
      account.spent.push(saleOf(0, { shareCents: account.usableCents }));
      account.usableCents = 0;
    },
    erase() {
      account.availablePoints = 0;
    },
    gain: () => gainOf(account, rules),
  };
}

test("the value of an account shows what the former rules gave for nothing", async () => {
  const rules = await people.readRules();
  const dearest = rules.rewards.toSorted((a, b) => b.points - a.points)[0];
  if (!dearest) throw new Error("The programme has no rewards.");
  const account = openFormerAccount(rules);
  account.buy(2 * dearest.points * 100);
  account.obtain(dearest);
  account.obtain(dearest);
  expect(account.gain()).toBe(0);
  account.returnAll();
  expect(account.gain()).toBe(2 * dearest.amountCents);
  account.spend();
  account.erase();
  expect(account.gain()).toBe(2 * dearest.amountCents);
});

test("an account that keeps what it bought has what it was promised, also when its vouchers are spent", async () => {
  const rules = await people.readRules();
  const [cheapest] = rules.rewards.toSorted((a, b) => a.points - b.points);
  if (!cheapest) throw new Error("The programme has no rewards.");
  const account = openFormerAccount(rules);
  account.buy(cheapest.points * 100 + 99_00);
  expect(account.gain()).toBe(0);
  account.obtain(cheapest);
  account.spend();
  expect(account.gain()).toBe(0);
});
