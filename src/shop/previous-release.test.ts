import { expect, test } from "vitest";
import { openTestShop } from "#testing/shop.server.ts";

const { addMember, clock, fetch, openShop } = await openTestShop();

/**
 * The examples of the calls of shops as the release before keys had a version printed them on /api/docs, in their order: the
 * fields that were sent, and the fields of the answer. Never edit these: a till that is in use sends them.
 */
const examples: [call: string, fields: Record<string, string>, answer: string[]][] = [
  ["POST identify", { CardNumber: "$CARD", EntryMode: "scanned" }, ["Customers"]],
  [
    "POST quote",
    { CardNumber: "$CARD", Lines: '[{"Line":"1","Amount":"89.90"},{"Line":"2","Amount":"39.95"}]' },
    ["Points", "Vouchers", "Lines", "Tier"],
  ],
  ["POST voucher/hold", { VoucherCodes: "$VOUCHER", ReceiptNumber: "$RECEIPT" }, ["Holds"]],
  ["POST voucher/release", { VoucherCodes: "$VOUCHER", ReceiptNumber: "$RECEIPT" }, []],
  [
    "POST purchase",
    {
      ...{ ReceiptNumber: "$RECEIPT-sold", SoldAt: "$NOW", SentAt: "$NOW", CardNumber: "$CARD" },
      Lines: '[{"Line":"1","Amount":"89.90"},{"Line":"2","Amount":"39.95"}]',
    },
    ["Points", "Vouchers", "Lines", "Tier"],
  ],
  [
    "POST purchase/batch",
    {
      Items: '[{"Kind":"purchase","ReceiptNumber":"$RECEIPT","SoldAt":"$NOW","CardNumber":"$CARD","Amount":"89.90"}]',
      SentAt: "$NOW",
    },
    ["Outcomes"],
  ],
  [
    "POST return",
    { ReceiptNumber: "$RECEIPT-back", OriginalReceiptNumber: "$RECEIPT-sold", Lines: '[{"Line":"2"}]' },
    ["Points", "Refunds", "ReissuedVouchers", "CancelledVouchers"],
  ],
  ["POST return", { ReceiptNumber: "$RECEIPT-early", OriginalReceiptNumber: "$RECEIPT-later" }, ["Points", "Waiting"]],
  ["POST void", { ReceiptNumber: "$RECEIPT" }, ["Points", "Refunds", "ReissuedVouchers", "CancelledVouchers"]],
  [
    "POST join",
    { Email: "joined@exemple.fr", Firstname: "Ada", Lastname: "Exemple" },
    ["CardNumber", "Name", "PassUrl", "PassQrSvg"],
  ],
  ["GET report", { Day: "$DAY" }, ["Day", "Sales", "Returns", "Points", "Vouchers", "Conflicts", "ArrivedAfterClose"]],
  ["POST close", { Day: "$DAY", Count: "1", Amount: "129.85", VoucherAmount: "0.00" }, ["Differences"]],
  ["GET event", { After: "1" }, ["Events", "NextAfter"]],
];

test("what the release before sent is answered as before, by keys of the first version", async () => {
  const shop = await openShop();
  const member = await addMember();
  const values: Record<string, string> = {
    ...{ CARD: member.card, VOUCHER: await member.obtain(), RECEIPT: "R-1", NOW: clock.now.toISOString() },
    DAY: clock.now.toISOString().slice(0, 10),
  };
  const filled = (text: string) => text.replace(/\$([A-Z]+)/g, (_, name: string) => values[name] ?? "");
  for (const [call, fields, answer] of examples) {
    const [method = "", path = ""] = call.split(" ");
    const sent = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, filled(value)]));
    const query = method === "GET" ? `?${sent}` : "";
    const response = await fetch(`/api/shop/${path}${query}`, {
      ...{ method, headers: { authorization: `Bearer ${shop.key}` } },
      ...(method === "POST" && { body: sent }),
    });
    const body = await response.json();
    expect({ call, status: response.status, missing: answer.filter((name) => !(name in body)) }).toEqual({
      ...{ call, status: 200, missing: [] },
    });
  }
});

test("an unknown field, a time in the future and no currency are no refusal for them", async () => {
  const shop = await openShop();
  const SoldAt = new Date(clock.now.getTime() + 3_600_000).toISOString();
  const sold = { Amount: "20.00", SoldAt, Email: "camille@exemple.fr" };
  expect((await shop.sell(sold as object)).ClaimCode).toBeDefined();
});
