import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { signInWithEmail } from "#identity/calls.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { mails } from "#platform/mail/mail.tables.server.ts";
import { identify } from "#shop/calls.ts";
import { createMoves, differences, type PackageRows, person, writePackage } from "#testing/move.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { database, call, clock, openShop, runJobs } = await openTestShop();
const { move, moveIn, firstRow, customerOf, countRows, rejectionsOf } = createMoves(database);

/** Everything that a package can have, with no fault. */
const small: PackageRows = {
  members: [
    {
      ...{ SourceId: "M-1", Email: "Lea.Martin@Example.com", Firstname: "Léa", Lastname: "Martin", Civility: "Mme" },
      ...{ Birthday: "1986-04-20", MobilePhone: "06 12 34 56 78", Language: "fr", EmailVerified: 1 },
      // "hashcat", of the test vectors.
      ...{ PasswordHash: "8743b52063cd84097a65d1633f5c74f5", PasswordFormat: "md5", PasswordSalt: "" },
      ...{ Newsletter: 1, NewsletterAt: "2024-01-02T10:00:00Z", ConsentText: "Oui, la lettre" },
      ...{ JoinedAt: "2022-03-04T10:00:00+01:00", Status: "Soie", StatusUntil: "2027-04-20" },
    },
    { SourceId: "M-2", Firstname: "Sans", Lastname: "Adresse", JoinedAt: "2023-03-04T10:00:00Z" },
    { SourceId: "M-3", Email: "compte@example.com", Firstname: "Un", Lastname: "Compte" },
    { SourceId: "M-4", Email: "partie@example.com", JoinedAt: "2020-01-01T00:00:00Z", LeftAt: "2024-01-01T00:00:00Z" },
  ],
  cards: [
    { SourceId: "M-1", CardNumber: "ATELIER-004182" },
    { SourceId: "M-2", CardNumber: "0041829977" },
  ],
  lots: [
    { SourceId: "M-1", LotId: "a", Points: 1_000, EarnedAt: "2026-01-01T10:00:00Z", ExpiresAt: "2028-01-01T23:00:00Z" },
    {
      SourceId: "M-1",
      LotId: "b",
      Points: 250,
      EarnedAt: "2025-06-01T10:00:00Z",
      ExpiresAt: "2027-06-30T21:59:59Z",
      Kind: "Parrainage",
    },
    {
      SourceId: "M-1",
      LotId: "c",
      Points: 80,
      EarnedAt: "2026-11-10T10:00:00Z",
      ExpiresAt: "2028-11-10T23:00:00Z",
      AvailableAt: "2026-11-24T00:00:00Z",
    },
    { SourceId: "M-2", LotId: "a", Points: 40, EarnedAt: "2026-02-01T10:00:00Z", ExpiresAt: "2028-02-01T23:00:00Z" },
  ],
  history: [
    { SourceId: "M-1", EntryId: "1", At: "2025-06-01T10:00:00Z", Points: 250, Text: "Parrainage" },
    { SourceId: "M-1", EntryId: "2", At: "2026-01-01T10:00:00Z", Points: 1_000, Text: 'Achat "Atelier", Lyon' },
  ],
  vouchers: [
    {
      SourceId: "M-1",
      Code: "noel-2026-77",
      Amount: "10.00",
      IssuedAt: "2026-10-01T10:00:00Z",
      ExpiresAt: "2027-12-31T22:59:59Z",
      MinimumBasket: "30.00",
    },
  ],
  debts: [{ SourceId: "M-2", DebtId: "d1", Points: 15, OwedAt: "2026-10-01T10:00:00Z" }],
  consents: [
    { SourceId: "M-1", Subject: "loyalty", Given: 1, At: "2022-03-04T09:00:00Z", Source: "Boutique", Text: "CGV 2022" },
  ],
  social: [{ SourceId: "M-1", Provider: "google", Subject: "118273645" }],
};

