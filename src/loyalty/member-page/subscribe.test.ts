import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { textsOf } from "#i18n/texts.server.ts";
import { customerEmails, customers } from "#identity/customer/customer.tables.server.ts";
import { pagePaths } from "#identity/paths.ts";
import { listCustomerRewards, readLoyalty, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { clubPath } from "#loyalty/paths.ts";
import { vouchers } from "#loyalty/rewards/voucher.tables.server.ts";
import { posterPath } from "#shop/paths.ts";
import { openTestClub } from "#testing/club.server.ts";

const { addCustomer, database, clock, fetch, emails, settings } = await openTestClub();
const path = pagePaths.memberPage;

type Person = Awaited<ReturnType<typeof addCustomer>>;

async function see(person: Person, address: string = path) {
  const response = await fetch(address, { headers: { cookie: `auth.token=${person.token}` } });
  const html = await response.text();
  return { status: response.status, html, words: wordsOf(html) };
}

/** The visible text of a page, without scripts and tags. */
function wordsOf(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
}

/** The address of the link with these words. */
function linkIn(html: string, words: string): string {
  const [before = ""] = html.split(words);
  const [, href = ""] = before.slice(before.lastIndexOf("<a ")).match(/href="([^"]*)"/) ?? [];
  return href.replaceAll("&amp;", "&").replace(path, "");
}

/** Sends a form as a browser without script does. */
async function send(person: Person, fields: Record<string, string>) {
  const headers = { cookie: `auth.token=${person.token}`, "sec-fetch-site": "same-origin" };
  const response = await fetch(path, { method: "POST", headers, body: new URLSearchParams(fields) });
  return wordsOf(await response.text());
}

/** A customer who was a member, was erased, and has registered again with the same address. */
async function addReturned(): Promise<Person> {
  const before = await addCustomer();
  await before.call(subscribe);
  await database.transaction(async (tx) => {
    const hooks = clubHooks({ publicUrl: settings.publicUrl.href, now: () => clock.now });
    await hooks.erase(tx, before.id);
    await tx.delete(customerEmails).where(eq(customerEmails.customerId, before.id));
    await tx.delete(customers).where(eq(customers.id, before.id));
  });
  return addCustomer({ email: before.email });
}

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
  const newest = await see(member, `${path}?state=used&vouchers=2`);
  expect(newest.words).toContain("Achat 9");
  const back = linkIn(newest.html, "Mouvements plus anciens");
  expect(back).toMatch(/^[?]state=used&vouchers=2&cursor=[\w-]+#history$/);
  const older = await see(member, path + back);
  expect(older.words).not.toContain("Achat 9");
  const forth = linkIn(older.html, "Mouvements plus récents");
  expect(forth).toMatch(/^[?]state=used&vouchers=2&after=[\w-]+#history$/);
  const again = await see(member, path + forth);
  expect(again.words).toContain("Achat 9");
  expect(again.words).not.toContain("Mouvements plus récents");
});

test("a member sees the benefits of their status and of the next, and the way to the whole programme", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  const { Tier } = await member.call(readLoyalty);
  const page = await see(member);
  const { Tiers } = await member.call("GET loyalty/programme");
  expect(Tier?.Benefits.length).toBeGreaterThan(0);
  for (const benefit of [...(Tier?.Benefits ?? []), ...(Tiers[1]?.Benefits ?? [])])
    expect(page.words).toContain(benefit.replace(/\s+/g, " "));
  expect(linkIn(page.html, "Tout le programme")).toBe("/loyalty");
});

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

test("points of an event are told among the events, where they were asked for", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  const words = await send(member, { intent: "event", IdLoyaltyProgramEvent: "2", IdempotencyKey: "event" });
  expect(words).toMatch(/Gagner des points 50 points viennent d’arriver\./);
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
  const page = await see(member);
  const list = page.words.slice(page.words.indexOf("Mes bons"));
  const order = [soon, late, used, expired].map((code) => list.indexOf(code));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  for (const heading of ["Disponibles", "Utilisés", "Expirés"]) expect(page.html).toContain(`>${heading}</h3>`);
  expect(openTickets(page.html)).toEqual([true, false]);
  // The switch of the code's screen tells vouchers of one amount apart.
  expect(page.html).toMatch(/Bon de 10.€<span[^>]*>jusqu’au 28 juin 2026/);
  clock.now = start;
});

