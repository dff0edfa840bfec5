import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { fileNames } from "#move/package/columns.server.ts";
import { differencesOf } from "#move/reconcile/reconcile.server.ts";
import { runMove, type Step } from "#move/run.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { addShop } from "#shop/keys/keys.server.ts";
import { createMoves, differences, lot, person, writePackage } from "#testing/move.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { openTestShop } from "#testing/shop.server.ts";
import { exportClub } from "./export.server.ts";

const club = await openTestShop();
const { database: empty } = await openTestProduct();
const passwords = createPasswordHashes({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });

async function exported(database: Database, anonymise = false) {
  const folder = mkdtempSync(join(tmpdir(), "export-"));
  await exportClub(database, folder, { now: new Date(), anonymise });
  return { folder, files: fileNames.map((name) => [name, readFileSync(join(folder, `${name}.csv`), "utf8")]) };
}

const manifestOf = ({ folder }: { folder: string }) => JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
const read = ({ files }: Awaited<ReturnType<typeof exported>>, name: string) =>
  String(files.find(([file]) => file === name)?.[1])
    .trim()
    .split("\n")
    .slice(1);
const moveInto = (database: Database, step: Step, folder: string) =>
  runMove({ database, folder, step, release: "test", now: () => new Date(), passwords });

test("an export moved into an empty installation and exported again is equal, file by file", async () => {
  club.clock.now = new Date();
  const shop = await club.openShop("Marais");
  const lea = await club.addMember(600);
  await lea.obtain();
  const tom = await club.addMember(20, { newsletter: false, passwordHash: `md5::|$2y$10$${"a".repeat(53)}` });
  await club.addCustomer();
  // Points that are pending, and points that were spent in part.
  await shop.sell({ CardNumber: lea.card, Amount: "899.90" });
  await shop.sell({ CardNumber: tom.card, Amount: "10.00" });
  // Sales, of which a part was returned; the other installation has the same shops.
  const Lines = [
    { Line: "1", Amount: "33.33" },
    { Line: "2", Amount: "20.00", Earns: false },
    { Line: "10", Amount: "99.99" },
  ];
  await shop.sell({ ReceiptNumber: "#1001", CardNumber: tom.card, Lines });
  await shop.takeBack("#1001", [{ Line: "1", Amount: "11.11" }]);
  await shop.sell({ Lines });
  await addShop(empty, { name: "Marais", city: "Paris", kind: "boutique" });

  const first = await exported(club.database);
  const { rejected } = await moveInto(empty, "check", first.folder);
  expect(rejected).toBe(0);
  await moveInto(empty, "rehearse", first.folder);
  const { result } = await moveInto(empty, "commit", first.folder);
  expect(result && differencesOf(result)).toEqual([]);
  const second = await exported(empty);
  expect(second.files).toEqual(first.files);
  expect({ ...manifestOf(second), TakenAt: "" }).toEqual({ ...manifestOf(first), TakenAt: "" });
  expect(String(first.files.find(([name]) => name === "receipts")?.[1]).split("\n")).toHaveLength(10);

  const anonymous = await exported(club.database, true);
  const members = String(anonymous.files[0]?.[1]);
  expect(members).not.toContain(lea.email);
  expect(members).not.toContain("$argon2id");
  expect((await moveInto(empty, "check", anonymous.folder)).rejected).toBe(0);
});

test("customers of two former clubs with one number are two members of an export, each with their own", async () => {
  const [{ database }, { database: other }] = [await openTestProduct(), await openTestProduct()];
  const [moves, there] = [createMoves(database), createMoves(other)];
  for (const [source, Email, points] of [
    ["club-a", "a@example.com", 100],
    ["club-b", "b@example.com", 30],
    // What an installation of this product would have called a customer of this one.
    ["cercle", "c@example.com", 5],
  ] as const) {
    const id = source === "cercle" ? "cercle-9000" : "1";
    const pack = { members: [person(id, { Email })], lots: [lot(id, `of-${source}`, points)] };
    await moves.moveIn(writePackage(pack, { source }));
  }
  await database.execute(sql`
    with c as (insert into customer (id, email, firstname, lastname) overriding system value values (9000, 'd@example.com', 'D', 'D') returning id)
    insert into customer_email (email, customer_id) select 'd@example.com', id from c`);
  const first = await exported(database);
  const ids = read(first, "members").map((line) => line.split(",")[0]);
  expect(new Set(ids).size).toBe(4);
  expect(ids[2]).toBe("cercle-9000");
  const now = () => new Date();
  expect(differences((await there.moveIn(first.folder, { now })).result)).toEqual([]);
  const { rows } = await other.execute(
    sql`select email, balance from customer c join loyalty_account a on a.customer_id = c.id order by 1`,
  );
  expect(rows).toEqual([
    { email: "a@example.com", balance: 100 },
    { email: "b@example.com", balance: 30 },
    { email: "c@example.com", balance: 5 },
  ]);
  expect((await exported(other)).files).toEqual(first.files);
});

test("pending points and debts of receipts with long and unusual numbers move out, too", async () => {
  const [{ database }, { database: other }] = [await openTestProduct(), await openTestProduct()];
  const [moves, there] = [createMoves(database), createMoves(other)];
  await moves.moveIn(writePackage({ members: [person("1")] }));
  const { id } = (await moves.customerOf("1")) ?? {};
  for (const cause of ["purchase:1:#1001", `purchase:12:${"W".repeat(64)}`, "purchase:1:A~1"]) {
    await database.execute(sql`
      insert into loyalty_pending (customer_id, cause, sold_at, arrives_at, points, remaining, counts, label, recorded_at, booked)
      values (${id}, ${cause}, now(), now() + interval '9 days', 100, 100, 100, '{}', now(), 100)`);
    await database.execute(sql`
      insert into loyalty_debt (customer_id, cause, owed_at, points, remaining) values (${id}, ${cause}, now(), 7, 7)`);
  }
  const first = await exported(database);
  const { result } = await there.moveIn(first.folder, { now: () => new Date() });
  expect(differences(result)).toEqual([]);
  expect(await there.countRows("loyalty_pending where remaining = 100")).toBe(3);
  expect(await there.countRows("loyalty_debt where remaining = 7")).toBe(3);
  expect((await exported(other)).files).toEqual(first.files);
});

test("an export is not moved into the club that it is of, where everything would be twice", async () => {
  const { database } = await openTestProduct();
  const moves = createMoves(database);
  await moves.moveIn(writePackage({ members: [person("1", { EmailVerified: 1 })], lots: [lot("1", "a", 100)] }));
  const { folder } = await exported(database);
  const now = () => new Date();
  expect((await moves.move("check", folder, { now })).rejected).toBe(0);
  await expect(moves.moveIn(folder, { now })).rejects.toThrow("everything twice");
  expect((await moves.customerOf("1"))?.balance).toBe(100);
});
