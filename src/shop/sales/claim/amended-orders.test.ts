import { expect, test } from "vitest";
import { claimReceipt } from "#loyalty/calls.ts";
import { amendPurchase } from "#shop/calls.ts";
import { openTestCampaigns } from "#testing/campaigns.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";

const { addMember, begin, database, openWebShop, today } = await openTestCampaigns();

test("a guest's order that was edited has a campaign's extra points once, and its multiplier for all of it", async () => {
  const web = await openWebShop();
  const claimed = async () => {
    const member = await addMember();
    const ReceiptNumber = web.newNumber();
    const { ClaimCode = "" } = await web.sell({
      ReceiptNumber,
      Lines: [{ Line: "1", Amount: "50.00" }],
      Currency: "EUR",
    });
    for (const [n, Amount] of ["100.00", "150.00"].entries()) {
      const Lines = JSON.stringify([{ Line: "1", Amount }]);
      const amended = { ReceiptNumber, AmendNumber: String(n + 1), Lines, Currency: "EUR" };
      await web.call(amendPurchase, amended);
    }
    const { Points } = await member.call(claimReceipt, { ClaimCode });
    const { Points: returned } = await web.takeBack(ReceiptNumber, undefined, { Currency: "EUR" });
    expect(returned.Taken).toBe(Points.Earned);
    return Points.Earned;
  };
  const extra = await begin({ ExtraPoints: "500", MinimumAmount: "50.00" });
  expect(await claimed()).toBe(150 + 500);
  await extra.end();
  const twice = await begin({ Multiplier: "2" });
  expect(await claimed()).toBe(300);
  await twice.end();
  await expectInvariants(database);
});

test("a guest's order that was edited is claimed by the amount of its first receipt, or of all of it", async () => {
  const web = await openWebShop();
  for (const [Amount, fits] of [
    ["50.00", true],
    ["80.00", true],
    ["30.00", false],
  ] as const) {
    const member = await addMember();
    const ReceiptNumber = web.newNumber();
    await web.sell({ ReceiptNumber, Lines: [{ Line: "1", Amount: "50.00" }], Currency: "EUR" });
    const Lines = JSON.stringify([{ Line: "1", Amount: "80.00" }]);
    await web.call(amendPurchase, { ReceiptNumber, AmendNumber: "1", Lines, Currency: "EUR" });
    const claimed = member.call(claimReceipt, { IdShop: String(web.shopId), ReceiptNumber, Day: today, Amount });
    if (fits) expect(await claimed).toMatchObject({ Points: { Earned: 80 } });
    else expect(await refusalOf(claimed)).toMatchObject({ code: "not_found" });
  }
  await expectInvariants(database);
});
