import { expect, test } from "vitest";
import { claimReceipt } from "#loyalty/calls.ts";
import { listReceipts } from "#office/receipts/calls.ts";
import { voidSale } from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as calls from "./calls.ts";
import { periodBefore, periodOf, yearBefore } from "./period.server.ts";
import { rowLink } from "./screen/row-links.ts";

const { addMember, openOffice, openShop } = await openTestOffice();
const marketing = await openOffice("marketing");
const today = "2026-03-10";
const inMarch = { From: "2026-03-01", To: today };

async function metricsOf(input: object, office = marketing) {
  const read = await office.call(calls.readMetrics, input);
  return { ...read, of: (name: string) => read.Figures.find(({ Name }) => Name === name) };
}

test("one day, and a period in which nothing happened", async () => {
  const one = await metricsOf({ From: today, To: today });
  expect(one.Before).toEqual({ From: "2026-03-09", To: "2026-03-09" });
  expect(one.Days).toHaveLength(1);
  const none = await metricsOf({ From: "2020-01-01", To: "2020-01-31" });
  expect(none.of("issued")).toMatchObject({ Value: 0, Previous: 0 });
  expect(none.of("active_share")).toMatchObject({ Value: 0 });
});

test("the role shop sees its own shop's metrics, and no others", async () => {
  const [own, other] = [await openShop("Cercle Lille"), await openShop("Cercle Nantes")];
  const member = await addMember();
  await own.sell({ CardNumber: member.card, Amount: "20.00" });
  await other.sell({ CardNumber: member.card, Amount: "70.00" });
  const manager = await openOffice("shop", own.shopId);
  const read = await metricsOf(inMarch, manager);
  expect(read).toMatchObject({ IdShop: own.shopId, Outstanding: null, Charts: { Outstanding: null } });
  expect(read.of("sales")).toMatchObject({ Value: 1, Cents: 2_000 });
  expect(read.of("members")).toBeUndefined();
  expect(read.Shops).toMatchObject([{ IdShop: own.shopId }]);
  expect(read.Days.at(-1)?.Points).toBe(20);
  const foreign = manager.call(calls.readMetrics, { ...inMarch, IdShop: other.shopId });
  expect(await refusalOf(foreign)).toMatchObject({ code: "forbidden" });
  const chosen = await metricsOf({ ...inMarch, IdShop: other.shopId });
  expect(chosen.of("sales")).toMatchObject({ Value: 1, Cents: 7_000 });
});

test.each([
  [{ To: "2026-03-11" }, "To", "date"],
  [{ From: "2026-03-05", To: "2026-03-04" }, "From", "after_end"],
  [{ From: "2020-01-01", To: today }, "From", "period_length"],
  [{ From: "0001-01-01", To: "0001-01-31" }, "From", "date"],
  [{ From: "1999-12-31", To: "2000-01-31" }, "From", "date"],
])(
  "a period that lies ahead, ends before it begins, is too long or before the club is refused: %j",
  async (input, field, code) => {
    const failed = await marketing.call(calls.readMetrics, input).then(
      () => undefined,
      (error) => error,
    );
    expect(failed?.problem).toMatchObject({ status: 400, errors: [{ field, code }] });
  },
);

test("each table as CSV, as a spreadsheet of the language reads it", async () => {
  const csv = async (Table: string, language: string) => {
    const query = new URLSearchParams({ ...inMarch, Table, LanguageIsoCode: language });
    const response = await marketing.browse(`/api/office/figures/csv?${query}`);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    return (await response.text()).split("\r\n");
  };
  const shop = await openShop("Cercle Lyon");
  await shop.sell({ CardNumber: (await addMember()).card, Amount: "140.00" });
  expect((await csv("days", "fr"))[0]).toBe("Jour;Points;Moyenne;Points auparavant");
  expect(await csv("days", "en")).toHaveLength(12);
  expect((await csv("figures", "en"))[1]).toMatch(/^Members,/);
  expect((await csv("outstanding", "de"))[0]).toBe("Monat;Punkte;Betrag;Baumwolle;Seide;Kaschmir");
  expect((await csv("shops", "fr")).some((line) => line.startsWith('Cercle Lyon;1;"140,00";'))).toBe(true);
});

