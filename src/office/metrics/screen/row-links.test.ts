import { expect, test } from "vitest";
import { rowLink } from "./row-links.ts";

const day = { from: "2027-03-01", to: "2027-03-01" };

test("a shop's day leads to its receipts for those who may see them, for others to its metrics", () => {
  expect(rowLink("owner", { ...day, shopId: 3 })).toBe("/shop?id=3&day=2027-03-01");
  expect(rowLink("marketing", { ...day, shopId: 3 })).toBe("/figures?From=2027-03-01&To=2027-03-01&IdShop=3");
});

test("a day of all shops, or a longer period of one, leads to its metrics, which lead on", () => {
  expect(rowLink("owner", { ...day, shopId: null })).toBe("/figures?From=2027-03-01&To=2027-03-01");
  expect(rowLink("owner", { from: "2027-03-01", to: "2027-03-31", shopId: 3 })).toBe(
    "/figures?From=2027-03-01&To=2027-03-31&IdShop=3",
  );
});
