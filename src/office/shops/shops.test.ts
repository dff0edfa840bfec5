import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { quote } from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as tillCalls from "#till/calls.ts";
import * as calls from "./calls.ts";

const { addMember, addTill, clock, database, openOffice, openShop, openTill, settings } = await openTestOffice();
const fieldsOf = (call: Promise<unknown>) =>
  call.catch(({ problem }) => problem.errors?.map(({ field, code }: Record<string, string>) => `${field} ${code}`));
const later = (days: number) => new Date(clock.now.getTime() + days * 24 * 3_600_000);

test("a shop is read with its tills, keys and people; its secrets are shown once", async () => {
  const owner = await openOffice("owner");
  const { IdShop } = await owner.call(calls.addShop, { Name: "Cercle Vaise", City: "Lyon" });
  const shop = { IdShop: String(IdShop) };
  const added = await owner.call(calls.addKey, { ...shop, Name: "Serveur", Scopes: "report, events" });
  expect(added.Key).toMatch(new RegExp(`^cercle_${added.Prefix}_`));
  const rotated = await owner.call(calls.rotateKey, { Prefix: added.Prefix });
  const again = owner.call(calls.rotateKey, { Prefix: added.Prefix });
  expect(await refusalOf(again)).toMatchObject({ code: "not_found" });
  const { Keys } = await owner.call(calls.listKeys, shop);
  expect(Keys).toMatchObject([
    { Prefix: rotated.Prefix, Name: "Serveur", Scopes: ["report", "events"], EndsAt: null, RevokedAt: null },
    { Prefix: added.Prefix, EndsAt: later(7).toISOString() },
  ]);
  await owner.call(calls.revokeKey, { Prefix: rotated.Prefix });
  const wrong = owner.call(calls.addKey, { ...shop, Name: "Serveur", Scopes: "report,everything" });
  expect(await fieldsOf(wrong)).toEqual(["Scopes invalid"]);

  const person = { ...shop, Firstname: "Ines", Lastname: "Roy", Email: "ines.roy@cercle.example" };
  const { IdStaff } = await owner.call(calls.addPerson, person);
  expect(await refusalOf(owner.call(calls.addPerson, person))).toMatchObject({ code: "email_taken" });
  const manager = await openOffice("shop", IdShop);
  expect(await manager.call(calls.renewPin, { IdStaff: String(IdStaff) })).toEqual({});
  const strangers = (await openOffice("shop")).call(calls.renewPin, { IdStaff: String(IdStaff) });
  expect(await refusalOf(strangers)).toMatchObject({ code: "not_found" });
  // Not of a person who may sign in everywhere.
  const above = manager.call(calls.renewPin, { IdStaff: String(owner.id) });
  expect(await refusalOf(above)).toMatchObject({ code: "not_found" });
  const card = owner.call(calls.recordCard, { IdStaff: String(IdStaff), CardNumber: "2900000000001" });
  expect(await fieldsOf(card)).toEqual(["CardNumber invalid"]);

  const pairing = await manager.call(calls.pairTill, { ...shop, TillName: "Cabines", LanguageIsoCode: "en" });
  expect(pairing.Url).toBe(`${settings.publicUrl.origin}/en/till#code=${pairing.Code}`);
  expect(pairing.QrSvg).toMatch(/^<svg /);
  expect(pairing.EndsAt).toBe(new Date(clock.now.getTime() + 600_000).toISOString());
  expect(await manager.call(calls.readShop, shop)).toMatchObject({
    Shop: { IdShop, Name: "Cercle Vaise", City: "Lyon", Kind: "boutique" },
    Tills: [],
    Staff: expect.arrayContaining([
      expect.objectContaining({ IdStaff, Firstname: "Ines", HasPin: false, HasOwnCard: false, Locked: false }),
    ]),
  });
  expect((await manager.call(calls.listShops)).Shops).toMatchObject([{ IdShop, Tills: 0, Keys: 1, Conflicts: 0 }]);
  await owner.call(calls.addShop, { Name: "Cercle en ligne", City: "Paris", Kind: "web" });
  expect((await owner.call(calls.listShops)).Shops.map(({ Name }) => Name)).toContain("Cercle en ligne");
});

