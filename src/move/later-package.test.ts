import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { eraseEverything } from "#identity/privacy/erasure.server.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { countViolations, invariants } from "#loyalty/ledger/invariants/invariants.server.ts";
import { createMoves, differences, lot, person, writePackage } from "#testing/move.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { sentenceOf } from "./stopped.server.ts";

const { database } = await openTestProduct();
const { move, moveIn, firstRow, customerOf, countRows, rejectionsOf } = createMoves(database);

test("a commit whose connection ends in a batch has moved whole members, and starting again finishes", async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `k${index}`);
  const folder = writePackage(
    { members: ids.map((id) => person(id)), lots: ids.map((id) => lot(id, "a", 10)) },
    { source: "killed" },
  );
  await move("rehearse", folder);
  // The connection ends in the middle of the second batch.
  await database.execute(sql`
    create function end_here() returns trigger language plpgsql as $$ begin
      perform pg_terminate_backend(pg_backend_pid()); return new; end $$`);
  await database.execute(sql`
    create trigger end_here before insert on customer for each row
    when (new.email = 'k15@example.com') execute function end_here()`);
  const gone = await move("commit", folder, { batchLines: 10 }).catch((error: unknown) => error);
  expect(sentenceOf(gone)).toContain("The database is gone");
  await database.execute(sql`drop trigger end_here on customer`);
  const moved = await countRows("move_member where source = 'killed'");
  expect(moved).toBeGreaterThan(0);
  expect(moved).toBeLessThan(30);
  expect(
    await countRows(
      "move_member m join loyalty_account a using (customer_id) where source = 'killed' and balance = 10",
    ),
  ).toBe(moved);
  const { result } = await move("commit", folder, { batchLines: 10 });
  expect(differences(result)).toEqual([]);
  expect(result?.Members).toMatchObject({ New: 30 - moved, Done: moved });
});

test("of two commits at once one is refused with a sentence, and each member moves once", async () => {
  const folder = writePackage(
    { members: ["w1", "w2", "w3"].map((id) => person(id)), lots: [lot("w1", "a", 10)] },
    { source: "twice" },
  );
  await move("rehearse", folder);
  const both = await Promise.allSettled([1, 2].map(() => move("commit", folder, { batchLines: 1 })));
  const refused = both.filter((one) => one.status === "rejected");
  expect(refused.map(({ reason }) => String(reason))).toEqual([expect.stringContaining("Another move is running")]);
  expect(await countRows("move_member where source = 'twice'")).toBe(3);
  expect((await customerOf("w1"))?.balance).toBe(10);
});

test("a full disk is one sentence", async () => {
  const full = await writeFile("/dev/full", "x").catch((error: unknown) => error);
  expect(sentenceOf(full)).toContain("The disk is full");
});

test("a later package is a delta: new rows and changes are applied, and never over what a customer did here", async () => {
  const source = "delta";
  const first = writePackage(
    {
      members: [person("d1", { Firstname: "Ana" }), person("d2"), person("d3")],
      lots: [lot("d1", "a", 100), lot("d1", "b", 50), lot("d2", "a", 100), lot("d3", "a", 100)],
      vouchers: [
        {
          SourceId: "d1",
          Code: "DELTA-1",
          Amount: "5.00",
          ExpiresAt: "2027-05-05T10:00:00Z",
          IssuedAt: "2026-01-01T00:00:00Z",
        },
      ],
    },
    { source },
  );
  await move("rehearse", first);
  expect(differences((await move("commit", first)).result)).toEqual([]);
  // Here since: d2 spends points.
  const d2 = await customerOf("d2");
  await database.execute(
    sql`select loyalty_move(${d2?.id}::bigint, -30, 'adjust', 'spent', '{}', '2026-11-17 12:00Z', '2026-11-17 12:00Z')`,
  );
  const later = writePackage(
    {
      members: [
        person("d1", { Firstname: "Anna", Newsletter: 1, NewsletterAt: "2026-11-16T00:00:00Z" }),
        person("d2"),
        person("d3"),
        person("d4"),
      ],
      // Of d1 one lot is spent in part, one is gone, one is new; d2 spent there too; d3 was given more.
      lots: [lot("d1", "a", 60), lot("d1", "c", 5), lot("d2", "a", 90), lot("d3", "a", 120), lot("d4", "a", 1)],
    },
    { source, takenAt: "2026-11-17T21:00:00+01:00" },
  );
  const now = () => new Date("2026-11-17T23:00:00Z");
  expect(differences((await move("rehearse", later, { now })).result)).toEqual([]);
  const { result, run } = await move("commit", later, { now });
  expect(differences(result)).toEqual([]);
  expect(await rejectionsOf(run)).toEqual(["lots.csv:4 Points moved_here"]);
  expect(result?.Members).toMatchObject({ New: 1, Known: 3 });
  expect([
    (await customerOf("d1"))?.balance,
    (await customerOf("d2"))?.balance,
    (await customerOf("d3"))?.balance,
  ]).toEqual([65, 70, 120]);
  expect(
    await firstRow(sql`select firstname, newsletter, (select used_at is not null from loyalty_voucher where code = 'DELTA-1') as used
      from customer where id = ${(await customerOf("d1"))?.id}`),
  ).toEqual({ firstname: "Anna", newsletter: true, used: true });
  // The earlier package again changes nothing.
  expect((await move("commit", first, { now })).result?.Members).toMatchObject({ New: 0, Known: 0, Done: 3 });
});

