import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { openTestShop } from "#testing/shop.server.ts";
import { exportWarehouse, readManifests } from "./export.server.ts";
import { describeColumns, type SubjectName, subjectOf } from "./subjects.server.ts";

const { addMember, clock, database, openShop } = await openTestShop();
const shop = await openShop();
const newFolder = () => mkdtemp(join(tmpdir(), "warehouse-"));
type Row = Record<string, unknown>;

/** As an analyst's reader does: complete manifests alone, in their order. */
async function readRows(folder: string, subject: SubjectName): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { Files } of await readManifests(folder))
    for (const { Subject, Path, Rows } of Files)
      if (Subject === subject) {
        const lines = gunzipSync(await readFile(join(folder, Path)))
          .toString()
          .split("\n")
          .filter(Boolean);
        expect(lines).toHaveLength(Rows);
        rows.push(...lines.map((line) => JSON.parse(line)));
      }
  return rows;
}

/** Exports until all that was written by now is there: transactions of other databases of the cluster hold it up. */
async function exportAll(folder: string): Promise<void> {
  const { rows } = await database.execute<{ next: string }>(
    sql`select pg_snapshot_xmax(pg_current_snapshot())::text as next`,
  );
  const exportedTo = async () => {
    await exportWarehouse(database, folder, { now: clock.now });
    return (await readManifests(folder)).at(-1)?.To ?? 0;
  };
  await expect.poll(exportedTo).toBeGreaterThanOrEqual(Number(rows[0]?.next));
}

const idsOf = async (query: ReturnType<typeof sql>) =>
  (await database.execute<{ id: string }>(query)).rows.map(({ id }) => String(id)).sort();

test("exports while sales are written, one of them cut off and started again: every entry and sale once, a late commit too", async () => {
  const folder = await newFolder();
  const member = await addMember(300);
  const sell = () => shop.sell({ CardNumber: member.card, Amount: "20.00" });
  const run = () => exportWarehouse(database, folder, { now: clock.now });
  await sell();
  // A transaction that began before the first export, and commits after it.
  const late = await database.$client.connect();
  await late.query("begin");
  const moment = clock.now.toISOString();
  await late.query("select loyalty_credit($1, 5, 'grant', 'grant:late', '{}', $2, $2)", [
    (await addMember()).id,
    moment,
  ]);
  await Promise.all([run(), sell()]);
  await late.query("commit");
  late.release();
  const cutOff = () =>
    exportWarehouse(database, folder, {
      now: clock.now,
      onFile: async (subject) => {
        if (subject === "sales") throw new Error("cut off");
      },
    }).catch(({ message }: Error) => message);
  await expect.poll(cutOff).toBe("cut off");
  const left = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".gz"));
  await Promise.all([sell(), run()]);
  await exportAll(folder);
  const entries = await readRows(folder, "entries");
  expect(entries.map(({ IdEntry }) => String(IdEntry)).sort()).toEqual(await idsOf(sql`select id from loyalty_entry`));
  const sales = await readRows(folder, "sales");
  const keys = sales.map((row) =>
    subjectOf("sales")
      .key.map((name) => row[name])
      .join(" "),
  );
  expect([...new Set(keys)].sort()).toEqual(await idsOf(sql`select shop_id || ' ' || number as id from shop_sale`));
  // A row that changed comes again, with a higher sequence.
  expect(new Set(sales.map((row, index) => `${keys[index]} ${row["Sequence"]}`)).size).toBe(sales.length);
  const named = (await readManifests(folder)).flatMap(({ Files }) => Files.map(({ Path }) => Path));
  const kept = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".gz"));
  expect(kept.sort()).toEqual(named.sort());
  expect(left.length).toBeGreaterThan(0);
  const again = await run();
  expect(again?.Files.filter(({ Rows }) => Rows > 0) ?? []).toEqual([]);
});

test("a reader that applies the tombstones holds no row of an erased customer, and no export names a voucher's code", async () => {
  const folder = await newFolder();
  const [gone, stays] = [await addMember(400), await addMember(400)];
  const codes = [];
  for (const member of [gone, stays]) {
    codes.push(await member.obtain());
    await shop.sell({ CardNumber: member.card, Amount: "60.00", VoucherCodes: codes.at(-1) });
  }
  await database.execute(sql`with person as (
      insert into staff (email, firstname, lastname, role) values ('ines@example.com', 'Inès', 'Martin', 'marketing') returning id),
    made as (insert into segment (name) values ('Actifs') returning id),
    file as (
      insert into segment_export (segment_id, version, channel, columns, exported_by, exported_at)
      select made.id, 1, 'email', '[]', person.id, now() from made cross join person returning id)
    insert into segment_export_member (customer_id, export_id)
    select customer_id, file.id from file cross join (values (${gone.id}::bigint), (${stays.id})) m (customer_id)`);
  await exportAll(folder);
  expect(await readRows(folder, "segment_exports")).toMatchObject([{ Segment: "Actifs", Channel: "email" }]);
  await clubHooks({ publicUrl: "", now: () => clock.now }).erase(database, gone.id);
  await exportAll(folder);
  const erased = new Set((await readRows(folder, "tombstones")).map(({ IdCustomer }) => IdCustomer));
  for (const subject of ["members", "entries", "sales", "vouchers", "voucher_uses", "segment_members"] as const) {
    const rows = await readRows(folder, subject);
    const left = rows.filter(({ IdCustomer }) => !erased.has(IdCustomer));
    expect([subject, rows.some((row) => row["IdCustomer"] === gone.id)]).toEqual([subject, true]);
    expect([subject, left.some((row) => row["IdCustomer"] === gone.id)]).toEqual([subject, false]);
    expect([subject, left.some((row) => row["IdCustomer"] === stays.id)]).toEqual([subject, true]);
    for (const code of codes) expect(JSON.stringify(rows)).not.toContain(code);
  }
});

test("a folder of a database with higher numbers is refused", async () => {
  const folder = await newFolder();
  const manifest = await exportWarehouse(database, folder, { now: clock.now });
  const [name = ""] = await readdir(join(folder, "manifests"));
  await writeFile(join(folder, "manifests", name), JSON.stringify({ ...manifest, To: 2 ** 50 }));
  await expect(exportWarehouse(database, folder, { now: clock.now })).rejects.toThrow("export into an empty folder");
});

test("docs/warehouse.md has the table of columns; npm run warehouse -- columns prints it", () => {
  expect(readFileSync("docs/warehouse.md", "utf8")).toContain(describeColumns());
});
