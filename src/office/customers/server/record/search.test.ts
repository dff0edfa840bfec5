import { type SQL, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { claimReceipt } from "#loyalty/calls.ts";
import * as calls from "#office/customers/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";

const { addCustomer, addMember, clock, database, openOffice, openShop } = await openTestOffice();
const office = await openOffice("service");
const find = async (Search: string) =>
  (await office.call(calls.findCustomers, { Search })).Customers.map(({ IdCustomer }) => IdCustomer);
const findPlainly = async (Search: string) =>
  (await office.call(calls.findCustomers, { Search })).Customers.flatMap(({ IdCustomer, Similar }) =>
    Similar ? [] : [IdCustomer],
  );

test("a customer is found by card, email, phone, voucher, receipt and return, typed as people type them", async () => {
  const member = await addMember(300);
  await database.execute(sql`update customer set mobile_phone = '+33612345678' where id = ${member.id}`);
  const code = await member.obtain();
  const shop = await openShop();
  const ReceiptNumber = "L2-004817";
  await shop.sell({ ReceiptNumber, CardNumber: member.card, Amount: "50.00" });
  await shop.takeBack(ReceiptNumber, undefined, { ReceiptNumber: "R/77" });
  const grouped = `${member.card.slice(0, 4)} ${member.card.slice(4)}`;
  const dashed = code.match(/.{4}/g)?.join("-") ?? "";
  const typed = [member.card, grouped, member.email.toUpperCase(), "06 12 34 56 78", code.toLowerCase(), code, dashed];
  for (const search of typed) expect({ search, found: await find(search) }).toEqual({ search, found: [member.id] });
  for (const search of [ReceiptNumber, "R/77"]) expect(await find(search)).toEqual([member.id]);
  const { Customers } = await office.call(calls.findCustomers, { Search: member.card });
  expect(Customers[0]?.MobilePhone).toBe("+33 6 12 34 56 78");
  for (const search of ["2900000000000", "L2-004818", "personne@exemple.fr", "0699999999", "%", "_"])
    expect({ search, found: await find(search) }).toEqual({ search, found: [] });
});

test("a claim code without a digit is a code and not a name", async () => {
  const member = await addMember();
  const { ClaimCode = "" } = await (await openShop()).sell({ Amount: "50.00" });
  await member.call(claimReceipt, { ClaimCode });
  expect(await find(ClaimCode)).toEqual([member.id]);
  // One in fifty has none.
  const without = "ABCDFGHJKMNP";
  await database.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`update shop_sale set claim_code = ${without} where claim_code = ${ClaimCode}`);
  });
  for (const search of [without, "abcd fghj kmnp"]) expect(await find(search)).toEqual([member.id]);
});

test("a name is found by its beginning, in either order, whatever its accents, hyphens and case", async () => {
  const ids: Record<string, number> = {};
  for (const [firstname, lastname] of [
    ["Zéphyrine", "Œuvrard-Brûlé"],
    ["Zephyr", "d’Ormesson"],
    ["Oeuvrard", "Zephyrine"],
  ] as const)
    ids[firstname] = (await addCustomer({ firstname, lastname })).id;
  const names = (...wanted: string[]) => wanted.map((name) => ids[name] ?? 0).sort();
  const cases: [string, string[]][] = [
    ["zephyr", ["Zéphyrine", "Zephyr", "Oeuvrard"]],
    ["ZÉPHYRINE OE", ["Zéphyrine", "Oeuvrard"]],
    ["oeuvrard brule", ["Zéphyrine"]],
    ["Œuvrard-Brûlé Zé", ["Zéphyrine"]],
    ["d'ormesson", ["Zephyr"]],
  ];
  for (const [search, wanted] of cases)
    expect({ search, found: (await findPlainly(search)).sort() }).toEqual({ search, found: names(...wanted) });
});