test("months are compared with months, other periods with as many days", () => {
  expect(periodOf({}, "2026-11-14")).toEqual({ from: "2026-10-01", to: "2026-10-31" });
  expect(periodBefore({ from: "2026-10-01", to: "2026-10-31" })).toEqual({ from: "2026-09-01", to: "2026-09-30" });
  expect(periodBefore({ from: "2026-01-01", to: "2026-12-31" })).toEqual({ from: "2025-01-01", to: "2025-12-31" });
  expect(periodBefore({ from: "2026-11-01", to: "2026-11-14" })).toEqual({ from: "2026-10-18", to: "2026-10-31" });
});

test("a period is compared with the same days a year earlier, and has the average basket of both", async () => {
  expect(yearBefore({ from: "2028-02-01", to: "2028-02-29" })).toEqual({ from: "2027-02-01", to: "2027-02-28" });
  const shop = await openShop("Cercle Rennes");
  const member = await addMember();
  for (const Amount of ["20.00", "45.50"]) await shop.sell({ CardNumber: member.card, Amount });
  const read = await metricsOf({ ...inMarch, Compare: "year" });
  expect(read).toMatchObject({ Compare: "year", Before: { From: "2025-03-01", To: "2025-03-10" } });
  const { Value: count = 0, Cents: cents } = read.of("sales") ?? {};
  expect(read.of("basket")).toMatchObject({ Value: Math.round((cents ?? 0) / count) / 100, Previous: 0 });
});

test("the repeat rate is the share of purchases of members who had bought before; voided and claimed ones follow", async () => {
  const shop = await openShop("Cercle Metz");
  const [member, other] = [await addMember(), await addMember()];
  const sell = async (fields: object) => {
    const ReceiptNumber = shop.newNumber();
    const sold = await shop.sell({ ReceiptNumber, Amount: "20.00", ...fields });
    return { ReceiptNumber, ...sold };
  };
  const share = async () => {
    const { of } = await metricsOf({ ...inMarch, IdShop: shop.shopId });
    return [of("sales")?.Value, of("repeat_share")?.Value];
  };
  await sell({ CardNumber: member.card });
  expect(await share()).toEqual([1, 0]);
  const { ReceiptNumber } = await sell({ CardNumber: member.card });
  await sell({ CardNumber: other.card });
  expect(await share()).toEqual([3, 1 / 3]);
  await shop.call(voidSale, { ReceiptNumber });
  expect(await share()).toEqual([2, 0]);
  const { ClaimCode = "" } = await sell({});
  await other.call(claimReceipt, { ClaimCode });
  expect(await share()).toEqual([3, 1 / 3]);
});

test("a day of the chart leads to the receipts that make up its points", async () => {
  const shop = await openShop("Cercle Brest");
  const member = await addMember();
  const numbers = ["B-1", "B-2", "B-3"];
  for (const ReceiptNumber of numbers) await shop.sell({ ReceiptNumber, CardNumber: member.card, Amount: "30.00" });
  await shop.call(voidSale, { ReceiptNumber: "B-2" });
  const owner = await openOffice("owner");
  const { Days } = await metricsOf({ ...inMarch, IdShop: shop.shopId }, owner);
  const [day, ...others] = Days.filter(({ Points }) => Points !== 0);
  expect(others).toEqual([]);
  const { Day = "", Points } = day ?? {};
  const link = new URL(rowLink("owner", { from: Day, to: Day, shopId: shop.shopId }), "https://office.example");
  const [IdShop = "", Day2 = ""] = ["id", "day"].map((name) => link.searchParams.get(name) ?? "");
  const { Receipts, Total } = await owner.call(listReceipts, { IdShop, Day: Day2 });
  expect(Receipts.flatMap(({ ReceiptNumber, VoidedAt }) => (VoidedAt ? [] : [ReceiptNumber])).sort()).toEqual([
    "B-1",
    "B-3",
  ]);
  expect([Points, Total.Points]).toEqual([60, 60]);
});