test("an address that is known here is linked when both have confirmed it, and rejected otherwise", async () => {
  const known = await addVerified("linked@example.com");
  const letter = { Newsletter: 1, NewsletterAt: "2025-01-01T10:00:00Z" };
  const folder = writePackage(
    {
      members: [
        person("l1", { Email: "linked@example.com", EmailVerified: 1, Firstname: "Other", ...letter }),
        // Not moved; when the package is committed again, its address is that of a customer.
        person("l2", { Email: "l3@example.com", EmailVerified: 1, ...letter, Firstname: "=1+1" }),
        person("l3", { EmailVerified: 1, ...letter }),
        person("l4", { Email: "l3@example.com", EmailVerified: 1, ...letter }),
      ],
      lots: [lot("l1", "a", 70)],
      cards: [{ SourceId: "l1", CardNumber: "LINKED-1" }],
    },
    { source: "linked" },
  );
  expect((await move("rehearse", folder)).result?.Members).toMatchObject({ Linked: 1 });
  for (let time = 1; time <= 2; time += 1)
    expect(differences((await move("commit", folder, { acceptRejected: 2 })).result)).toEqual([]);
  expect(
    await firstRow(
      sql`select firstname, balance from customer c join loyalty_account a on a.customer_id = c.id where id = ${known}`,
    ),
  ).toEqual({ firstname: "Here", balance: 70 });

  const taken = writePackage({ members: [person("l2", { Email: "linked@example.com" })] }, { source: "taken" });
  expect(await rejectionsOf((await move("check", taken)).run)).toEqual(["members.csv:2 Email email_taken"]);
});

test("a member who was erased here since does not come back, and is no difference", async () => {
  const folder = writePackage(
    {
      members: [person("g1", { Newsletter: 1, NewsletterAt: "2025-01-01T10:00:00Z" }), person("g2")],
      lots: [lot("g1", "a", 70), lot("g2", "a", 30)],
      cards: [{ SourceId: "g1", CardNumber: "GONE-1" }],
      vouchers: [{ SourceId: "g1", Code: "GONE-2", Amount: "5.00", ExpiresAt: "2027-05-05T10:00:00Z" }],
      history: [{ SourceId: "g1", EntryId: "1", At: "2025-01-01T00:00:00Z", Points: 1, Text: "x" }],
    },
    { source: "erased" },
  );
  expect(differences((await moveIn(folder)).result)).toEqual([]);
  const { id = 0 } = (await customerOf("g1")) ?? {};
  await eraseEverything(database, clubHooks({ publicUrl: "", now: () => new Date() }), {
    ...{ id, email: "g1@example.com", emailVerifiedAt: null },
  });
  const later = writePackage(
    { members: [person("g1"), person("g2")], lots: [lot("g1", "a", 70), lot("g2", "a", 30)] },
    { source: "erased", takenAt: "2026-11-16T22:00:00+01:00" },
  );
  for (const pack of [folder, later]) {
    expect(differences((await move("rehearse", pack)).result)).toEqual([]);
    const { result } = await move("commit", pack);
    expect(differences(result)).toEqual([]);
    expect(result?.Members).toMatchObject({ Gone: 1 });
  }
  expect(await countRows("customer where email = 'g1@example.com'")).toBe(0);
});

