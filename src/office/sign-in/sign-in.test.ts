import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { totpCode, totpStep } from "#office/sign-in/credentials/totp.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { createAuthenticator } from "#testing/services/authenticator.server.ts";
import * as calls from "./calls.ts";
import { endWaysIn } from "./invitation.server.ts";

const { addOfficePerson, clock, database, openBrowser, openOffice, settings } = await openTestOffice();
const limited = await openTestOffice({ RATE_LIMITS: "on" });
const later = (seconds: number) => new Date(clock.now.getTime() + seconds * 1_000);
const wrong = { code: "wrong_office_login", status: 401 };

async function actionsOf(id: number) {
  const { rows } = await database.execute<{ action: string }>(
    sql`select action from audit_log where staff_id = ${id} order by id`,
  );
  return rows.map(({ action }) => action);
}

test("password and code sign in; neither alone, and every refusal is the same", async () => {
  const { id, email: Email, password: Password, code } = await addOfficePerson();
  const other = await addOfficePerson();
  const { browse, call, cookies } = openBrowser();
  const Code = code();
  const bad = Code === "000000" ? "111111" : "000000";
  const asked = [
    { Email, Password, Code: bad },
    { Email, Password: "wrong horse battery", Code },
    { Email: other.email, Password, Code },
    { Email: "nobody@cercle.example", Password, Code },
  ];
  const answers = new Set<string>();
  for (const body of asked) {
    const response = await browse("/api/office/sign-in", { method: "POST", body: new URLSearchParams(body) });
    const { instance: _, ...problem } = await response.json();
    answers.add(JSON.stringify(problem));
  }
  expect([...answers]).toEqual([expect.stringContaining("wrong_office_login")]);
  const alone = await browse("/api/office/sign-in", { method: "POST", body: new URLSearchParams({ Email, Password }) });
  expect((await alone.json()).errors).toMatchObject([{ field: "Code", code: "required" }]);
  expect(cookies.size).toBe(0);
  const body = new URLSearchParams({ Email, Password, Code });
  const response = await browse("/api/office/sign-in", { method: "POST", body });
  const [session, device] = response.headers.getSetCookie();
  expect(device).toMatch(/^staff\.device=.*; HttpOnly;( Secure;)? SameSite=Strict$/);
  expect(session).toMatch(/^staff\.token=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly;( Secure;)? SameSite=Strict$/);
  expect(await call(calls.readSession)).toMatchObject({ Email, Role: "owner" });
  expect(await actionsOf(id)).toEqual(["office_sign_in"]);
});

test("a code works once, no matter who is first, and no earlier one after it", async () => {
  const { email: Email, password: Password, code, secret } = await addOfficePerson();
  const signIn = (Code: string) => openBrowser().call(calls.signIn, { Email, Password, Code });
  const ended = await Promise.allSettled([signIn(code()), signIn(code()), signIn(code())]);
  expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await refusalOf(signIn(code()))).toMatchObject(wrong);
  expect(await refusalOf(signIn(totpCode(secret, totpStep(clock.now) - 1)))).toMatchObject(wrong);
  await signIn(totpCode(secret, totpStep(clock.now) + 1));
});

test("somebody who has ended, or has accepted no invitation, does not sign in", async () => {
  const { id, email: Email, password: Password, code } = await addOfficePerson();
  const signIn = () => refusalOf(openBrowser().call(calls.signIn, { Email, Password, Code: code() }));
  await database.execute(sql`update staff set totp_secret = null where id = ${id}`);
  expect(await signIn()).toMatchObject(wrong);
  const ended = await addOfficePerson();
  await database.execute(sql`update staff set ended_at = now() where id = ${ended.id}`);
  const again = { Email: ended.email, Password, Code: ended.code() };
  expect(await refusalOf(openBrowser().call(calls.signIn, again))).toMatchObject(wrong);
});

test("after ten wrong attempts the account must wait, with the right code too", async () => {
  const { email: Email, password: Password, code } = await limited.addOfficePerson();
  const { call } = limited.openBrowser();
  for (let n = 0; n < 10; n += 1)
    expect(await refusalOf(call(calls.signIn, { Email, Password: "wrong", Code: code() }))).toMatchObject(wrong);
  const right = call(calls.signIn, { Email, Password, Code: code() });
  expect(await refusalOf(right)).toMatchObject({ code: "too_many" });
});

