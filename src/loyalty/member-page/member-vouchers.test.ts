import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { pagePaths } from "#identity/paths.ts";
import { listCustomerRewards, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { vouchers } from "#loyalty/rewards/voucher.tables.server.ts";
import { linkIn, openTestPages } from "#testing/member-page.server.ts";

const { addCustomer, clock, database, see } = await openTestPages();
const path = pagePaths.memberPage;

type Person = Awaited<ReturnType<typeof addCustomer>>;

/** Vouchers of ten euros, as many as wanted. */
async function giveVouchers(member: Person, count: number) {
  await member.call(subscribe);
  await credit(database, {
    ...{ customerId: member.id, points: 250 * count, kind: "grant", cause: "grant:vouchers", label: {} },
    now: clock.now,
  });
  for (let n = 0; n < count; n += 1)
    await member.call("POST loyalty/reward/1/obtain", { IdLoyaltyReward: 1 }, { idempotencyKey: `voucher-${n}` });
}

/** Vouchers' bar: what it shows, and the words below it. */
async function voucherBar(member: Person) {
  const { html, words } = await see(member);
  const [, value, max] = /<progress[^>]* value="(\d+)" max="(\d+)"/.exec(html) ?? [];
  return { full: value === max, words };
}

test("lists without an entry show the brand's picture for them", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  const { html } = await see(member, `${path}?tab=vouchers`);
  expect(html).toMatch(/srcSet="\/assets\/brand\/empty-[\da-f]{8}\.avif"/);
});

test("points that reach a voucher fill the bar, and the page says how many are waiting", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  const one = await voucherBar(member);
  expect(one).toMatchObject({ full: true, words: expect.stringContaining("1 bon de 10 € vous attend. ") });
  expect(one.words).toContain("Encore 250 points avant le suivant.");
  const grant = (points: number) =>
    credit(database, {
      ...{ customerId: member.id, points, kind: "grant", cause: `grant:${points}`, label: {} },
      now: clock.now,
    });
  await grant(510);
  const three = await voucherBar(member);
  expect(three).toMatchObject({ full: true, words: expect.stringContaining("3 bons de 10 € vous attendent") });
  expect(three.words).toContain("soit 30 € en bons");
  await member.call("POST loyalty/reward/1/obtain", { IdLoyaltyReward: 2 });
  await member.call("POST loyalty/reward/1/obtain", { IdLoyaltyReward: 1 }, { idempotencyKey: "last" });
  const none = await voucherBar(member);
  expect(none).toMatchObject({
    full: false,
    words: expect.stringContaining("Encore 240 points avant votre prochain bon."),
  });
  expect(none.words).not.toMatch(/ vous attend(ent)?[.,] /);
});

test("points about to expire are to be turned into a voucher only when they reach one", async () => {
  const start = clock.now;
  // The page compares with the browser's clock. Points of 23 months ago end in a month.
  const now = new Date();
  clock.now = new Date(now.getTime() - 700 * 86_400_000);
  const member = await addCustomer();
  await member.call(subscribe);
  await credit(database, {
    ...{ customerId: member.id, points: 200, kind: "grant", cause: "grant", label: {} },
    now: clock.now,
  });
  clock.now = now;
  expect((await see(member)).words).toContain("Changez‑les en bon avant cette date.");
  await member.call("POST loyalty/reward/1/obtain", { IdLoyaltyReward: 1 });
  const short = await see(member);
  expect(short.words).toContain("200 points expirent le");
  expect(short.words).not.toContain("Changez‑les en bon");
  clock.now = start;
});

/** What is left open of a page's vouchers, by their place in it. */
const openTickets = (html: string) =>
  [...html.matchAll(/<details([^>]*name="voucher"[^>]*)>/g)].map(([, attributes = ""]) => attributes.includes("open"));

test("vouchers are grouped, the soonest to end first and open; the others show their barcode when opened", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  const start = clock.now;
  const obtain = async (day: number) => {
    clock.now = new Date(start.getTime() + day * 86_400_000);
    const { CustomerReward } = await member.call("POST loyalty/reward/1/obtain", { IdLoyaltyReward: 1 });
    return CustomerReward.Code;
  };
  await credit(database, {
    ...{ customerId: member.id, points: 1_000, kind: "grant", cause: "grant", label: {} },
    now: clock.now,
  });
  const [expired, used, soon, late] = [await obtain(0), await obtain(10), await obtain(20), await obtain(50)];
  await database.update(vouchers).set({ usedAt: clock.now }).where(eq(vouchers.code, used));
  clock.now = new Date(start.getTime() + 95 * 86_400_000);
  const page = await see(member, `${path}?tab=vouchers`);
  const list = page.words.slice(page.words.indexOf("Mes bons"));
  const order = [soon, late, used, expired].map((code) => list.indexOf(code));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  for (const heading of ["Disponibles", "Utilisés", "Expirés"]) expect(page.html).toContain(`>${heading}</h3>`);
  expect(openTickets(page.html)).toEqual([true, false]);
  // The switch of the code's screen tells vouchers of one amount apart.
  expect(page.html).toMatch(/Bon de 10.€<span[^>]*>jusqu’au 28\sjuin 2026/);
  clock.now = start;
});

test("vouchers come ten to a page, both ways, without losing the filter or the place in the history", async () => {
  const member = await addCustomer();
  await giveVouchers(member, 11);
  const first = await see(member, `${path}?state=available&cursor=MTAwMDAwMDAw`);
  expect(first.words).toContain("Page 1 sur 2");
  expect(first.html.match(/id="till-\d+"/g)).toHaveLength(10);
  const second = linkIn(first.html, "Bons suivants");
  expect(second).toBe("?state=available&cursor=MTAwMDAwMDAw&tab=vouchers&vouchers=2#vouchers");
  const last = await see(member, path + second);
  expect(last.words).toContain("Page 2 sur 2");
  expect(linkIn(last.html, "Bons précédents")).toBe("?state=available&cursor=MTAwMDAwMDAw&tab=vouchers#vouchers");
  expect(last.html.match(/id="till-\d+"/g)).toHaveLength(1);
  expect(last.words).not.toContain("Bons suivants");
  expect(first.html.length).toBeLessThan(200_000);
  // One that was just obtained is shown though it is the last to end, and on the second page.
  const newest = (await member.call(listCustomerRewards)).CustomerRewards.at(-1)?.IdCustomerReward;
  const obtained = await see(member, `${path}?obtained=${newest}`);
  expect(obtained.words).toContain("Votre bon de 10 € est prêt.");
  expect(obtained.html).toContain(`id="till-${newest}-new"`);
});

test("the account's home says how many vouchers can be used, also to who has left, and the club's page shows them", async () => {
  const member = await addCustomer();
  await giveVouchers(member, 2);
  expect((await see(member, "/account")).words).toContain("2 bons disponibles");
  await member.call(unsubscribe);
  expect((await see(member, "/account")).words).toContain("2 bons disponibles");
  const left = await see(member);
  expect(left.words).toContain("Revenir dans le Cercle");
  expect(left.words).toContain("Présenter en caisse");
  const none = await see(member, `${path}?state=used`);
  expect(none.words).toContain("Aucun bon ici.");
});