test("who has recorded their own card cannot record another: a colleague does, with a fresh proof", async () => {
  const owner = await openOffice("owner");
  const manager = await openOffice("shop");
  const [own, stranger] = [await addMember(), await addMember()];
  for (const person of [owner, manager]) {
    const IdStaff = String(person.id);
    const record = (by: typeof owner, { card: CardNumber }: { card: string }) =>
      by.call(calls.recordCard, { IdStaff, CardNumber });
    await record(person, own);
    expect(await refusalOf(record(person, stranger))).toMatchObject({ status: 409, code: "not_yourself" });
    // Once more the same changes nothing.
    await record(person, own);
    await record(await openOffice("owner"), stranger);
    expect(await refusalOf(record(person, own))).toMatchObject({ code: "not_yourself" });
  }
  const start = clock.now;
  clock.now = new Date(start.getTime() + 16 * 60_000);
  const late = owner.call(calls.recordCard, { IdStaff: String(manager.id), CardNumber: own.card });
  expect(await refusalOf(late)).toMatchObject({ code: "proof_needed" });
  clock.now = start;
});

test("a shop gets another name and city, and keeps its number, its keys and its kind", async () => {
  const owner = await openOffice("owner");
  const { IdShop } = await owner.call(calls.addShop, { Name: "Cercle Vaise", City: "Lyon" });
  const shop = { IdShop: String(IdShop) };
  await owner.call(calls.addKey, { ...shop, Name: "Serveur" });
  await owner.call(calls.renameShop, { ...shop, Name: "Cercle Bellecour", City: "Lyon 2e" });
  const { Shops } = await owner.call(calls.listShops);
  expect(Shops.find((one) => one.IdShop === IdShop)).toMatchObject({
    ...{ Name: "Cercle Bellecour", City: "Lyon 2e", Kind: "boutique", Keys: 1 },
  });
  expect(await fieldsOf(owner.call(calls.renameShop, { ...shop, Name: " ", City: "Lyon" }))).toEqual(["Name required"]);
  const unknown = owner.call(calls.renameShop, { IdShop: "999999", Name: "Cercle", City: "Lyon" });
  expect(await refusalOf(unknown)).toMatchObject({ code: "not_found" });
});

test("a shop that is being closed gets neither a key nor a code for a till meanwhile", async () => {
  const owner = await openOffice("owner");
  const { shopId } = await openShop();
  const shop = { IdShop: String(shopId) };
  const closing = await database.$client.connect();
  await closing.query("begin");
  await closing.query("select from shop where id = $1 for update", [shopId]);
  const asked = [
    refusalOf(owner.call(calls.addKey, { ...shop, Name: "Caisse" })),
    refusalOf(owner.call(calls.pairTill, shop)),
  ];
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await database.execute(waiting)).rowCount).toBe(asked.length);
  await closing.query("update shop set closed_at = now() where id = $1", [shopId]);
  await closing.query("commit");
  closing.release();
  for (const refused of await Promise.all(asked)) expect(refused).toMatchObject({ code: "shop_closed" });
});

test("a closed shop has no tills and no keys any more and gets none; its history stays; it can be opened again", async () => {
  const owner = await openOffice("owner");
  const { shopId } = await openShop();
  const [key, till] = [await addTill(shopId), await openTill(shopId)];
  const ReceiptNumber = key.newNumber();
  await key.sell({ ReceiptNumber, Amount: "20.00" });
  const shop = { IdShop: String(shopId) };
  const { Code } = await owner.call(calls.pairTill, shop);
  expect(await owner.call(calls.closeShop, shop)).toEqual({ Tills: 1, Keys: 2 });
  expect((await refusalOf(key.call(quote, { Amount: "1.00" }))).status).toBe(401);
  expect((await refusalOf(till.call(tillCalls.quote, { Amount: "1.00" }))).status).toBe(401);
  expect((await refusalOf(till.call(tillCalls.pair, { Code }))).status).toBeGreaterThanOrEqual(400);
  const person = { Firstname: "Ines", Lastname: "Roy", Email: "trop.tard@cercle.example" };
  for (const add of [
    () => owner.call(calls.pairTill, shop),
    () => owner.call(calls.addKey, { ...shop, Name: "Caisse" }),
    () => owner.call(calls.addPerson, { ...shop, ...person }),
    () => owner.call(calls.closeShop, shop),
  ])
    expect(await refusalOf(add())).toMatchObject({ status: 409, code: "shop_closed" });
  const { Shops } = await owner.call(calls.listShops);
  expect(Shops.at(-1)).toMatchObject({ IdShop: shopId, ClosedAt: clock.now.toISOString(), Tills: 0, Keys: 0 });
  const Day = clock.now.toISOString().slice(0, 10);
  expect((await owner.call(calls.readReport, { ...shop, Day })).Sales.Count).toBe(1);
  await owner.call(calls.reopenShop, shop);
  await owner.call(calls.pairTill, shop);
});
