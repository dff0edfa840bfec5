import { expect, test } from "vitest";
import * as calls from "#shop/calls.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { clock, fetch, openShop } = await openTestShop();

/** The fields that a call is refused for, each with its code. */
const fieldsOf = (call: Promise<unknown>): Promise<string[]> =>
  call.then(
    () => [],
    ({ problem }) => problem.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`),
  );

const line = (Line: unknown, more: object = {}) => ({ Line, Amount: "10.00", ...more });

test.each<[field: string, wrong: unknown]>([
  ["Lines.2.Line invalid", [line("1"), line("2"), line("A")]],
  ["Lines.1.Line invalid", [line("1"), line("01")]],
  ["Lines.0.Line invalid", [line("0")]],
  ["Lines.0.Line invalid", [line("201")]],
  ["Lines.0.Line required", [{ Amount: "10.00" }]],
  ["Lines.1.Amount required", [line("1"), { Line: "2" }]],
  ["Lines.0.Amount amount", [line("1", { Amount: 10 })]],
  ["Lines.0.Amount amount", [line("1", { Amount: "10,00" })]],
  ["Lines.0.Amount amount", [line("1", { Amount: "-10.00" })]],
  ["Lines.0.Earns invalid", [line("1", { Earns: "no" })]],
  ["Lines.0.Price unknown", [line("1", { Price: "10.00" })]],
  ["Lines.2.Line twice", [line("1"), line("2"), line("1")]],
  ["Lines.1 invalid", [line("1"), "2"]],
  ["Lines required", []],
  ["Lines too_long", Array.from({ length: 201 }, (_, n) => line(String((n % 200) + 1)))],
  ["Lines invalid", { Line: "1" }],
])("a refusal of Lines names the entry at fault: %s", async (field, wrong) => {
  const till = await openShop();
  const Lines = JSON.stringify(wrong);
  expect(await fieldsOf(till.call(calls.quote, { Lines }))).toEqual([field]);
  const item = { Kind: "purchase", ReceiptNumber: till.newNumber(), SoldAt: clock.now.toISOString(), Lines: wrong };
  const Items = JSON.stringify([item, { ...item, Lines }]);
  const { Outcomes } = await till.call(calls.postBatch, { Items, SentAt: clock.now.toISOString() });
  for (const { Problem } of Outcomes)
    expect(Problem?.errors?.map(({ field, code }) => `${field} ${code}`)).toEqual([field]);
});

test("what is wrong inside of ReturnOf is named with its place", async () => {
  const till = await openShop();
  const exchange = (ReturnOf: object) => fieldsOf(till.sell({ Amount: "10.00", ReturnOf }));
  const OriginalReceiptNumber = "sold";
  expect(await exchange({ OriginalReceiptNumber, Lines: [{ Line: "x" }] })).toEqual(["ReturnOf.Lines.0.Line invalid"]);
  expect(await exchange({ Lines: [{ Line: "1" }] })).toEqual(["ReturnOf.OriginalReceiptNumber required"]);
  expect(await exchange({ OriginalReceiptNumber, Lines: [{ Line: "1" }], Amount: "1.00" })).toEqual([
    "ReturnOf.Amount twice",
  ]);
});

test("in a JSON body a list may be JSON or its text; what is wrong in it has its place", async () => {
  const till = await openShop();
  const quote = async (body: string) => {
    const headers = { authorization: `Bearer ${till.key}`, "content-type": "application/json" };
    const response = await fetch("/api/shop/quote", { method: "POST", headers, body });
    const { errors = [] } = await response.json();
    return [response.status, ...errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`)];
  };
  expect(await quote(JSON.stringify({ Lines: [line("1"), line("2")] }))).toEqual([200]);
  expect(await quote(JSON.stringify({ Lines: [line("1"), line("x")] }))).toEqual([400, "Lines.1.Line invalid"]);
  expect(await quote(JSON.stringify({ Lines: [] }))).toEqual([400, "Lines required"]);
  expect(await quote(JSON.stringify({ Lines: JSON.stringify([line("1")]) }))).toEqual([200]);
  expect(await quote('{"Amount":{"x":"1.00"},"Amount":"2.00"}')).toEqual([400, "Amount twice"]);
});

test("a time that is missing is required, and one without an offset is refused as a time", async () => {
  const till = await openShop();
  const sale = { ReceiptNumber: till.newNumber(), Amount: "10.00" } as Parameters<typeof till.sell>[0];
  const moment = clock.now.toISOString();
  expect(await fieldsOf(till.sell({ ...sale, SoldAt: "", SentAt: "" }))).toEqual([
    "SoldAt required",
    "SentAt required",
  ]);
  expect(await fieldsOf(till.sell({ ...sale, SoldAt: moment.replace("Z", "") }))).toEqual(["SoldAt time"]);
  expect(await fieldsOf(till.call(calls.postBatch, { Items: "[]", SentAt: "" }))).toEqual(["SentAt required"]);
  expect(await fieldsOf(till.call(calls.postBatch, { Items: "", SentAt: moment }))).toEqual(["Items required"]);
});

test("a look-up without a card, voucher, address or phone is invalid", async () => {
  const till = await openShop();
  for (const named of [{}, { EntryMode: "typed" as const }, { CardNumber: "" }])
    expect(await fieldsOf(till.call(calls.identify, named))).toEqual(["CardNumber required"]);
});
