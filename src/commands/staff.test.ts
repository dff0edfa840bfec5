import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { manageTills } from "#commands/shops/manage-tills.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "#till/calls.ts";
import { manageStaff } from "./manage-staff.server.ts";

const { addMember, clock, database, openBrowser, openShop, pins, settings } = await openTestTill();
const staff = (...words: string[]) => manageStaff({ database, pins, settings, now: clock.now }, words);
const till = (...words: string[]) => manageTills({ database, pins, now: clock.now }, words);
const lastOf = async (said: Promise<string[]>) => (await said).at(-1) ?? "";

test("an operator brings a till into use with commands alone, and ends it", async () => {
  const { shopId } = await openShop();
  const member = await addMember();
  const email = "Nora.Petit@Cercle.example";
  const id = await lastOf(staff("add", email, "Nora", "Petit", "shop", String(shopId)));
  const Pin = await lastOf(staff("pin", email));
  expect(Pin).toMatch(/^\d{6}$/);
  const Code = await lastOf(till("pair", String(shopId), "Cabines"));
  const browser = openBrowser();
  expect(await browser.call(calls.pair, { Code })).toMatchObject({ TillName: "Cabines" });
  expect(await browser.call(calls.signIn, { IdStaff: id, Pin })).toEqual({ IdStaff: Number(id), Name: "Nora P." });

  await staff("card", email, member.card);
  const moment = clock.now.toISOString();
  const sale = { ReceiptNumber: "C-1", SoldAt: moment, SentAt: moment, CardNumber: member.card, Amount: "10.00" };
  expect(await refusalOf(browser.call(calls.postPurchase, sale))).toMatchObject({ code: "own_card" });

  const wrong = { IdStaff: id, Pin: Pin === "482913" ? "482914" : "482913" };
  for (let n = 0; n < 5; n += 1) await refusalOf(browser.call(calls.signIn, wrong));
  expect(await refusalOf(browser.call(calls.signIn, { IdStaff: id, Pin }))).toMatchObject({ code: "pin_locked" });
  await staff("unlock", email);
  await browser.call(calls.signIn, { IdStaff: id, Pin });
  const renewed = await lastOf(staff("pin", email));
  expect(await refusalOf(browser.call(calls.quote, { Amount: "1.00" }))).toMatchObject({ code: "pin_required" });
  await browser.call(calls.signIn, { IdStaff: id, Pin: renewed });

  expect(await staff("list")).toContain(`${id}  nora.petit@cercle.example  Nora  Petit  shop  shop ${shopId}  PIN`);
  await staff("end", email);
  expect(await refusalOf(browser.call(calls.signIn, { IdStaff: id, Pin: renewed }))).toMatchObject({
    code: "wrong_pin",
  });
  await expect(staff("end", email)).rejects.toThrow("works here");

  const [listed = ""] = (await till("list")).filter((line) => line.includes("Cabines"));
  const [prefix = ""] = listed.split("  ");
  await till("revoke", prefix);
  expect(await browser.call(calls.readState)).toMatchObject({ Paired: false });
  await expect(till("revoke", prefix)).rejects.toThrow("to revoke");

  const { rows } = await database.execute(
    sql`select action, staff_id, customer_id::integer from audit_log
      where made_by = 'command' and (staff_id = ${id} or shop_id = ${shopId}) order by id`,
  );
  const about = { staff_id: Number(id), customer_id: null };
  expect(rows).toEqual([
    { action: "staff_added", ...about },
    { action: "staff_pin", ...about },
    { action: "pairing_code", staff_id: null, customer_id: null },
    { action: "staff_card", ...about, customer_id: member.id },
    { action: "staff_unlocked", ...about },
    { action: "staff_pin", ...about },
    { action: "staff_ended", ...about },
    { action: "till_revoked", staff_id: null, customer_id: null },
  ]);
});

test("what cannot be done is refused in plain words", async () => {
  const { key } = await openShop();
  for (const words of [[], ["add", "x"], ["pin"], ["card", "x"], ["sell", "x"], ["list", "x"]])
    await expect(staff(...words)).rejects.toThrow("Usage:");
  await expect(staff("add", "x", "A", "B", "owner")).rejects.toThrow("no e-mail address");
  await expect(staff("add", "a@cercle.example", "A", "B", "boss")).rejects.toThrow("The role is one of");
  await expect(staff("add", "a@cercle.example", "A", "B", "shop")).rejects.toThrow("IDSHOP");
  await expect(staff("add", "a@cercle.example", "A", "B", "shop", "999")).rejects.toThrow("There is no shop 999");
  await staff("add", "a@cercle.example", "A", "B", "owner");
  await expect(staff("add", "A@cercle.example", "A", "B", "owner")).rejects.toThrow("there already");
  await expect(staff("card", "a@cercle.example", "29")).rejects.toThrow("There is no card 29");
  for (const words of [[], ["pair"], ["revoke"], ["list", "x"]]) await expect(till(...words)).rejects.toThrow("Usage:");
  await expect(till("pair", "999")).rejects.toThrow("There is no shop 999");
  // A key of a shop is no till.
  await expect(till("revoke", key.split("_")[1] ?? "")).rejects.toThrow("to revoke");
});
