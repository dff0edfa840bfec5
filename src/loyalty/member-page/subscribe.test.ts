import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { textsOf } from "#brand/texts.server.ts";
import { pagePaths } from "#identity/paths.ts";
import { readLoyalty, subscribe } from "#loyalty/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { linkIn, openTestPages, wordsOf } from "#testing/member-page.server.ts";
import { startProcessorTimer } from "#testing/processor-timer.server.ts";

const { addCustomer, clock, database, fetch, see, send } = await openTestPages();
const path = pagePaths.memberPage;

test.each(["x", "", "MA", "OTk5OTk5OTk5OTk5OTk5OTk5OTk", "a".repeat(65)])(
  "an invalid cursor ('%s') shows the newest entries",
  async (cursor) => {
    const member = await addCustomer();
    await member.call(subscribe);
    const page = await see(member, `${path}?cursor=${cursor}`);
    expect(page.status).toBe(200);
    expect(page.words).toContain("Bienvenue dans le Cercle");
    expect(page.words).not.toContain("Mouvements plus récents");
  },
);

test("the history goes back and forth, and keeps the vouchers' filter and page", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  for (let n = 0; n < 10; n += 1)
    await credit(database, {
      ...{ customerId: member.id, points: 10, kind: "grant", cause: `grant:${n}`, label: { text: `Achat ${n}` } },
      now: clock.now,
    });
  const newest = await see(member, `${path}?tab=history&state=used&vouchers=2`);
  expect(newest.words).toContain("Achat 9");
  const back = linkIn(newest.html, "Mouvements plus anciens");
  expect(back).toMatch(/^[?]tab=history&state=used&vouchers=2&cursor=[\w-]+#history$/);
  const older = await see(member, path + back);
  expect(older.words).not.toContain("Achat 9");
  const forth = linkIn(older.html, "Mouvements plus récents");
  expect(forth).toMatch(/^[?]tab=history&state=used&vouchers=2&after=[\w-]+#history$/);
  const again = await see(member, path + forth);
  expect(again.words).toContain("Achat 9");
  expect(again.words).not.toContain("Mouvements plus récents");
});

test("a member sees the benefits of their status and of the next, and the way to the whole programme", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  const { Tier } = await member.call(readLoyalty);
  const page = await see(member, `${path}?tab=benefits`);
  const { Tiers } = await member.call("GET loyalty/programme");
  expect(Tier?.Benefits.length).toBeGreaterThan(0);
  for (const benefit of [...(Tier?.Benefits ?? []), ...(Tiers[1]?.Benefits ?? [])])
    expect(page.words).toContain(benefit.replace(/\s+/g, " "));
  expect(linkIn(page.html, "Tout le programme")).toBe("/loyalty");
});

test("points of an event are told among the events, where they were asked for", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  const words = await send(member, { intent: "event", IdLoyaltyProgramEvent: "2", IdempotencyKey: "event" });
  expect(words).toMatch(/Gagner des points 50 points viennent d’arriver\./);
});

test("with 100 and 2 000 vouchers and entries the page weighs and asks what it did with a few", async () => {
  const weighed: number[] = [];
  for (const count of [20, 100, 2_000]) {
    const member = await addCustomer();
    await member.call(subscribe);
    await database.transaction(async (tx) => {
      // Without triggers, the metrics counted afterwards: the webhooks of so many vouchers are not this test's. Codes of one
      // length: a longer one has a larger barcode.
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`
        with written as (
          insert into loyalty_entry (customer_id, at, kind, points, balance, cause, recorded_at)
          select ${member.id}, ${clock.now.toISOString()}, 'gift', 0, 250, 'gift:' || n, ${clock.now.toISOString()}
          from generate_series(1, ${count}::integer) n returning id),
        codes as (insert into loyalty_voucher_code (code, customer_id) select 'W' || lpad(id::text, 8, '0'), ${member.id} from written)
        insert into loyalty_voucher
          (customer_id, id, programme_id, reward_id, code, points, amount_cents, obtained_at, expires_at)
        select ${member.id}, id, 4, 1, 'W' || lpad(id::text, 8, '0'), 0, 1000, ${clock.now.toISOString()},
          ${clock.now.toISOString()}::timestamptz + interval '90 days' from written`);
      await tx.execute(sql`select metric_rebuild()`);
    });
    const taken = startProcessorTimer();
    for (const address of [path, `${path}?vouchers=${Math.ceil(count / 6)}`]) {
      const { status, html } = await see(member, address);
      expect(status).toBe(200);
      weighed.push(html.length);
    }
    // A second is plenty: what is bounded here is the order of magnitude.
    expect(taken(), String(count)).toBeLessThan(5_000);
  }
  const [few = 0, , , , many = 0] = weighed;
  expect(many).toBeLessThan(few * 1.02);
});

test("home shows a member's own card, and everybody else a card without a code, which no till can scan", async () => {
  const member = await addCustomer();
  const sample = textsOf.fr.t("card.yourName");
  expect((await see(member, "/fr")).words).toContain(sample);
  for (const path of ["/fr", pagePaths.account, pagePaths.memberPage]) {
    const { html } = await see(member, path);
    expect(html, path).toContain("card-seam");
    expect(html, path).not.toMatch(/crispEdges|\b29\d{11}\b/);
  }
  await member.call(subscribe);
  const { Card } = await member.call(readLoyalty);
  const { words } = await see(member, "/fr");
  expect(words).toContain(Card?.Number);
  expect(words).not.toContain(sample);
  const visited = await (await fetch("/fr")).text();
  expect(wordsOf(visited)).toContain(sample);
  // Both links that invite a visitor to join lead to a registration that joins.
  expect(visited.match(/href="\/authenticate\/register[^"]*"/g)).toEqual(
    Array(2).fill('href="/authenticate/register?join"'),
  );
  // The sign-in that nothing else asked for leads to the account's home.
  const toAccount = 'href="/authenticate/login?loginGoTo=%2Faccount"';
  expect(visited).toContain(toAccount);
  expect(await (await fetch("/authenticate/register")).text()).toContain(toAccount);
});
