import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import * as calls from "#office/customers/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";

const { addMember, database, openOffice } = await openTestOffice();
const service = await openOffice("service");
const Note = "Préfère être appelée le matin";
const timeline = async (IdCustomer: number, Show: "notes" | "all") =>
  (await service.call(calls.readTimeline, { IdCustomer, Show })).Entries;

test("a note has its author and its moment, in the record and in the timeline", async () => {
  const { id: IdCustomer } = await addMember(100);
  await service.call(calls.addNote, { IdCustomer, Note });
  const written = { Kind: "note_added", Note, By: "Lou Garnier", At: expect.any(String) };
  expect(await timeline(IdCustomer, "notes")).toMatchObject([written]);
  expect(await timeline(IdCustomer, "all")).toContainEqual(expect.objectContaining(written));
  expect((await service.call(calls.readCustomer, { IdCustomer })).Notes).toMatchObject([
    { Text: Note, By: "Lou Garnier" },
  ]);
});

test("the filter of notes shows what was noted with any action, and nothing else", async () => {
  const { id: IdCustomer } = await addMember();
  await service.call(calls.blockCustomer, { IdCustomer, Reason: "fraud", Note: "Trois cartes" });
  await service.call(calls.unblockCustomer, { IdCustomer, Reason: "other" });
  expect((await timeline(IdCustomer, "notes")).map(({ Note }) => Note)).toEqual(["Trois cartes"]);
});

test("a note goes with the account into a merge, into the export, and is gone with an erasure", async () => {
  const [survivor, other] = [await addMember(), await addMember()];
  const owner = await openOffice("owner");
  const about = { IdCustomer: survivor.id, Reason: "request" } as const;
  await service.call(calls.addNote, { IdCustomer: other.id, Note: "Introuvable ensuite" });
  const merge = await service.call(calls.mergeCustomers, { ...about, IdOther: other.id });
  await owner.call(calls.approveRequest, { IdRequest: merge.IdRequest });
  expect((await service.call(calls.readCustomer, { IdCustomer: survivor.id })).Notes).toHaveLength(1);
  expect(JSON.stringify(await service.call(calls.exportCustomer, about))).toContain("Introuvable ensuite");
  const { IdRequest } = await service.call(calls.eraseCustomer, about);
  await owner.call(calls.approveRequest, { IdRequest });
  const { rows } = await database.execute(sql`
    select from audit_personal where personal::text like '%Introuvable ensuite%'
    union all select from audit_log where concat(before, after, reason) like '%Introuvable ensuite%'`);
  expect(rows).toEqual([]);
});

test("an empty note and a note about no one are refused", async () => {
  const { id: IdCustomer } = await addMember();
  expect(await refusalOf(service.call(calls.addNote, { IdCustomer, Note: " " }))).toMatchObject({ code: "invalid" });
  expect(await refusalOf(service.call(calls.addNote, { IdCustomer: 999_999, Note }))).toMatchObject({
    code: "not_found",
  });
});
