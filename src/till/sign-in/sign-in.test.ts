import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { generatePin } from "#staff/pins.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "#till/calls.ts";
import { clearPinAttempts, replacePin } from "./sign-in.server.ts";

const { addPerson, clock, database, newCode, openShop, openTill, pairTill, pins } = await openTestTill();

const wrong = (pin: string) => (pin === "482913" ? "482914" : "482913");

test("the list has who may sign in here: of this shop or of none, with a PIN", async () => {
  const { shopId } = await openShop();
  const other = await openShop();
  const here = await addPerson(shopId, { firstname: "Zoé", lastname: "Lambert" });
  const anywhere = await addPerson(null, { firstname: "Ada", lastname: "Roche" });
  const elsewhere = await addPerson(other.shopId);
  const without = await addPerson(shopId);
  await database.execute(sql`update staff set pin_hash = null where id = ${without.id}`);
  const till = await pairTill(shopId);
  const { Staff } = await till.call(calls.readState);
  expect(Staff).toEqual([
    { IdStaff: anywhere.id, Name: "Ada R.", Locked: false, MayUnpair: true, PinMark: expect.any(String) },
    { IdStaff: here.id, Name: "Zoé L.", Locked: false, MayUnpair: false, PinMark: expect.any(String) },
  ]);
  const signedIn = { IdStaff: here.id, Name: "Zoé L." };
  expect(await till.call(calls.signIn, { IdStaff: here.id, Pin: here.pin })).toEqual(signedIn);
  expect((await till.call(calls.readState)).SignedIn).toEqual(signedIn);
  for (const { id, pin } of [elsewhere, without])
    expect(await refusalOf(till.call(calls.signIn, { IdStaff: id, Pin: pin }))).toMatchObject({ code: "wrong_pin" });
});

test("five wrong PINs lock a person out of this device, not of another, until they are unlocked; the fourth warns", async () => {
  const { shopId } = await openShop();
  const [till, second] = [await pairTill(shopId), await pairTill(shopId)];
  const person = await addPerson(shopId);
  const guess = { IdStaff: person.id, Pin: wrong(person.pin) };
  const right = { IdStaff: person.id, Pin: person.pin };
  for (const code of ["wrong_pin", "wrong_pin", "wrong_pin", "pin_last_try"])
    expect(await refusalOf(till.call(calls.signIn, guess))).toMatchObject({ code, status: 401 });
  await till.call(calls.signIn, right);
  for (let n = 0; n < 4; n += 1) await refusalOf(till.call(calls.signIn, guess));
  expect(await refusalOf(till.call(calls.signIn, guess))).toMatchObject({ code: "pin_locked", status: 409 });
  expect(await refusalOf(till.call(calls.signIn, right))).toMatchObject({ code: "pin_locked" });
  const isLocked = async (at: typeof till) =>
    (await at.call(calls.readState)).Staff.find(({ IdStaff }) => IdStaff === person.id)?.Locked;
  expect([await isLocked(till), await isLocked(second)]).toEqual([true, false]);
  await second.call(calls.signIn, right);
  const { rows } = await database.execute(
    sql`select staff_id from audit_log where action = 'pin_locked' and staff_id = ${person.id}`,
  );
  expect(rows).toEqual([{ staff_id: person.id }]);
  await clearPinAttempts(database, person.id);
  await till.call(calls.signIn, right);
});

test("pairing again brings no more tries: a new till of a shop begins with its wrong PINs, until a right one or an unlocking", async () => {
  const { shopId } = await openShop();
  const [till, elsewhere] = [await pairTill(shopId), await pairTill((await openShop()).shopId)];
  const person = await addPerson(shopId);
  const headOffice = await addPerson(null);
  const guess = ({ id, pin }: typeof person) => ({ IdStaff: id, Pin: wrong(pin) });
  for (let n = 0; n < 5; n += 1) await refusalOf(till.call(calls.signIn, guess(person)));
  for (let n = 0; n < 3; n += 1) await refusalOf(till.call(calls.signIn, guess(headOffice)));

  // In the same browser, and in another one.
  await till.call(calls.pair, { Code: await newCode(shopId) });
  const other = await pairTill(shopId);
  for (const again of [till, other]) {
    const right = again.call(calls.signIn, { IdStaff: person.id, Pin: person.pin });
    expect(await refusalOf(right)).toMatchObject({ code: "pin_locked" });
    expect(await refusalOf(again.call(calls.signIn, guess(headOffice)))).toMatchObject({ code: "pin_last_try" });
  }
  expect(await refusalOf(elsewhere.call(calls.signIn, guess(headOffice)))).toMatchObject({ code: "wrong_pin" });

  // What was tried at tills that are no more is forgotten with a right PIN; a till in use has its own count.
  await clearPinAttempts(database, person.id);
  await till.call(calls.signIn, { IdStaff: headOffice.id, Pin: headOffice.pin });
  await other.call(calls.signIn, { IdStaff: headOffice.id, Pin: headOffice.pin });
  const fresh = await pairTill(shopId);
  for (const one of [person, headOffice])
    expect(await refusalOf(fresh.call(calls.signIn, guess(one)))).toMatchObject({ code: "wrong_pin" });
  // People of head office are on the list of every till.
  await database.execute(sql`update staff set ended_at = now() where id = ${headOffice.id}`);
});

