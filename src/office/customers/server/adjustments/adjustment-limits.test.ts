import { expect, test } from "vitest";
import * as calls from "#office/customers/calls.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { publishNow } from "#testing/programme.server.ts";

const { addMember, clock, database, openOffice } = await openTestOffice();

test("the limits of a day are the programme's, from the moment of a version on", async () => {
  const service = await openOffice("service");
  const member = await addMember();
  const adjust = (Points: number) =>
    service.call(calls.adjustPoints, {
      ...{ IdCustomer: member.id, Points, CustomerText: "Un geste", Reason: "gesture" as const },
    });
  const free = async () => (await service.call(calls.readCustomer, { IdCustomer: member.id })).Free;
  expect(await free()).toEqual({ Points: 250, Cents: 1_000 });
  await publishNow(database, { adjustCustomerPoints: 60, adjustCustomerCents: 500 }, { now: clock.now });
  expect(await free()).toEqual({ Points: 60, Cents: 500 });
  expect(await adjust(60)).toMatchObject({ Waiting: false });
  expect(await adjust(1)).toMatchObject({ Waiting: true });
});
