import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { fileNames } from "#move/package/columns.server.ts";
import { differencesOf } from "#move/reconcile/reconcile.server.ts";
import { runMove, type Step } from "#move/run.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { addShop } from "#shop/keys/keys.server.ts";
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
  expect(String(first.files.find(([name]) => name === "receipts")?.[1]).split("\n")).toHaveLength(10);

  const anonymous = await exported(club.database, true);
  const members = String(anonymous.files[0]?.[1]);
  expect(members).not.toContain(lea.email);
  expect(members).not.toContain("$argon2id");
  expect((await moveInto(empty, "check", anonymous.folder)).rejected).toBe(0);
});
