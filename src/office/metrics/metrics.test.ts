import { expect, test } from "vitest";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as calls from "./calls.ts";
import { periodBefore, periodOf, yearBefore } from "./period.server.ts";

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