test("vouchers come ten to a page, both ways, without losing the filter or the place in the history", async () => {
  const member = await addCustomer();
  await giveVouchers(member, 11);
  const first = await see(member, `${path}?state=available&cursor=MTAwMDAwMDAw`);
  expect(first.words).toContain("Page 1 sur 2");
  expect(first.html.match(/id="till-\d+"/g)).toHaveLength(10);
  const second = linkIn(first.html, "Bons suivants");
  expect(second).toBe("?state=available&cursor=MTAwMDAwMDAw&vouchers=2#vouchers");
  const last = await see(member, path + second);
  expect(last.words).toContain("Page 2 sur 2");
  expect(linkIn(last.html, "Bons précédents")).toBe("?state=available&cursor=MTAwMDAwMDAw#vouchers");
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

test("the wallet link of a customer who is no member shows the form to join, and after joining redirects to the wallet", async () => {
  const customer = await addCustomer();
  const page = await see(customer, `${path}?wallet=google`);
  expect(page.status).toBe(200);
  expect(page.words).toContain("Rejoindre le Cercle");
  expect(page.words).toContain("Rejoignez d’abord le Cercle : votre carte ira ensuite dans Google Wallet.");
  // The form's action has no query: joining shows this page, it does not redirect to the wallet.
  expect(page.html).toContain(`action="${path}"`);
  expect((await see(customer)).words).not.toContain("Google Wallet");
  await customer.call(subscribe);
  expect((await see(customer, `${path}?wallet=google`)).status).toBe(302);
});

test("a customer who has had the welcome gift is not promised it again, on any page or in the email", async () => {
  const returned = await addReturned();
  const before = (await emails(returned.email)).length;
  expect((await returned.call(readLoyalty)).WelcomePoints).toBe(0);
  const offer = await see(returned);
  expect(offer.words).toContain("Rejoindre le Cercle");
  expect(offer.words).not.toContain("250");
  expect((await see(returned, "/account")).words).not.toContain("250");
  for (const publicPage of ["/", clubPath])
    expect((await see(returned, publicPage)).words).toContain("Votre place vous attend dans le Cercle.");
  const joined = await send(returned, { intent: "join", IdempotencyKey: "join" });
  expect(joined).toContain("Félicitations, vous avez rejoint le Cercle.");
  expect(joined).not.toContain("250 points.");
  const [email, ...others] = (await emails(returned.email)).slice(before);
  expect(others).toEqual([]);
  expect(email?.subject).toBe("Bienvenue dans le Cercle");
  expect(email?.plainText).not.toContain("250");
});

test("a customer who has never had the gift is promised 250 points, and the page says that they were credited", async () => {
  const person = await addCustomer();
  expect((await person.call(readLoyalty)).WelcomePoints).toBe(250);
  expect((await see(person)).words).toContain("Rejoindre et recevoir 250 points");
  expect((await see(person, "/account")).words).toContain("250 points offerts");
  const joined = await send(person, { intent: "join", IdempotencyKey: "join" });
  expect(joined).toContain("Félicitations, vous avez rejoint le Cercle et gagné 250 points.");
  expect(joined).toContain("Aucun bon pour l’instant. Vos points suffisent pour le premier");
  expect((await person.call(readLoyalty)).WelcomePoints).toBe(0);
  await person.call(unsubscribe);
  expect((await person.call(readLoyalty)).WelcomePoints).toBe(0);
  // Who has left is told of their own points, where others are told of the gift.
  for (const publicPage of ["/", clubPath, posterPath]) {
    const { words } = await see(person, publicPage);
    expect(words).toContain("250 points vous attendent dans le Cercle. Revenez quand vous voulez");
    expect(words).toContain("Revenir dans le Cercle");
    expect(words).not.toContain("Rejoindre le Cercle");
    expect(words).not.toMatch(/250 points vous (attendent, soit|sont offerts)|avec ses 250 points/);
  }
});

test("a refused birthday stays in the form as it was typed", async () => {
  const person = await addCustomer({ birthday: null });
  const headers = { cookie: `auth.token=${person.token}`, "sec-fetch-site": "same-origin" };
  const body = new URLSearchParams({ intent: "join", IdempotencyKey: "join", CustomerBirthday: "31/12/2090" });
  const response = await fetch(path, { method: "POST", headers, body });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('value="31/12/2090"');
});

test("with 100 and 2 000 vouchers and entries the page weighs and asks what it did with a few", async () => {
  const weighed: number[] = [];
  for (const count of [20, 100, 2_000]) {
    const member = await addCustomer();
    await member.call(subscribe);
    await database.transaction(async (tx) => {
      // Without triggers, the metrics counted afterwards: the webhooks of so many vouchers are not this test's.
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`
        with written as (
          insert into loyalty_entry (customer_id, at, kind, points, balance, cause)
          select ${member.id}, ${clock.now.toISOString()}, 'gift', 0, 250, 'gift:' || n
          from generate_series(1, ${count}::integer) n returning id),
        codes as (insert into loyalty_voucher_code (code, customer_id) select 'W' || id, ${member.id} from written)
        insert into loyalty_voucher
          (customer_id, id, programme_id, reward_id, code, points, amount_cents, obtained_at, expires_at)
        select ${member.id}, id, 4, 1, 'W' || id, 0, 1000, ${clock.now.toISOString()},
          ${clock.now.toISOString()}::timestamptz + interval '90 days' from written`);
      await tx.execute(sql`select metric_rebuild()`);
    });
    const started = performance.now();
    for (const address of [path, `${path}?vouchers=${Math.ceil(count / 6)}`]) {
      const { status, html } = await see(member, address);
      expect(status).toBe(200);
      weighed.push(html.length);
    }
    // A second is plenty: what is bounded here is the order of magnitude.
    expect(performance.now() - started, String(count)).toBeLessThan(5_000);
  }
  const [few = 0, , , , many = 0] = weighed;
  expect(many).toBeLessThan(few * 1.02);
});

test("home shows a member's own card, and a card of nobody to everybody else", async () => {
  const member = await addCustomer();
  const sample = textsOf.fr.t("card.yourName");
  expect((await see(member, "/fr")).words).toContain(sample);
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

test("before and after leaving, a customer reads until when the points are kept, and is promised nothing more", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  const lapses = textsOf.fr.date((await member.call(readLoyalty)).Points.Expiring?.Date ?? "");
  expect((await see(member)).words).toContain(`Ils expirent au plus tard le ${lapses}.`);
  await member.call(unsubscribe);
  for (const page of [path, pagePaths.account])
    expect((await see(member, page)).words, page).toContain(`Ils expirent au plus tard le ${lapses}.`);
  await member.call(subscribe);
  const later = new Date(clock.now.getTime() + 40 * 86_400_000);
  await credit(database, { customerId: member.id, points: 40, kind: "grant", cause: "later", label: {}, now: later });
  await member.call(unsubscribe);
  expect((await see(member)).words).toContain(`Les premiers, 250, expirent au plus tard le ${lapses}.`);
});