test("a search forgives: a word inside the name, a typing error, a part of the address, the last digits", async () => {
  const member = await addMember(0, {
    ...{ firstname: "Anne-Gaëlle", lastname: "Kerviel-Thorigné" },
    ...{ email: "ag.kerviel+club@armorique.example", mobilePhone: "+33698765401" },
  });
  for (const search of [
    ...["gaelle", "thorigne", "rvie", "elle kerv", "le kerviel tho", "Kervel", "tohrigné", "anne gaele kerviel"],
    ...["ag.kerv", "@armorique", "kerviel+club", "armorique.example"],
    ...[member.card.slice(-4), member.card.slice(-6), "5401", "765401", "76 54 01"],
  ])
    expect({ search, found: (await find(search)).includes(member.id) }).toEqual({ search, found: true });
  const { Customers } = await office.call(calls.findCustomers, { Search: "kervel" });
  expect(Customers).toMatchObject([{ IdCustomer: member.id, Similar: true }]);
  // What is found by its beginning is listed alone, unless the search is meant to be wide.
  const other = await addCustomer({ firstname: "Thorigne", lastname: "Autre" });
  const similar = async (input: { Wide?: boolean }) =>
    (await office.call(calls.findCustomers, { Search: "thorigné", ...input })).Customers.map((one) => [
      ...[one.IdCustomer, one.Similar],
    ]);
  expect(await similar({})).toEqual([[other.id, false]]);
  expect(await similar({ Wide: true })).toEqual([
    [other.id, false],
    [member.id, true],
  ]);
  // Signs of a pattern are signs, and two letters find beginnings alone.
  for (const search of ["%%%", "___", "a%c", "vi", "xylophone", "xyl\\ophon", "xyl'o:* & !(phon)", '"xyl"<->phon'])
    expect({ search, found: await find(search) }).toEqual({ search, found: [] });
});

test("one error in each word is forgiven: a letter more, less, wrong or changed with its neighbour", async () => {
  const { id } = await addCustomer({ firstname: "Eugénie", lastname: "Wolkenstein" });
  for (const search of [
    "wolkensteinn",
    "wolknstein",
    "wolkenstaim",
    "owlkenstein",
    "eugnie wolkesntein",
    "Wolkenstien Eugenie",
  ])
    expect({ search, found: await find(search) }).toEqual({ search, found: search === "wolkenstaim" ? [] : [id] });
});

test("a part that many share shows the newest of them", async () => {
  const ids: number[] = [];
  for (let n = 0; n < 12; n += 1)
    ids.push((await addCustomer({ firstname: `Ludo${"abcdefghijkl"[n]}`, lastname: "Quasiquark" })).id);
  const { Customers } = await office.call(calls.findCustomers, { Search: "iquark" });
  expect(Customers).toHaveLength(10);
  for (const { IdCustomer, Similar } of Customers) expect([ids.includes(IdCustomer), Similar]).toEqual([true, true]);
});

test("a long list is paged by cursor: everybody once, in one order, also when somebody joins meanwhile", async () => {
  for (let n = 0; n < 120; n += 1)
    await addCustomer({ firstname: n % 2 ? "Pagette" : "Xavier", lastname: `Pagette ${n}` });
  const seen: number[] = [];
  let Cursor: string | undefined;
  do {
    const page = await office.call(calls.findCustomers, { Search: "pagette", ...(Cursor && { Cursor }) });
    seen.push(...page.Customers.map(({ IdCustomer }) => IdCustomer));
    Cursor = page.NextCursor ?? undefined;
    await addCustomer({ firstname: "Aagette", lastname: "Pagett" });
  } while (Cursor);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(120);
  const everybody = await office.call(calls.findCustomers, {});
  expect(everybody.Customers).toHaveLength(50);
  const next = await office.call(calls.findCustomers, { Cursor: String(everybody.NextCursor) });
  const last = everybody.Customers.at(-1)?.IdCustomer ?? 0;
  expect(next.Customers[0]?.IdCustomer).toBeLessThan(last);
  for (const bad of ["x", Buffer.from('["\\u0000",1]').toString("base64url"), Buffer.from("[1]").toString("base64url")])
    expect((await office.call(calls.findCustomers, { Search: "pagette", Cursor: bad })).Customers).toHaveLength(50);
});

/** The plan for many customers: of the few of this test the planner scans and sorts all. */
async function planOfMany(query: SQL): Promise<string> {
  const { rows } = await database.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    await tx.execute(sql`set local enable_sort = off`);
    return tx.execute<{ "QUERY PLAN": string }>(sql`explain ${query}`);
  });
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

test("names are read from their indexes in their order, never by scanning every customer", async () => {
  const plan = await planOfMany(sql`
    select id from customer c where name_folded(c.lastname || ' ' || c.firstname) >= name_folded('nom19') collate "C"
      and name_folded(c.lastname || ' ' || c.firstname) < (name_folded('nom19') || chr(1114111)) collate "C"
    order by name_folded(c.lastname || ' ' || c.firstname) collate "C", id limit 51`);
  expect(plan).toContain("customer_name_last");
  expect(plan).not.toContain("Sort");
});