test("tills that are paired while a PIN is being checked at others begin with no wrong one", async () => {
  const { shopId } = await openShop();
  const { id, pin } = await addPerson(shopId);
  const signIns: Promise<unknown>[] = [];
  await database.transaction(async (tx) => {
    // Each sign-in waits for this row after it has counted its attempt.
    await tx.execute(sql`select from staff where id = ${id} for no key update`);
    for (let tills = 1; tills <= 6; tills += 1) {
      signIns.push((await pairTill(shopId)).call(calls.signIn, { IdStaff: id, Pin: pin }));
      const counted = sql`select from till_pin_attempt where staff_id = ${id} and failed_attempts > 0`;
      await expect.poll(async () => (await database.execute(counted)).rowCount).toBe(tills);
    }
  });
  for (const signIn of signIns) expect(await signIn).toMatchObject({ IdStaff: id });
});

test("a hundred guesses at once have five tries too", async () => {
  const { shopId } = await openShop();
  const till = await pairTill(shopId);
  const person = await addPerson(shopId);
  const guesses = Array.from({ length: 100 }, (_, n) =>
    refusalOf(till.call(calls.signIn, { IdStaff: person.id, Pin: String(300_000 + n) })),
  );
  const codes = (await Promise.all(guesses)).map(({ code }) => code);
  expect(codes.filter((code) => code === "wrong_pin")).toHaveLength(3);
  expect(codes.filter((code) => code === "pin_last_try")).toHaveLength(1);
  expect(codes.filter((code) => code === "pin_locked")).toHaveLength(96);
  const { rows } = await database.execute(
    sql`select failed_attempts from till_pin_attempt where staff_id = ${person.id}`,
  );
  expect(rows).toEqual([{ failed_attempts: 5 }]);
});

test("a session ends after 3 minutes idle, after 12 hours, and when it is locked", async () => {
  const till = await openTill();
  const start = clock.now;
  const at = (seconds: number) => {
    clock.now = new Date(start.getTime() + seconds * 1_000);
  };
  const quote = () => till.call(calls.quote, { Amount: "10.00" });
  at(179);
  await quote();
  at(179 + 179);
  await quote();
  // Reading the state is no activity.
  at(179 + 179 + 100);
  expect((await till.call(calls.readState)).SignedIn).not.toBeNull();
  at(179 + 179 + 180);
  expect((await till.call(calls.readState)).SignedIn).toBeNull();
  expect(await refusalOf(quote())).toMatchObject({ code: "pin_required", status: 401 });

  const { id: IdStaff, pin: Pin } = till.person;
  await till.call(calls.signIn, { IdStaff, Pin });
  const opened = clock.now.getTime() - start.getTime();
  for (let minutes = 2; minutes < 12 * 60; minutes += 2) {
    at(opened / 1_000 + minutes * 60);
    await quote();
  }
  at(opened / 1_000 + 12 * 3_600);
  expect(await refusalOf(quote())).toMatchObject({ code: "pin_required" });

  await till.call(calls.signIn, { IdStaff, Pin });
  const copied = new Map(till.cookies);
  await till.call(calls.lock);
  for (const [name, value] of copied) till.cookies.set(name, value);
  expect(await refusalOf(quote())).toMatchObject({ code: "pin_required" });
  clock.now = start;
});

test("anyone who signs in signs out the one before; who has ended is out at once", async () => {
  const till = await openTill();
  const first = new Map(till.cookies);
  const second = await addPerson(till.shopId);
  await till.call(calls.signIn, { IdStaff: second.id, Pin: second.pin });
  await till.call(calls.quote, { Amount: "10.00" });
  await database.execute(sql`update staff set ended_at = now() where id = ${second.id}`);
  expect(await refusalOf(till.call(calls.quote, { Amount: "10.00" }))).toMatchObject({ code: "pin_required" });
  for (const [name, value] of first) till.cookies.set(name, value);
  expect(await refusalOf(till.call(calls.quote, { Amount: "10.00" }))).toMatchObject({ code: "pin_required" });
});

test("the database has neither PINs nor tokens, and no PIN is trivial", async () => {
  const till = await openTill();
  const { rows } = await database.execute(sql`select staff.*, till_session.token_hash from staff, till_session`);
  expect(JSON.stringify(rows)).not.toContain(till.person.pin);
  expect(JSON.stringify(rows)).not.toContain(till.cookies.get("till.staff"));
  for (let n = 0; n < 2_000; n += 1) {
    const pin = generatePin();
    expect(pin).toMatch(/^\d{6}$/);
    expect(pin).not.toMatch(/^(\d)\1+$|^123456$|^654321$|^(\d\d)\2\2$|^(\d{3})\3$|^(19|20)/);
  }
});

test("who signs in with the old PIN while it is replaced is not signed in", async () => {
  const { shopId } = await openShop();
  const till = await pairTill(shopId);
  const person = await addPerson(shopId);
  const pinHash = await pins.hash(wrong(person.pin));
  const signing = await database.transaction(async (tx) => {
    await replacePin(tx, person.id, pinHash);
    let done = false;
    const signed = refusalOf(till.call(calls.signIn, { IdStaff: person.id, Pin: person.pin })).finally(() => {
      done = true;
    });
    const waiting = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%for share%'`;
    await expect.poll(async () => done || (await database.execute(waiting)).rowCount).toBeTruthy();
    return [signed];
  });
  expect(await signing[0]).toMatchObject({ code: "wrong_pin" });
  expect((await till.call(calls.readState)).SignedIn).toBeNull();
});
