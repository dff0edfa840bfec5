import { expect, test } from "vitest";
import { claimReceipt } from "#loyalty/calls.ts";
import * as shopCalls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as calls from "./calls.ts";

const { addMember, clock, openOffice, openShop } = await openTestOffice();

test("the day's report says what the till counted otherwise, as it is now", async () => {
  const till = await openShop();
  const owner = await openOffice("owner");
  const Day = new Intl.DateTimeFormat("sv", { timeZone: "Europe/Paris" }).format(clock.now);
  const asked = { IdShop: String(till.shopId), Day };
  await till.sell({ Amount: "40.00" });
  expect(await owner.call(calls.readReport, asked)).toMatchObject({
    Sales: { Count: 1, Amount: "40.00" },
    Close: null,
  });
  await till.call(shopCalls.closeDay, { Day, Count: "2", Amount: "60.00", VoucherAmount: "0.00" });
  expect((await owner.call(calls.readReport, asked)).Close).toEqual({
    ClosedAt: clock.now.toISOString(),
    Differences: [
      { Total: "Count", Till: "2", Cercle: "1" },
      { Total: "Amount", Till: "60.00", Cercle: "40.00" },
    ],
  });
  const { ClaimCode = "" } = await till.sell({ Amount: "20.00" });
  await (await addMember()).call(claimReceipt, { ClaimCode });
  expect((await owner.call(calls.readReport, asked)).Close?.Differences).toEqual([]);
  const csv = await owner.browse(`/api/office/shop/report/csv?${new URLSearchParams(asked)}`);
  expect(csv.headers.get("content-disposition")).toContain(`"receipts-cercle-marais-${Day}.csv"`);
  const lines = (await csv.text()).trim().split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(/;T-\d+;sale;"40,00";"0,00";0;0$/);
  expect(lines[2]).toMatch(/;T-\d+;sale;"20,00";"0,00";20;0$/);
  const unknown = owner.call(calls.readReport, { IdShop: "999999", Day });
  expect(await refusalOf(unknown)).toMatchObject({ code: "not_found" });
});