test("a member who is erased while a later package is committed does not come back with it", async () => {
  const source = "meanwhile";
  const rows = (points: number) => ({
    members: [person("m1"), person("m2"), person("m3", { EmailVerified: "2025-01-01T00:00:00Z" }), person("m4")],
    lots: ["m1", "m2", "m3", "m4"].map((id) => lot(id, "a", points)),
  });
  await moveIn(writePackage(rows(50), { source }));
  const ids = await Promise.all(["m1", "m2", "m3", "m4"].map(async (id) => (await customerOf(id))?.id ?? 0));
  const later = rows(70);
  const folder = writePackage(
    {
      ...later,
      lots: [...later.lots, lot("m2", "b", 30), lot("m2", "c", 5, { AvailableAt: "2027-01-01T00:00:00Z" })],
      cards: [{ SourceId: "m2", CardNumber: "MEANWHILE-1" }],
      vouchers: [{ SourceId: "m2", Code: "MEANWHILE-2", Amount: "5.00", ExpiresAt: "2027-05-05T10:00:00Z" }],
      history: [{ SourceId: "m2", EntryId: "1", At: "2025-01-01T00:00:00Z", Points: 1, Text: "x" }],
      debts: [{ SourceId: "m2", DebtId: "1", OwedAt: "2026-01-01T00:00:00Z", Points: 3 }],
    },
    { source, takenAt: "2026-11-16T22:00:00+01:00" },
  );
  expect(differences((await move("rehearse", folder)).result)).toEqual([]);

  const holder = await database.$client.connect();
  let committed: ReturnType<typeof move>;
  try {
    await holder.query("begin");
    await holder.query("select from customer where id = $1 for update", [ids[0]]);
    committed = move("commit", folder, { batchLines: 1 });
    await expect
      .poll(() => countRows("pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
      .toBe(1);
    await eraseEverything(database, clubHooks({ publicUrl: "", now: () => new Date() }), {
      ...{ id: ids[1] ?? 0, email: "m2@example.com", emailVerifiedAt: null },
    });
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  const { result } = await committed;
  expect(differences(result)).toEqual([]);
  expect(result?.Members).toMatchObject({ Gone: 1, Known: 3 });
  expect(
    await firstRow(
      sql`select state, balance, loyalty_debt_of(customer_id) as debt from loyalty_account where customer_id = ${ids[1]}`,
    ),
  ).toEqual({ state: "erased", balance: 0, debt: 0 });
  for (const table of ["loyalty_card", "loyalty_import_history", "loyalty_voucher", "loyalty_debt"])
    expect(await countRows(`${table} where customer_id = ${ids[1]}`), table).toBe(0);
  for (const invariant of invariants) expect(await countViolations(database, invariant), invariant.name).toBe(0);
  expect((await customerOf("m4"))?.balance).toBe(70);
});

test("a way to sign in that a customer has removed here does not come back, and who is here gets none", async () => {
  const source = "social";
  const rows = {
    members: [person("s1"), person("s2", { Email: "here@example.com", EmailVerified: 1 })],
    social: ["s1", "s2"].map((SourceId) => ({ SourceId, Provider: "google", Subject: `google-${SourceId}` })),
  };
  const here = await addVerified("here@example.com");
  expect(differences((await moveIn(writePackage(rows, { source }))).result)).toEqual([]);
  const { id = 0 } = (await customerOf("s1")) ?? {};
  const accounts = () => countRows(`social_account where customer_id in (${id}, ${here})`);
  expect(await accounts()).toBe(1);
  await database.execute(sql`delete from social_account where customer_id = ${id}`);
  await database.execute(sql`delete from social_login where customer_id = ${id}`);
  const later = writePackage(rows, { source, takenAt: "2026-11-16T22:00:00+01:00" });
  expect(differences((await moveIn(later)).result)).toEqual([]);
  expect(await accounts()).toBe(0);
});

test("nobody can register with the address of a member without one and stop the move", async () => {
  const folder = writePackage({ members: [person("q1", { Email: "" })] }, { source: "squat" });
  await addVerified(`${createHash("md5").update("squat:q1").digest("hex")}@no-address.invalid`);
  expect(differences((await moveIn(folder)).result)).toEqual([]);
});

async function addVerified(email: string): Promise<number> {
  const made = await firstRow<{ id: number }>(sql`
    with c as (insert into customer (email, firstname, lastname, email_verified_at) values (${email}, 'Here', 'Now', now()) returning id)
    insert into customer_email (email, customer_id) select ${email}, id from c returning customer_id::integer as id`);
  return made?.id ?? 0;
}
