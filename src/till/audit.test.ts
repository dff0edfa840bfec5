import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { eraseCustomer, verifyEmail } from "#identity/calls.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { freshEmail, mailedToken, password } from "#testing/people.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "./calls.ts";

const { addCustomer, addManager, addMember, call, clock, database, fetch, openTill, passwords, product, runJobs } =
  await openTestTill();

type Till = Awaited<ReturnType<typeof openTill>>;

async function rowsOf(staffId: number) {
  const { rows } = await database.execute<{
    action: string;
    customer_id: string | null;
    after: object;
    request_id: string;
  }>(sql`select action, customer_id, after, request_id from audit_log where staff_id = ${staffId} order by id`);
  return rows;
}

/** Each writing call of a person at a till, and the input of one that succeeds. */
const writing: Record<string, (till: Till) => Promise<object>> = {
  [calls.holdVouchers]: async (till) => ({ VoucherCodes: await voucher(), ReceiptNumber: till.newNumber() }),
  [calls.releaseVouchers]: async (till) => ({ VoucherCodes: await voucher(), ReceiptNumber: till.newNumber() }),
  [calls.postPurchase]: async (till) => ({ ReceiptNumber: till.newNumber(), ...till.moments(), Amount: "10.00" }),
  [calls.postBatch]: async (till) => ({
    Items: JSON.stringify([{ Kind: "purchase", ReceiptNumber: till.newNumber(), ...till.moments(), Amount: "10.00" }]),
    SentAt: clock.now.toISOString(),
  }),
  [calls.postReturn]: async (till) => ({ ReceiptNumber: till.newNumber(), OriginalReceiptNumber: await sold(till) }),
  [calls.voidSale]: async (till) => ({ ReceiptNumber: await sold(till) }),
  [calls.obtainVoucher]: async (till) => {
    const { card } = await addMember(250);
    const { Customers } = await till.call(calls.identify, { CardNumber: card, EntryMode: "scanned" });
    return { CustomerToken: Customers[0]?.CustomerToken, IdLoyaltyReward: 1, Points: 500 };
  },
  [calls.emailReceipt]: async (till) => {
    const ReceiptNumber = till.newNumber();
    await till.sell({ ReceiptNumber, CardNumber: (await addMember()).card, Amount: "10.00" });
    return { ReceiptNumber };
  },
  [calls.countDay]: async () => ({ Count: 0, Amount: "0.00" }),
  [calls.undoReturn]: async (till) => {
    const ReceiptNumber = till.newNumber();
    await till.call(calls.postReturn, { ReceiptNumber, OriginalReceiptNumber: await sold(till) });
    return { ReceiptNumber };
  },
  [calls.join]: async (till) => ({ Email: `${till.newNumber()}@exemple.fr`, Firstname: "Ines", Lastname: "Faure" }),
  [calls.enrol]: async () => ({ Email: (await addCustomer()).email }),
  [calls.unpair]: async (till) => {
    const { id, pin } = await addManager(till.shopId);
    return { IdStaff: id, Pin: pin };
  },
};
/** Look-ups have a log of their own, and a quote writes nothing. */
const reading: string[] = [calls.identify, calls.quote, calls.searchByName, calls.listReceipts];

const voucher = async () => (await addMember(250)).obtain();
async function sold(till: Till) {
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, Amount: "10.00" });
  return ReceiptNumber;
}

const lines = Object.entries(Object.assign({}, ...product.contracts) as (typeof product.contracts)[number])
  .filter(([line, { access }]) => access === "till staff" && !line.startsWith("GET ") && !reading.includes(line))
  .map(([line]) => line);

test.each(lines)(
  "%s writes exactly one row of the audit log, with its request; refused it writes none",
  async (line) => {
    const till = await openTill();
    const input = await writing[line]?.(till);
    expect(input, "an input for the new call").toBeDefined();
    // A till is taken out of use by a person in charge, not by the person who is signed in.
    const who = line === calls.unpair ? Number((input as { IdStaff: number }).IdStaff) : till.person.id;
    const send = (fields: object) =>
      till.browse(`/api/${line.split(" ")[1]}`, { method: "POST", body: new URLSearchParams({ ...fields }) });
    const before = (await rowsOf(who)).length;
    if (line !== calls.unpair) {
      expect((await send({ Amount: "x", Email: "x" })).status).toBe(400);
      expect(await rowsOf(who)).toHaveLength(before);
    }
    const response = await send(input ?? {});
    expect(response.status).toBe(200);
    const rows = (await rowsOf(who)).slice(before);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.request_id).toBe(response.headers.get("x-request-id"));
    if (line === calls.unpair) return;
    // The points are not those of before.
    if (line === calls.obtainVoucher) return expect((await send(input ?? {})).status).toBe(409);
    // Sent again it does nothing more, and that is a call too.
    expect((await send(input ?? {})).status).toBe(200);
    expect(await rowsOf(who)).toHaveLength(before + 2);
  },
);

