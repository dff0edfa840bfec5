import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import * as calls from "#office/customers/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";

const { addCustomer, addMember, database, openOffice } = await openTestOffice();
type Office = Awaited<ReturnType<typeof openOffice>>;
const preview = (survivor: { id: number }, other: { id: number }, by: Office) =>
  by.call(calls.previewMerge, { IdCustomer: survivor.id, IdOther: other.id });

test("a preview of a merge is in the audit log of both accounts; a refused one shows nothing and is not", async () => {
  const reader = await openOffice("service");
  const [survivor, other] = [await addMember(), await addMember()];
  await preview(survivor, other, reader);
  expect(await refusalOf(preview(survivor, survivor, reader))).toMatchObject({ code: "cannot_merge" });
  const { rows } = await database.execute(sql`
    select action, customer_id::integer as customer, after, request_id from audit_log
    where staff_id = ${reader.id} order by id`);
  const entry = { action: "merge_previewed", request_id: expect.any(String) };
  expect(rows).toEqual([
    { ...entry, customer: survivor.id, after: { other: other.id } },
    { ...entry, customer: other.id, after: { other: survivor.id } },
  ]);
});

test("a person previews so many merges an hour; a colleague is not held up", async () => {
  const limited = await openTestOffice({ RATE_LIMITS: "on" });
  const [reader, colleague] = [await limited.openOffice("service"), await limited.openOffice("service")];
  const [survivor, other] = [await limited.addMember(), await limited.addMember()];
  for (let n = 0; n < 60; n += 1) await preview(survivor, other, reader);
  expect(await refusalOf(preview(survivor, other, reader))).toMatchObject({ code: "too_many", status: 429 });
  await preview(survivor, other, colleague);
});

test("with an account outside the club, the preview says what the survivor has, and the email too", async () => {
  const [service, owner] = [await openOffice("service"), await openOffice("owner")];
  const [survivor, other] = [await addMember(49), await addCustomer()];
  const before = await survivor.points();
  const { Points } = await preview(survivor, other, service);
  expect(Points).toEqual({ Moved: 0, GiftTaken: 0, Available: before.Available, Debt: 0 });
  const pair = { IdCustomer: survivor.id, IdOther: other.id };
  const { IdRequest } = await service.call(calls.mergeCustomers, { ...pair, Reason: "request" });
  await owner.call(calls.approveRequest, { IdRequest });
  expect(await survivor.points()).toEqual(before);
});