test("wrong attempts from elsewhere do not keep a person out where they have signed in; there, too, ten are the most", async () => {
  const { email: Email, password: Password, secret } = await limited.addOfficePerson();
  let step = totpStep(limited.clock.now) - 1;
  /** A code that was not used yet. */
  const newCode = () => {
    step += 1;
    return totpCode(secret, Math.min(step, totpStep(limited.clock.now) + 1));
  };
  const wrongly = { Email, Password: "wrong horse battery", Code: "000000" };
  const own = limited.openBrowser();
  await own.call(calls.signIn, { Email, Password, Code: newCode() });
  expect(own.cookies.get("staff.device")).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
  await own.call(calls.signOut);
  const stranger = limited.openBrowser();
  for (let n = 0; n < 10; n += 1) await refusalOf(stranger.call(calls.signIn, wrongly));
  expect(await refusalOf(stranger.call(calls.signIn, wrongly))).toMatchObject({ code: "too_many" });
  await own.call(calls.signIn, { Email, Password, Code: newCode() });
  // The cookie is no second purse of attempts for another person's account, nor for this one.
  const other = await limited.addOfficePerson();
  for (let n = 0; n < 10; n += 1) await refusalOf(stranger.call(calls.signIn, { ...wrongly, Email: other.email }));
  const elsewhere = own.call(calls.signIn, { Email: other.email, Password, Code: other.code() });
  expect(await refusalOf(elsewhere)).toMatchObject({ code: "too_many" });
  for (let n = 0; n < 10; n += 1) expect(await refusalOf(own.call(calls.signIn, wrongly))).toMatchObject(wrong);
  expect(await refusalOf(own.call(calls.signIn, wrongly))).toMatchObject({ code: "too_many" });
});

test("300 failures of one network in a quarter of an hour make its unknown devices wait that long and no longer", async () => {
  const office = await openTestOffice({ RATE_LIMITS: "on" });
  const { email: Email, password: Password, code, secret } = await office.addOfficePerson();
  const own = office.openBrowser();
  await own.call(calls.signIn, { Email, Password, Code: code() });
  const guess = (n: number) => {
    const body = new URLSearchParams({ Email: `nobody-${n}@cercle.example`, Password, Code: "000000" });
    return office.openBrowser().browse("/api/office/sign-in", { method: "POST", body });
  };
  const blocked = async () => {
    for (let n = 0; n < 300; n += 1) expect((await guess(n)).status).toBe(401);
    const refused = await guess(300);
    expect(refused.status).toBe(429);
    return Number(refused.headers.get("retry-after"));
  };
  expect(await blocked()).toBeLessThanOrEqual(15 * 60);
  // A device that is known is not held up by its network.
  const Code = totpCode(secret, totpStep(office.clock.now) + 1);
  expect(await own.call(calls.signIn, { Email, Password, Code })).toMatchObject({ Email });
  await office.database.execute(sql`update rate_limit set expire = 0 where key not like '%+:%'`);
  expect(await blocked()).toBeLessThanOrEqual(15 * 60);
});

test("a proof is fresh for a quarter of an hour of one kind of act; then password and code, or an own passkey, renew it", async () => {
  const start = clock.now;
  const { id, email: Email, password: Password, code } = await addOfficePerson("service");
  const { call } = openBrowser();
  await call(calls.signIn, { Email, Password, Code: code() });
  clock.now = later(299);
  await call(calls.newPasskeyOptions);
  clock.now = later(601);
  expect(await refusalOf(call(calls.newPasskeyOptions))).toMatchObject({ code: "proof_needed" });
  expect(await refusalOf(call(calls.prove, { Password: "wrong", Code: code() }))).toMatchObject(wrong);
  expect(await refusalOf(call(calls.prove, { Password }))).toMatchObject({ code: "invalid" });
  const { ProofEndsAt } = await call(calls.prove, { Password, Code: code() });
  expect(ProofEndsAt).toBe(later(300).toISOString());
  // A code that proved something opens nothing any more.
  expect(await refusalOf(openBrowser().call(calls.signIn, { Email, Password, Code: code() }))).toMatchObject(wrong);
  const phone = createAuthenticator({ origin: settings.publicUrl.origin });
  await call(calls.addPasskey, { Response: phone.create(await call(calls.newPasskeyOptions)) });
  clock.now = later(901);
  expect(await refusalOf(call(calls.newPasskeyOptions))).toMatchObject({ code: "proof_needed" });
  await call(calls.prove, { Response: phone.get(await call(calls.passkeyOptions)) });
  await call(calls.newPasskeyOptions);
  expect(await actionsOf(id)).toEqual(["office_sign_in", "office_proof", "office_passkey", "office_proof"]);
  clock.now = start;
});

test("a passkey that is added while the account is recovered is not added", async () => {
  const person = await openOffice("owner");
  const phone = createAuthenticator({ origin: settings.publicUrl.origin });
  const Response = phone.create(await person.call(calls.newPasskeyOptions));
  const recovering = await database.$client.connect();
  await recovering.query("begin");
  await recovering.query("select from staff where id = $1 for update", [person.id]);
  const adding = refusalOf(person.call(calls.addPasskey, { Response }));
  await expect
    .poll(async () => {
      const { rows } = await database.$client.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%\"staff\"%for update%'",
      );
      return rows.length;
    })
    .toBeGreaterThan(0);
  await recovering.query("delete from staff_session where staff_id = $1", [person.id]);
  await recovering.query("commit");
  recovering.release();
  expect(await adding).toMatchObject({ code: "not_signed_in" });
  const { rows } = await database.$client.query("select from staff_passkey where staff_id = $1", [person.id]);
  expect(rows).toHaveLength(0);
});

