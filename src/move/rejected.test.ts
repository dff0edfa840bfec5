import { gzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { rejectedCsv } from "#move/reconcile/report.server.ts";
import { createMoves, differences, lot, type PackageRows, person, writePackage } from "#testing/move.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const { database } = await openTestProduct();
const { move, countRows, rejectionsOf } = createMoves(database);

test("each damaged value is rejected with its file, line, column and reason, and the sums account for it", async () => {
  const rows: PackageRows = {
    members: [
      person("r1"),
      person("r2", { Email: "m.durand@@orange.fr" }),
      person("r3", { Email: "R1@EXAMPLE.com" }),
      person("r1", { Email: "other@example.com" }),
      person("r4", { Birthday: "2031-01-01", MobilePhone: "6,12E+08" }),
      person("r5", { Status: "Platine" }),
      person("r6", { Status: "Soie" }),
      person("r7", { Newsletter: 1 }),
      person("r8", { PasswordHash: "abc", PasswordFormat: "rot13" }),
      person("r9", { Firstname: '=HYPERLINK("http://example.com")' }),
      person("r10", { Email: "compte-seul@example.com", JoinedAt: "" }),
      person("2.9E+12", { Email: "x@example.com" }),
    ],
    lots: [
      lot("r1", "a", 100),
      lot("r1", "a", 30),
      lot("r2", "a", 430),
      lot("r1", "b", "2.9E+12"),
      lot("r1", "c", 10, { ExpiresAt: "2025-01-01T10:00:00Z" }),
      lot("r1", "d", 10, { ExpiresAt: "2026-11-01T10:00:00Z" }),
      lot("r10", "a", 10),
      lot("r1", "e", 10, { EarnedAt: "2026-02-30T10:00:00Z" }),
    ],
    vouchers: [
      { SourceId: "r1", Code: "OLD-1", Amount: "10.00", ExpiresAt: "2027-02-30T10:00:00Z" },
      { SourceId: "r1", Code: "OLD-2", Amount: "12,50", ExpiresAt: "2027-02-20T10:00:00Z" },
    ],
    cards: [
      { SourceId: "r1", CardNumber: "CARD-00418" },
      { SourceId: "r4", CardNumber: "CARD-00418" },
      { SourceId: "r4", CardNumber: "4.18E+11" },
    ],
    history: [{ SourceId: "M-77120", EntryId: "1", At: "2025-01-01T00:00:00Z", Points: 1, Text: "x" }],
  };
  const folder = writePackage(rows, {
    source: "damaged",
    totals: {
      VoucherAmountOpen: "10.00",
      VouchersOpen: 1,
      PointsAvailable: 600,
      PointsByExpiryMonth: { "2028-01": 580, "2025-01": 10, "2026-11": 10 },
    },
  });
  const { run, rejected, sums } = await move("check", folder);
  expect(await rejectionsOf(run)).toEqual([
    "cards.csv:3 CardNumber duplicate",
    "cards.csv:4 CardNumber spreadsheet",
    "history.csv:2 SourceId unknown_member",
    "lots.csv:3 LotId duplicate",
    "lots.csv:4 SourceId unknown_member",
    "lots.csv:5 Points spreadsheet",
    "lots.csv:6 ExpiresAt expiry_before_earning",
    "lots.csv:7 ExpiresAt expired",
    "lots.csv:8 SourceId not_a_member",
    "lots.csv:9 EarnedAt date",
    "members.csv:3 Email email",
    "members.csv:4 Email duplicate_email",
    "members.csv:5 SourceId duplicate",
    "members.csv:6 Birthday future",
    "members.csv:6 MobilePhone spreadsheet",
    "members.csv:7 Status status",
    "members.csv:8 StatusUntil status_end",
    "members.csv:9 NewsletterAt consent_time",
    "members.csv:10 PasswordHash hash_format",
    "members.csv:11 Firstname formula",
    "members.csv:13 SourceId spreadsheet",
    "vouchers.csv:2 ExpiresAt date",
    "vouchers.csv:3 Amount amount",
  ]);
  expect(await rejectedCsv(database, run)).toContain(`members.csv,11,Firstname,"'=HYPERLINK`);
  expect(sums.package).toMatchObject({ Members: 11, PointsAvailable: 600, VouchersOpen: 1 });
  expect(sums.staged).toMatchObject({ Members: 4, PointsAvailable: 100, VouchersOpen: 0 });
  const { result } = await move("rehearse", folder);
  expect(differences(result)).toEqual([]);
  await expect(move("commit", folder)).rejects.toThrow(`--accept-rejected ${rejected}`);
  expect((await move("commit", folder, { acceptRejected: rejected })).result?.Equal).toBe(true);
});

test("totals of the old system that differ are found, and the commit is refused", async () => {
  const folder = writePackage(
    { members: [person("t1")], lots: [lot("t1", "a", 100)] },
    { source: "totals", totals: { PointsAvailable: 101 } },
  );
  expect(differences((await move("rehearse", folder)).result)).toEqual(["PointsAvailable differ by -1"]);
  await expect(move("commit", folder)).rejects.toThrow("failed");
});

const lines = (...all: string[]) => all.join("\n");
const header = "SourceId,Email";
const csv = lines(header, "b1,b1@example.com");
const raw = (bytes: Buffer | string, file = "members.csv") => ({
  raw: { [file]: bytes },
  ...(file.endsWith(".gz") && { gzip: true }),
});

test.each<[name: string, options: Parameters<typeof writePackage>[1], sentence: string]>([
  ["a truncated gzip", raw(gzipSync(csv.repeat(100)).subarray(0, 40), "members.csv.gz"), "cut off"],
  ["a file that is no gzip", raw(csv, "members.csv.gz"), "no gzip"],
  [
    "a wrong hash",
    { manifest: ({ Files }) => Object.assign(Files["members.csv"] ?? {}, { Sha256: "0".repeat(64) }) },
    "Sha256",
  ],
  ["a quote never closed", raw(lines(header, 'b1,"b1@example.com')), "never closed"],
  ["a very long line", raw(`${csv},${"x".repeat(3_000_000)}`), "longer than 1 MB"],
  // A parser that counts values alone would hold each of them.
  ["a very long line of commas", raw(`${csv}${",".repeat(3_000_000)}`), "longer than 1 MB"],
  ["a gzip of empty lines", raw(gzipSync(`${csv}${"\n".repeat(200_000)}`), "members.csv.gz"), "no CSV"],
  ["a NUL byte", raw(`${csv}\0`), "NUL"],
  ["Latin-1", raw(Buffer.from(lines(header, "b1,é@example.com"), "latin1")), "not UTF-8"],
  ["a missing column", raw(lines("Email", "b1@example.com")), "lacks the column SourceId"],
  ["an unknown column", raw(lines("SourceId,Mail", "b1,x")), 'unknown column "Mail"'],
  ["semicolons", raw(lines("SourceId;Email", "b1;x")), "semicolons"],
  ["more rows than announced", raw(lines(header, "b1,", "b2,", "b3,")), "more rows"],
  ["fewer rows than announced", raw(header), "0 rows"],
  ...["0000-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"].map((TakenAt): [string, object, string] => [
    `a package taken at ${TakenAt}`,
    { manifest: (manifest: object) => Object.assign(manifest, { TakenAt }) },
    "TakenAt",
  ]),
  ["a total of a hundred digits", { totals: { VoucherAmountOpen: "9".repeat(100) } }, "VoucherAmountOpen"],
  [
    "a manifest that would fill the memory",
    { manifest: (manifest: object) => Object.assign(manifest, { Notes: "x".repeat(2_000_000) }) },
    "no JSON",
  ],
  ["another currency", { manifest: (manifest) => Object.assign(manifest, { Currency: "CHF" }) }, "CHF"],
  [
    "a path outside",
    { manifest: ({ Files }) => Object.assign(Files, { "../secret.csv": Files["members.csv"] }) },
    "no file of a package",
  ],
])("%s is refused with one sentence, and nothing is written", async (_name, options, sentence) => {
  const before = await countRows("customer");
  const folder = writePackage({ members: [person("b1")] }, { source: "bad", ...options });
  await expect(move("check", folder)).rejects.toThrow(sentence);
  expect(await countRows("customer")).toBe(before);
  expect(await countRows("move_rejected where reason is null")).toBe(0);
});

test("a database that takes no more rejected rows does not end the process", async () => {
  const folder = writePackage(
    { members: Array.from({ length: 1_500 }, (_, index) => person(`f${index}`, { Email: "no address" })) },
    { source: "full", manifest: ({ Files }) => Object.assign(Files["members.csv"] ?? {}, { Sha256: "0".repeat(64) }) },
  );
  await database.execute(sql`
    create function full_here() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$`);
  await database.execute(sql`
    create trigger full_here before insert on move_rejected for each statement execute function full_here()`);
  await expect(move("check", folder)).rejects.toThrow("Sha256");
  await database.execute(sql`drop trigger full_here on move_rejected`);
});

test("columns in another order, a BOM and gzip are fine", async () => {
  const text = `\ufeff${lines("Email,SourceId", "order@example.com,o1")}\r\n`;
  const folder = writePackage(
    { members: [person("o1")] },
    { source: "order", gzip: true, raw: { "members.csv.gz": gzipSync(text) } },
  );
  expect((await move("check", folder)).rejected).toBe(0);
});