test("what is alike is read from indexes", async () => {
  const plan = await planOfMany(sql`
    select id from customer c
    where c.email like '%armorique%' or name_parts(name_folded(c.firstname || ' ' || c.lastname)) @@ '''morique'':*'::tsquery
      or name_spellings(name_folded(c.firstname || ' ' || c.lastname)) && name_spellings('armorique')`);
  expect(plan).toContain("customer_name_parts");
  expect(plan).toContain("customer_name_spellings");
  expect(plan).toContain("customer_email_parts");
  expect(plan).not.toContain("Seq Scan");
});

test("the list comes as CSV with a fresh proof, everybody once, and the audit log knows it", async () => {
  const listed = async () => {
    const { rows } = await database.execute(
      sql`select from audit_log where action = 'customers_listed' and staff_id = ${office.id}`,
    );
    return rows.length;
  };
  const listedBefore = await listed();
  await addCustomer({ firstname: "=HYPERLINK(1)", lastname: "Csvette" });
  for (let n = 0; n < 3; n += 1) await addCustomer({ firstname: "Csvette", lastname: `Numéro ${n}` });
  const response = await office.browse("/api/office/customers/csv?Search=csvette");
  expect(response.headers.get("content-type")).toContain("text/csv");
  expect(response.headers.get("x-estimated-rows")).toMatch(/^\d+$/);
  const lines = (await response.text()).trim().split("\r\n");
  expect(lines).toHaveLength(5);
  expect(lines.filter((line) => line.includes("'=HYPERLINK(1)"))).toHaveLength(1);
  const all = (await (await office.browse("/api/office/customers/csv")).text()).trim().split("\r\n").slice(1);
  const { rows } = await database.execute<{ count: string }>(sql`select count(*) from customer where not guest`);
  expect(new Set(all.map((line) => line.split(";")[0])).size).toBe(Number(rows[0]?.count));
  expect(await listed()).toBe(listedBefore + 2);
  const start = clock.now;
  clock.now = new Date(start.getTime() + 16 * 60_000);
  expect((await (await office.browse("/api/office/customers/csv")).json()).code).toBe("proof_needed");
  clock.now = start;
});

test("the file has its headings in the reader's language and its times in the club's time zone", async () => {
  const member = await addMember(0, { lastname: "Fuseau", createdAt: new Date("2026-03-10T22:30:00Z") });
  for (const [language, heading] of [
    ["fr", "Client;Prénom;Nom"],
    ["en", "Customer,First name,Last name"],
    ["de", "Kunde;Vorname;Nachname"],
  ]) {
    const file = await office.browse(`/api/office/customers/csv?Search=fuseau&LanguageIsoCode=${language}`);
    const [head = "", line = ""] = (await file.text()).trim().split("\r\n");
    expect(head.replace("\uFEFF", "")).toContain(heading);
    expect(line).toContain(String(member.id));
    expect(line).toContain("2026-03-10 23:30:00");
  }
});

test("each page of the list is in the audit log, with how many customers it showed and not what was typed", async () => {
  const reader = await openOffice("service");
  for (let n = 0; n < 2; n += 1) await addCustomer({ firstname: "Journalette", lastname: `Numéro ${n}` });
  await reader.call(calls.findCustomers, { Search: "journalette" });
  await reader.call(calls.findCustomers);
  const { rows } = await database.execute<{ action: string; after: object; request_id: string | null }>(
    sql`select action, after, request_id from audit_log where staff_id = ${reader.id} order by id`,
  );
  expect(rows).toEqual([
    { action: "customers_viewed", after: { rows: 2, searched: true }, request_id: expect.any(String) },
    {
      action: "customers_viewed",
      after: { rows: expect.any(Number), searched: false },
      request_id: expect.any(String),
    },
  ]);
  expect(JSON.stringify(rows)).not.toContain("journalette");
});

test("a person reads so many pages of customers an hour; a colleague is not held up", async () => {
  const limited = await openTestOffice({ RATE_LIMITS: "on" });
  const [reader, colleague] = [await limited.openOffice("service"), await limited.openOffice("service")];
  const list = (by: typeof reader) => by.call(calls.findCustomers, { Search: "personne" });
  for (let n = 0; n < 300; n += 1) await list(reader);
  expect(await refusalOf(list(reader))).toMatchObject({ code: "too_many", status: 429 });
  await list(colleague);
});