test("a club moves: check, rehearse and commit agree, and its members, cards, vouchers and passwords work", async () => {
  const folder = writePackage(small);
  const checked = await move("check", folder);
  expect(checked.rejected).toBe(0);
  await expect(move("commit", folder)).rejects.toThrow("not been rehearsed");

  const rehearsed = await move("rehearse", folder);
  expect(differences(rehearsed.result)).toEqual([]);
  expect(rehearsed.result).toMatchObject({ Equal: true, Members: { New: 4 }, Rejected: 0 });
  expect(await countRows("move_member where source = 'old-club'")).toBe(0);

  const { result } = await move("commit", folder);
  expect(differences(result)).toEqual([]);
  expect(result?.Members.New).toBe(4);
  const lea = await customerOf("M-1");
  expect(lea?.balance).toBe(1_250);
  expect((await customerOf("M-2"))?.balance).toBe(40);
  expect(await countRows("mail where cause <> 'n1'")).toBe(0);
  expect(
    (
      await database.execute(
        sql`select type, count(*)::integer as n,
          bool_and(payload ->> 'IdCustomer' = (select subject::text from customer c where c.id = e.customer_id)) as public
          from webhook_event e where exists (
          select from move_member m where m.customer_id = e.customer_id and m.source = 'old-club') group by 1`,
      )
    ).rows,
  ).toEqual([{ type: "member.imported", n: 2, public: true }]);

  // A second commit changes nothing.
  const entries = await countRows("loyalty_entry");
  expect((await move("commit", folder)).result).toMatchObject({ Equal: true, Members: { New: 0, Done: 4 } });
  expect(await countRows("loyalty_entry")).toBe(entries);

  const signedIn = await call(signInWithEmail, { Email: "lea.martin@example.com", Password: "hashcat" });
  expect(signedIn).toBeTruthy();

  const shop = await openShop();
  const found = await shop.call(identify, { CardNumber: "ATELIER-004182" });
  expect(found.Customers).toMatchObject([{ Points: 1_250, Tier: { Name: "Soie" }, Vouchers: [{ Value: "10.00" }] }]);
  const sold = await shop.sell({ CardNumber: "ATELIER-004182", Amount: "50.00", VoucherCodes: "NOEL-2026-77" });
  expect(sold.Vouchers).toMatchObject([{ Taken: "10.00" }]);
});

test("a member without an address gets no email: it is refused at once", async () => {
  const folder = writePackage({ members: [person("n1", { Email: "" })] }, { source: "no-address" });
  await moveIn(folder);
  const { id } = (await customerOf("n1")) ?? { id: 0 };
  const email = (await firstRow<{ email: string }>(sql`select email from customer where id = ${id}`))?.email ?? "";
  expect(email).toMatch(/^[0-9a-f]{32}@no-address\.invalid$/);
  await database.transaction((tx) =>
    queueMail(tx, {
      cause: "n1",
      customerId: id,
      to: email,
      locale: "fr",
      content: { subject: "x", title: "x", paragraphs: [] } as never,
    }),
  );
  await runJobs();
  expect((await database.select().from(mails).where(eq(mails.cause, "n1")))[0]?.refusedAt).not.toBeNull();
});

test("rejected values and hashes that were never stored are deleted after 30 days, the reconciliation stays", async () => {
  const folder = writePackage(
    { members: [person("c1", { Email: "no address" })] },
    { source: "clean-up", totals: { Members: 1 } },
  );
  const { run } = await move("check", folder);
  for (const [SourceId, day] of [
    ["c2", "2026-11-20"],
    ["c3", "2026-12-01"],
  ])
    await database.execute(
      sql`insert into move_hash values ('clean-up', ${SourceId}, 'given', 'stored', ${day}::date)`,
    );
  const before = clock.now;
  clock.now = new Date("2026-12-25T03:00:00Z");
  await queueJob(database, "move:clean-up", {});
  await runJobs();
  clock.now = before;
  expect(await countRows("move_hash where source = 'clean-up' and source_id = 'c2'")).toBe(0);
  expect(await countRows("move_hash where source = 'clean-up' and source_id = 'c3'")).toBe(1);
  expect(await rejectionsOf(run)).toEqual([]);
  expect(await countRows(`move_run where id = ${run}`)).toBe(1);
});

// Of rows of different lengths PostgreSQL puts a short one back into a page where the one before did not fit.
test("members are numbered in the order of the package, however long their rows are", async () => {
  const members = Array.from({ length: 1_000 }, (_, n) =>
    person(`order-${n}`, {
      ...{ Firstname: "A".repeat(30 + ((n * 7_919) % 31)), Lastname: "B".repeat(1 + ((n * 104_729) % 60)) },
      Civility: n % 2 === 0 ? "Mme" : "",
    }),
  );
  await moveIn(writePackage({ members }, { source: "order" }));
  const { rows } = await database.execute<{ sourceId: string }>(
    sql`select source_id as "sourceId" from move_member where source = 'order' order by customer_id`,
  );
  expect(rows.map(({ sourceId }) => sourceId)).toEqual(members.map(({ SourceId }) => SourceId));
});
