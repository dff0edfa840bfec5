import fc from "fast-check";
import { centsOf } from "#brand/amounts.ts";
import { ledgerSchedule } from "#loyalty/ledger/ledger-jobs.server.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import { referralSchedule } from "#loyalty/referral/referral-job.server.ts";
import { type Group, openGroup } from "./value-group.server.ts";
import type { ValuePeople } from "./value-people.server.ts";
import type { Account, Sale } from "./value-record.server.ts";
import { giveFavours, guessReceipt, launchAlone, recordOwnCard, release } from "./value-staff.server.ts";

/** One thing that a person of a group does. */
interface Action {
  play: (group: Group) => Promise<unknown>;
  [fc.toStringMethod]: () => string;
}
type Fields<F> = { [Name in keyof F]: fc.Arbitrary<F[Name]> };

const action = <F extends object>(
  kind: string,
  fields: Fields<F>,
  play: (group: Group, chosen: F) => Promise<unknown>,
): fc.Arbitrary<Action> =>
  fc.record<F>(fields).map((chosen) => ({
    play: (group) => play(group, chosen),
    [fc.toStringMethod]: () => `${kind} ${JSON.stringify(chosen)}`,
  }));

/** Of one of the group's accounts that is not erased. */
const ofAccount = <F extends object>(
  kind: string,
  fields: Fields<F>,
  play: (group: Group, account: Account, chosen: F) => Promise<unknown>,
) =>
  action<F & { account: number }>(
    kind,
    { ...fields, account: fc.nat(7) } as Fields<F & { account: number }>,
    async (group, chosen) => {
      const alive = group.accounts.filter(({ erased }) => !erased);
      const account = alive[chosen.account % alive.length];
      if (account) await play(group, account, chosen);
    },
  );

/** Of one of the group's sales. */
const ofSale = <F extends object>(
  kind: string,
  fields: Fields<F>,
  play: (group: Group, sale: Sale, chosen: F) => Promise<unknown>,
) =>
  action<F & { sale: number }>(
    kind,
    { ...fields, sale: fc.nat(7) } as Fields<F & { sale: number }>,
    async (group, chosen) => {
      const sale = group.sales[chosen.sale % group.sales.length];
      if (sale) await play(group, sale, chosen);
    },
  );

const weighted = <T>(...all: [number, fc.Arbitrary<T>][]) =>
  fc.oneof(...all.map(([weight, arbitrary]) => ({ weight, arbitrary })));
/** Mostly enough for a voucher, sometimes above the limit of a review. */
const cents = weighted(
  [6, fc.integer({ min: 250_00, max: 3_000_00 })],
  [2, fc.integer({ min: 0, max: 100_00 })],
  [1, fc.integer({ min: 3_000_01, max: 50_000_00 })],
);
const mostly = weighted([5, fc.constant(true)], [1, fc.constant(false)]);
const seller = fc.constantFrom("assistant" as const, "manager" as const, "invented" as const, "partner" as const);
const person = { person: fc.nat(1), spelling: fc.nat(3) };
const lines = fc.array(fc.record({ cents, earns: mostly }), { minLength: 1, maxLength: 2 });
const daysAgo = weighted([6, fc.constant(0)], [2, fc.integer({ min: 1, max: 44 })], [1, fc.constant(-1)]);

