import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { manageStaff } from "#commands/manage-staff.server.ts";
import { locales } from "#i18n/locale.ts";
import { totpCode, totpStep } from "#office/sign-in/credentials/totp.server.ts";
import * as teamCalls from "#office/team/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { createAuthenticator } from "#testing/services/authenticator.server.ts";
import * as calls from "./calls.ts";

const { addOfficePerson, clock, database, emails, openBrowser, openOffice, openShop, pins, settings } =
  await openTestOffice();
const start = clock.now;
beforeEach(() => {
  clock.now = start;
});
const staff = (...words: string[]) => manageStaff({ database, pins, settings, now: clock.now }, words);
const Password = "correct horse battery";

async function mailedTo(email: string): Promise<string> {
  const url = (await emails(email)).at(-1)?.links.find((link) => link.includes("/office/invitation")) ?? "";
  return new URL(url).searchParams.get("token") ?? "";
}

const codeOf = (uri: string) => totpCode(new URL(uri).searchParams.get("secret") ?? "", totpStep(clock.now));
const hoursLater = (hours: number) => new Date(start.getTime() + hours * 3_600_000);

test("the first owner comes in by a command, an email, a password and a first code", async () => {
  const email = "anne.roy@cercle.example";
  await staff("invite", "Anne.Roy@Cercle.example", "owner");
  const Token = await mailedTo(email);
  const browser = openBrowser();
  const who = { Email: email, Firstname: "Anne", Lastname: "Roy", Role: "owner" };
  expect(await browser.call(calls.validateInvitation, { Token })).toEqual(who);
  const set = await browser.call(calls.acceptInvitation, { Token, Password, Lastname: "Leroy" });
  expect(set.OtpauthUri).toContain("anne.roy");
  expect(set.QrSvg).toMatch(/^<svg/);
  const wrong = await refusalOf(browser.call(calls.confirmInvitation, { Token, Code: "000000" }));
  expect(wrong).toMatchObject({ code: "invalid" });
  expect(browser.cookies.size).toBe(0);
  const Code = codeOf(set.OtpauthUri);
  expect(await browser.call(calls.confirmInvitation, { Token, Code })).toMatchObject({ ...who, Lastname: "Leroy" });
  expect(await browser.call(calls.readSession)).toMatchObject({ Email: email, Role: "owner" });
  // Used up.
  for (const again of [
    () => browser.call(calls.validateInvitation, { Token }),
    () => browser.call(calls.acceptInvitation, { Token, Password }),
    () => browser.call(calls.confirmInvitation, { Token, Code }),
  ])
    expect(await refusalOf(again())).toMatchObject({ code: "link_expired" });
  const { rows } = await database.execute<{ text: string; id: number }>(
    sql`select id, row_to_json(staff)::text as text from staff where email = ${email}`,
  );
  const secret = new URL(set.OtpauthUri).searchParams.get("secret") ?? "";
  for (const plain of [secret, Buffer.from(secret).toString("hex"), Password])
    expect(rows[0]?.text).not.toContain(plain);
  const log = await database.execute(sql`select action from audit_log where staff_id = ${rows[0]?.id} order by id`);
  expect(log.rows).toEqual([{ action: "staff_invited" }, { action: "staff_accepted" }]);
});

test("an invitation works for 24 hours, ends with the next one, and nothing works before the first code", async () => {
  const email = "paul@cercle.example";
  await staff("invite", email, "service", "en");
  const first = await mailedTo(email);
  clock.now = hoursLater(23.9);
  const { call, cookies } = openBrowser();
  await call(calls.acceptInvitation, { Token: first, Password });
  clock.now = hoursLater(24);
  expect(await refusalOf(call(calls.validateInvitation, { Token: first }))).toMatchObject({ code: "link_expired" });
  await staff("invite", email, "service");
  const second = await mailedTo(email);
  await staff("invite", email, "service");
  expect(await refusalOf(call(calls.validateInvitation, { Token: second }))).toMatchObject({ code: "link_expired" });
  const Token = await mailedTo(email);
  expect(await refusalOf(call(calls.confirmInvitation, { Token, Code: "123456" }))).toMatchObject({
    code: "link_expired",
  });
  await staff("end", email);
  expect(await refusalOf(call(calls.validateInvitation, { Token }))).toMatchObject({ code: "link_expired" });
  expect(cookies.size).toBe(0);
});