test("a passkey signs in with user verification, its owner alone, and not with a challenge of another session", async () => {
  const owner = await openOffice("owner");
  const phone = createAuthenticator({ origin: settings.publicUrl.origin });
  const Response = phone.create(await owner.call(calls.newPasskeyOptions));
  const stranger = await openOffice("shop");
  const invalid = { code: "passkey_invalid" };
  expect(await refusalOf(stranger.call(calls.addPasskey, { Response }))).toMatchObject(invalid);
  const second = phone.create(await owner.call(calls.newPasskeyOptions));
  await owner.call(calls.addPasskey, { Response: second, Name: "Phone" });
  expect(await refusalOf(owner.call(calls.addPasskey, { Response: second }))).toMatchObject(invalid);
  const taken = phone.create(await stranger.call(calls.newPasskeyOptions));
  expect(await refusalOf(stranger.call(calls.addPasskey, { Response: taken }))).toMatchObject({
    code: "passkey_known",
  });

  const browser = openBrowser();
  const signIn = phone.get(await browser.call(calls.passkeyOptions));
  expect(await browser.call(calls.signInWithPasskey, { Response: signIn })).toMatchObject({ IdStaff: owner.id });
  expect(await browser.call(calls.readSession)).toMatchObject({ IdStaff: owner.id });
  expect(await refusalOf(browser.call(calls.signInWithPasskey, { Response: signIn }))).toMatchObject(invalid);
  const proof = phone.get(await stranger.call(calls.passkeyOptions));
  expect(await refusalOf(stranger.call(calls.prove, { Response: proof }))).toMatchObject(invalid);

  const careless = createAuthenticator({ origin: settings.publicUrl.origin, verifies: false });
  const unverified = careless.create(await owner.call(calls.newPasskeyOptions));
  expect(await refusalOf(owner.call(calls.addPasskey, { Response: unverified }))).toMatchObject(invalid);
  await database.execute(sql`update staff set ended_at = now() where id = ${owner.id}`);
  const late = phone.get(await browser.call(calls.passkeyOptions));
  expect(await refusalOf(openBrowser().call(calls.signInWithPasskey, { Response: late }))).toMatchObject(invalid);
});

test("who signs in with a passkey while the account is recovered is signed out by the recovery", async () => {
  const person = await openOffice("owner");
  const phone = createAuthenticator({ origin: settings.publicUrl.origin });
  await person.call(calls.addPasskey, { Response: phone.create(await person.call(calls.newPasskeyOptions)) });
  const thief = openBrowser();
  const Response = phone.get(await thief.call(calls.passkeyOptions));
  // The thief's transaction has used the passkey and waits before it writes its session.
  const holding = await database.$client.connect();
  await holding.query("begin");
  await holding.query("lock table audit_log in share mode");
  const signing = thief.call(calls.signInWithPasskey, { Response });
  const waits = (text: string) =>
    expect
      .poll(async () => {
        const found = sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query ilike ${text}`;
        return (await database.execute(found)).rowCount;
      })
      .toBeGreaterThan(0);
  await waits("insert into %audit_log%");
  const recovering = database.transaction((tx) => endWaysIn(tx, person.id));
  await waits("delete from %staff_passkey%");
  await holding.query("commit");
  holding.release();
  await Promise.all([signing, recovering]);
  expect(await refusalOf(thief.call(calls.readSession))).toMatchObject({ code: "not_signed_in" });
});

test("strangers who guess at a password do not keep who is signed in from proving themselves", async () => {
  const { addOfficePerson: add, openBrowser: open } = limited;
  const { email: Email, password: Password, code, secret } = await add();
  const browser = open();
  await browser.call(calls.signIn, { Email, Password, Code: code() });
  for (let n = 0; n < 11; n += 1)
    await refusalOf(open().call(calls.signIn, { Email, Password: "wrong horse battery", Code: "000000" }));
  expect(await refusalOf(open().call(calls.signIn, { Email, Password, Code: code() }))).toMatchObject({
    code: "too_many",
  });
  const Code = totpCode(secret, totpStep(limited.clock.now) + 1);
  await browser.call(calls.prove, { Password, Code });
  // Guesses of a stolen session are counted, too.
  const guess = () => refusalOf(browser.call(calls.prove, { Password: "wrong horse battery", Code }));
  for (let n = 0; n < 10; n += 1) expect(await guess()).toMatchObject(wrong);
  expect(await guess()).toMatchObject({ code: "too_many" });
});
