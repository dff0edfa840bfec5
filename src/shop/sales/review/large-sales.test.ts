import { beforeAll, expect, test } from "vitest";
import * as calls from "#shop/calls.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { openShop, addMember, database, clock } = await openTestShop();

beforeAll(async () => {
  await publishNow(database, { pendingDays: 14 }, { now: clock.now });
});

test("a large sale needs a review: kept, no points yet, said by the quote beforehand", async () => {
  const till = await openShop();
  const member = await addMember();
  const quoted = await till.call(calls.quote, { CardNumber: member.card, Amount: "3000.01" });
  expect(quoted).toMatchObject({ Points: { Earned: 0 }, Waiting: true, WaitingPoints: 3_000 });
  const sold = await till.sell({ CardNumber: member.card, Amount: "3000.01" });
  expect(sold).toMatchObject({ Points: { Earned: 0, Pending: 0 }, Waiting: true, WaitingPoints: 3_000 });
  const fits = await till.sell({ CardNumber: member.card, Amount: "3000.00" });
  expect(fits).toMatchObject({ Points: { Earned: 3_000, Pending: 3_000 } });
  expect(fits.Waiting).toBeUndefined();
});

test("cancelled sales do not count for the sixth of a day, returned ones do", async () => {
  const till = await openShop();
  const member = await addMember();
  const sell = () => till.sell({ CardNumber: member.card, Amount: "10.00" });
  for (let n = 0; n < 4; n += 1) await sell();
  const [voided, returned] = [till.newNumber(), till.newNumber()];
  await till.sell({ ReceiptNumber: voided, CardNumber: member.card, Amount: "10.00" });
  await till.call(calls.voidSale, { ReceiptNumber: voided });
  await till.sell({ ReceiptNumber: returned, CardNumber: member.card, Amount: "10.00" });
  await till.takeBack(returned);
  expect((await sell()).Waiting).toBe(true);
});