test("an invitation is accepted once, by whichever of two requests is first", async () => {
  const email = "two@cercle.example";
  await staff("invite", email, "marketing");
  const Token = await mailedTo(email);
  const { OtpauthUri } = await openBrowser().call(calls.acceptInvitation, { Token, Password });
  const confirm = () => openBrowser().call(calls.confirmInvitation, { Token, Code: codeOf(OtpauthUri) });
  const ended = await Promise.allSettled([confirm(), confirm(), confirm()]);
  expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a password of a person has twelve characters or more", async () => {
  await staff("invite", "short@cercle.example", "service");
  const Token = await mailedTo("short@cercle.example");
  const { browse, call } = openBrowser();
  const body = new URLSearchParams({ Token, Password: "elevenchars" });
  const short = await browse("/api/office/invitation", { method: "POST", body });
  expect((await short.json()).errors).toMatchObject([{ field: "Password", code: "staff_password_length" }]);
  await call(calls.acceptInvitation, { Token, Password: "twelve chars" });
});

test("the email is written in each language, and leads to its page there", async () => {
  for (const locale of locales) {
    const email = `${locale}@cercle.example`;
    await staff("invite", email, "marketing", locale);
    const [mail] = await emails(email);
    expect(mail).toMatchObject({ locale });
    expect(mail?.links[0]).toContain(locale === "fr" ? "/office/invitation?token=" : `/${locale}/office/invitation?`);
  }
});

test("what cannot be invited is refused in plain words", async () => {
  const { shopId } = await openShop();
  await expect(staff("invite", "x@cercle.example")).rejects.toThrow("Usage:");
  await expect(staff("invite", "x", "owner")).rejects.toThrow("no e-mail address");
  await expect(staff("invite", "x@cercle.example", "boss")).rejects.toThrow("The role is one of");
  await expect(staff("invite", "x@cercle.example", "shop")).rejects.toThrow("IDSHOP");
  await expect(staff("invite", "x@cercle.example", "owner", "1", "it")).rejects.toThrow("Usage:");
  await staff("invite", "x@cercle.example", "shop", String(shopId), "de");
  await expect(staff("invite", "x@cercle.example", "owner")).rejects.toThrow(`has the role shop of shop ${shopId}`);
  await staff("end", "x@cercle.example");
  await expect(staff("invite", "x@cercle.example", "shop", String(shopId))).rejects.toThrow("no longer works here");
});

test("who is ended and invited again comes in by the invitation alone, however they were ended", async () => {
  const owner = await openOffice("owner");
  const ways: [string, (person: { id: number; email: string }) => Promise<unknown>][] = [
    ["the office", ({ id }) => owner.call(teamCalls.endPerson, { IdStaff: String(id) })],
    ["a command", ({ email }) => staff("end", email)],
    // As it was before the password ended too.
    ["long ago", ({ id }) => database.execute(sql`update staff set ended_at = now() where id = ${id}`)],
  ];
  for (const [way, end] of ways) {
    const person = await addOfficePerson("service");
    const { email: Email, password: Password, code } = person;
    const phone = createAuthenticator({ origin: settings.publicUrl.origin });
    const browser = openBrowser();
    await browser.call(calls.signIn, { Email, Password, Code: code() });
    await browser.call(calls.addPasskey, { Response: phone.create(await browser.call(calls.newPasskeyOptions)) });
    await end(person);
    const back = { IdStaff: String(person.id), Email, Firstname: "Lou", Lastname: "Garnier", Role: "owner" as const };
    await owner.call(teamCalls.invitePerson, back);
    clock.now = new Date(start.getTime() + 60_000);
    const byCode = openBrowser().call(calls.signIn, { Email, Password, Code: code() });
    expect({ way, ...(await refusalOf(byCode)) }).toMatchObject({ way, code: "wrong_office_login" });
    const stranger = openBrowser();
    const byPasskey = stranger.call(calls.signInWithPasskey, {
      Response: phone.get(await stranger.call(calls.passkeyOptions)),
    });
    expect({ way, ...(await refusalOf(byPasskey)) }).toMatchObject({ way, code: "passkey_invalid" });
    expect({ way, ...(await refusalOf(browser.call(calls.readSession))) }).toMatchObject({
      way,
      code: "not_signed_in",
    });
    clock.now = start;
  }
});