test("signing in and locking leave a row each; anyone who sold stands in the sale", async () => {
  const till = await openTill();
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "10.00" });
  await till.call(calls.postReturn, { ReceiptNumber: till.newNumber(), OriginalReceiptNumber: ReceiptNumber });
  await till.call(calls.lock);
  await till.call(calls.lock);
  const rows = await rowsOf(till.person.id);
  expect(rows.map(({ action }) => action)).toEqual(["sign_in", "purchase", "return", "lock"]);
  expect(rows[1]).toMatchObject({ customer_id: String(member.id), after: { receipt: ReceiptNumber, earned: 10 } });
  for (const table of ["shop_sale", "shop_return"]) {
    const found = await database.execute(sql.raw(`select staff_id from ${table} where shop_id = ${till.shopId}`));
    expect(found.rows).toEqual([{ staff_id: till.person.id }]);
  }
});

test("nobody can change, delete or empty the audit log", async () => {
  await writeAudit(database, { madeBy: "job", action: "debt_waived", at: clock.now });
  for (const statement of [
    "update audit_log set action = 'x'",
    "delete from audit_log",
    "truncate audit_log, audit_personal",
  ])
    await expect(database.$client.query(statement)).rejects.toThrow("audit_log is append-only");
});

test("an erasure deletes the personal values beside the log, never its rows; the export shows both, without names of staff", async () => {
  const till = await openTill();
  const member = await addMember();
  await till.call(calls.identify, { CardNumber: member.card });
  await till.sell({ CardNumber: member.card, Amount: "10.00" });
  const personal = { card: member.card };
  await writeAudit(database, {
    madeBy: "command",
    action: "staff_card",
    customerId: member.id,
    personal,
    at: clock.now,
  });
  const exported = await fetch("/api/customer/export", { headers: { authorization: `Bearer ${member.token}` } });
  const text = await exported.text();
  const { staff, shops } = JSON.parse(text).Loyalty;
  expect(staff.actions).toMatchObject([{ action: "purchase" }, { action: "staff_card", personal }]);
  expect(shops.lookUps).toMatchObject([{ by: "card", till: "Caisse 1" }]);
  for (const name of ["Nora", "Petit", till.person.email]) expect(text).not.toContain(name);
  const count = async (table: string) =>
    (await database.execute(sql.raw(`select from ${table} where customer_id = ${member.id}`))).rowCount;
  expect([await count("audit_log"), await count("audit_personal")]).toEqual([2, 1]);
  await database.execute(sql`update staff set own_customer_id = ${member.id} where id = ${till.person.id}`);
  await database.execute(
    sql`update customer set password_hash = ${await passwords.hash("secret-42")} where id = ${member.id}`,
  );
  await member.call(eraseCustomer, { Password: "secret-42" });
  expect([await count("audit_log"), await count("audit_personal")]).toEqual([2, 0]);
  const { rows } = await database.execute(sql`select own_customer_id from staff where id = ${till.person.id}`);
  expect(rows).toEqual([{ own_customer_id: null }]);
});

test("anyone who says that a card is not theirs leaves no name in the audit log", async () => {
  const till = await openTill();
  const form = { Email: freshEmail("camille"), Firstname: "Camille", Lastname: "Laurent" };
  await till.call(calls.join, form);
  const personal = async () =>
    (await database.execute(sql`select from audit_personal where personal ->> 'email' = ${form.Email}`)).rowCount;
  expect(await personal()).toBe(1);
  const Token = await mailedToken(database, form.Email, "/account/email");
  await call(verifyEmail, { Token, Password: password, ConfirmPassword: password, KeepCard: false });
  expect(await personal()).toBe(0);
});

test("erasing an account with a debt is listed in the audit log with what was owed, and nobody's name", async () => {
  const till = await openTill();
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "300.00" });
  const codes = [await member.obtain(), await member.obtain()].join(",");
  await till.sell({ CardNumber: member.card, Amount: "20.00", VoucherCodes: codes });
  await till.call(calls.postReturn, { ReceiptNumber: till.newNumber(), OriginalReceiptNumber: ReceiptNumber });
  const { Debt } = await member.points();
  expect(Debt).toBeGreaterThan(0);
  await database.execute(sql`update session set proved_at = now() where customer_id = ${member.id}`);
  await member.call(eraseCustomer);
  const log = sql`select made_by, customer_id::integer as id, before, after, reason from audit_log where action = 'erased_with_debt'`;
  const entry = { made_by: "customer", id: member.id, before: { debt: Debt }, after: { debt: 0 }, reason: null };
  expect((await database.execute(log)).rows).toEqual([entry]);
});

test("debt that is waived after a year stands in the audit log", async () => {
  const till = await openTill();
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "300.00" });
  const codes = [await member.obtain(), await member.obtain()].join(",");
  // Used vouchers cannot be cancelled, so that a debt arises.
  await till.sell({ CardNumber: member.card, Amount: "20.00", VoucherCodes: codes });
  await till.call(calls.postReturn, { ReceiptNumber: till.newNumber(), OriginalReceiptNumber: ReceiptNumber });
  const start = clock.now;
  const waive = async () => {
    await database.execute(sql`select graphile_worker.add_job('loyalty:waive')`);
    await runJobs();
    const log = sql`select before, after, made_by from audit_log where action = 'debt_waived' and customer_id = ${member.id}`;
    return (await database.execute(log)).rows;
  };
  expect(await waive()).toEqual([]);
  clock.now = new Date(start.getTime() + 366 * 24 * 3_600_000);
  expect(await waive()).toEqual([{ before: { debt: expect.any(Number) }, after: { debt: 0 }, made_by: "job" }]);
  expect(await waive()).toHaveLength(1);
  clock.now = start;
});