const actions: [weight: number, fc.Arbitrary<Action>][] = [
  [
    1,
    action("register", { ...person, confirms: mostly }, (g, one) => g.register(one.person, one.spelling, one.confirms)),
  ],
  [
    1,
    action("join at a till", { ...person, seller }, (g, one) =>
      g.joinAtTill(g.people.sellers[one.seller], one.person, one.spelling),
    ),
  ],
  [
    3,
    ofAccount("register by the link of", { ...person, confirms: mostly }, (g, account, one) =>
      g.register(one.person, one.spelling, one.confirms, account),
    ),
  ],
  [
    2,
    ofAccount("recommend and buy", { seller, cents }, async (g, account, one) => {
      await g.register(1, 0, true, account);
      const friend = g.accounts.findLast((each) => each.person === 1 && !each.erased);
      const basket = { account: friend ?? null, lines: [{ cents: one.cents, earns: true }], codes: [] };
      await g.sell(g.people.sellers[one.seller], { ...basket, daysAgo: 0, exchanged: null });
    }),
  ],
  [1, action("register without the club", person, (g, one) => g.registerAlone(one.person, one.spelling))],
  [
    2,
    ofAccount("enrol at a till", { seller }, async (g, account, one) => {
      const atTill = g.people.sellers[one.seller];
      if (atTill.staffId !== null) await g.enrolAtTill(atTill, account);
    }),
  ],
  [1, ofAccount("confirm", {}, (g, account) => g.confirm(account))],
  [1, ofAccount("collect gifts", {}, (g, account) => g.collectGifts(account))],
  [
    1,
    ofAccount("change the address", { spelling: fc.nat(3) }, (g, account, one) =>
      g.changeAddress(account, one.spelling),
    ),
  ],
  [1, ofAccount("leave", {}, (g, account) => g.leave(account))],
  [1, ofAccount("join again", {}, (g, account) => g.rejoin(account))],
  [1, ofAccount("erase", {}, (g, account) => g.erase(account))],
  [3, ofAccount("obtain", { most: fc.integer({ min: 1, max: 10 }) }, (g, account, one) => g.obtain(account, one.most))],
  [
    1,
    ofAccount("obtain at a till", { seller, byCode: fc.boolean() }, async (g, account, one) => {
      const atTill = g.people.sellers[one.seller];
      if (atTill.staffId !== null) await g.obtainAtTill(atTill, account, one);
    }),
  ],
  [3, ofAccount("spend", { seller }, (g, account, one) => g.spend(g.people.sellers[one.seller], account))],
  [1, ofAccount("hold", { seller }, (g, account, one) => g.hold(g.people.sellers[one.seller], account))],
  [1, action("renew holds", {}, (g) => g.renewHolds())],
  [1, ofAccount("sell with lost vouchers", { cents }, (g, account, one) => g.sellWithLost(account, one.cents))],
  [2, ofSale("amend", { cents }, (g, sale, one) => g.amend(sale, one.cents))],
  [
    1,
    ofSale("give a sum back", { seller, percent: fc.nat(100) }, (g, sale, one) =>
      g.giveSumBack(g.people.sellers[one.seller], sale, one.percent),
    ),
  ],
  [
    1,
    ofSale("give two cents too much back", { seller }, (g, sale, one) =>
      g.giveTooMuchBack(g.people.sellers[one.seller], sale),
    ),
  ],
  [1, ofAccount("release holds", {}, (g, account) => g.releaseHolds(account))],
  [
    8,
    ofAccount("sell", { seller, lines, named: mostly, vouchers: fc.nat(2), daysAgo }, async (g, account, one) => {
      const codes = (await g.usable(account)).slice(0, one.vouchers).map(({ Code }) => Code);
      const basket = { ...one, account: one.named ? account : null, codes, exchanged: null };
      await g.sell(g.people.sellers[one.seller], basket);
    }),
  ],
  [
    1,
    ofAccount("give back early", { seller, cents, percent: fc.nat(100) }, (g, account, one) =>
      g.giveBackEarly(g.people.sellers[one.seller], account, one.cents, one.percent),
    ),
  ],
  [
    1,
    ofAccount("batch", { cents, returned: fc.nat(7) }, (g, account, one) =>
      g.sendBatch(account, one.cents, g.sales[one.returned % g.sales.length]),
    ),
  ],
  [
    1,
    ofAccount("claim", { sale: fc.nat(7) }, async (g, account, one) => {
      const sale = g.sales[one.sale % g.sales.length];
      if (sale) await g.claim(account, sale);
    }),
  ],
  [
    1,
    ofSale("exchange", { seller, cents }, (g, sale, one) => g.exchange(g.people.sellers[one.seller], sale, one.cents)),
  ],
  [2, ofSale("give back", { seller }, (g, sale, one) => g.giveBack(g.people.sellers[one.seller], sale))],
  [
    1,
    ofSale("give a part back", { seller, percent: fc.nat(100) }, (g, sale, one) =>
      g.givePartBack(g.people.sellers[one.seller], sale, one.percent),
    ),
  ],
  [
    1,
    ofSale("give a part back and undo it", { seller, percent: fc.nat(100) }, async (g, sale, one) => {
      await g.givePartBack(g.people.sellers[one.seller], sale, one.percent);
      await g.undoReturn(g.givenBack.length - 1);
    }),
  ],
  [
    1,
    ofSale("exchange and undo it", { seller, cents }, async (g, sale, one) => {
      await g.exchange(g.people.sellers[one.seller], sale, one.cents);
      await g.undoReturn(g.givenBack.length - 1);
    }),
  ],
  [2, action("undo a return", { nth: fc.nat(7) }, (g, { nth }) => g.undoReturn(nth))],
  [1, ofSale("void", { seller }, (g, sale, one) => g.voidSale(g.people.sellers[one.seller], sale))],
  [
    8,
    // The end of most schemes, and of honest purchases too.
    action(
      "cash out",
      { seller, spends: fc.boolean(), givesBack: fc.boolean() },
      async (g, { spends, givesBack, ...one }) => {
        for (const account of g.accounts.filter(({ erased }) => !erased)) {
          await g.obtain(account, 10);
          if (spends) await g.spend(g.people.sellers[one.seller], account);
        }
        if (givesBack) await g.giveAllBack();
      },
    ),
  ],
  [2, ofSale("release", {}, release)],
  [1, ofAccount("record the own card", {}, recordOwnCard)],
  [1, ofAccount("give favours", {}, giveFavours)],
  [1, action("launch alone", {}, launchAlone)],
  [1, action("guess a receipt", {}, guessReceipt)],
  [
    6,
    action("wait", { days: fc.constantFrom(0, 1, 2, 7, 13, 14, 15, 20, 31, 95), night: fc.boolean() }, (g, one) =>
      wait(g, one.days, one.night),
    ),
  ],
];

/** What a group may do, at random. */
export const sequences = fc.array(weighted(...actions), { minLength: 1, maxLength: 22, size: "max" });

async function wait({ noteNight, people }: Group, days: number, night: boolean) {
  const { clock, database, product } = people;
  clock.now = new Date(clock.now.getTime() + 20 * 60_000 + days * 24 * 3_600_000);
  if (!night) return;
  for (const { name } of [...ledgerSchedule, ...referralSchedule]) await product.jobs[name]?.({}, database);
  await noteNight();
}

/** Plays a sequence. Returns what the group has gained when all points have arrived, in cents, and what it did. */
export async function playSequence(people: ValuePeople, rules: Rules, sequence: readonly Pick<Action, "play">[]) {
  const { clock } = people;
  const group = openGroup(people, rules);
  await group.register(0, 0, true);
  for (const { play } of sequence) {
    clock.now = new Date(clock.now.getTime() + 60_000);
    await play(group);
  }
  await wait(group, 16, true);
  const stolen = { of: "customers outside the group", cents: group.stolen.reduce((sum, one) => sum + centsOf(one), 0) };
  const gains = [...(await group.gains()), stolen].filter(({ cents: gained }) => gained > 0);
  return { gained: gains.reduce((sum, one) => sum + one.cents, 0), gains, log: group.log };
}
