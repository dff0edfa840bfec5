import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { manageStaff } from "#commands/manage-staff.server.ts";
import * as customers from "#office/customers/calls.ts";
import * as calls from "#office/sign-in/calls.ts";
import { totpCode, totpStep } from "#office/sign-in/credentials/totp.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { type Employee, openCompanyProvider } from "#testing/company-provider.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { emailsTo } from "#testing/people.server.ts";
import { createAuthenticator } from "#testing/services/authenticator.server.ts";
import { companyPath } from "./paths.ts";

const emergency = "office-1@cercle.example";
const company = await openCompanyProvider({ redirectUri: `http://localhost:3000${companyPath}/callback` });
afterAll(() => company.close());
const environment = {
  STAFF_SSO_ISSUER: company.issuer,
  STAFF_SSO_CLIENT_ID: "cercle",
  STAFF_SSO_CLIENT_SECRET: "company secret",
  STAFF_SSO_DOMAINS: "cercle.example",
  STAFF_SSO_ROLES: JSON.stringify({
    owners: "owner",
    service: "service",
    "boutique-1": "shop:1",
    "boutique-9": "shop:9999",
  }),
};
const { addMember, addOfficePerson, clock, database, openBrowser, openShop, settings } =
  await openTestOffice(environment);
const strict = await openTestOffice({
  ...{ ...environment, STAFF_SSO: "required", STAFF_SSO_EMERGENCY_OWNER: emergency },
});
await openShop();

let hired = 0;
function hire(groups: string[], changes: Partial<Employee> = {}): Employee {
  hired += 1;
  const names = { given_name: "Ada", family_name: "Novak" };
  return { sub: `employee-${hired}`, email: `ada-${hired}@cercle.example`, ...names, groups, ...changes };
}

type Browser = ReturnType<typeof openBrowser>;
const pathOf = ({ pathname, search }: URL) => pathname + search;

/** From our page to the provider and back; the address that the browser is sent to at last. */
async function visit(browser: Browser, employee: Employee, query = "", atProvider = company.openBrowser()) {
  const begun = await browser.browse(`${companyPath}${query}`);
  const back = await atProvider(begun.headers.get("location") ?? "", employee);
  const response = await browser.browse(pathOf(back));
  return { back, to: new URL(response.headers.get("location") ?? "", "http://localhost:3000") };
}
const signedIn = async (employee: Employee) => {
  const browser = openBrowser();
  await visit(browser, employee);
  return browser;
};
const session = (browser: Browser) => browser.call(calls.readSession);
const minutes = (count: number) => {
  clock.now = new Date(clock.now.getTime() + count * 60_000);
};
const countStaff = async ({ email }: Employee) =>
  (await database.execute(sql`select from staff where email = ${email}`)).rows.length;

test("the provider's groups decide role and shop, at every sign-in; the first mapping that fits counts", async () => {
  const employee = hire(["somewhere", "boutique-1"]);
  const browser = await signedIn(employee);
  expect(await session(browser)).toMatchObject({ Role: "shop", IdShop: 1, Firstname: "Ada", Email: employee.email });
  const promoted = await signedIn({ ...employee, groups: ["boutique-1", "service"] });
  expect(await session(promoted)).toMatchObject({ Role: "service", IdShop: null });
  expect(await countStaff(employee)).toBe(1);
});

test.each([
  ["no group", hire([])],
  ["a group that is not mapped", hire(["owner", "Owners", "__proto__", "toString"])],
  ["a group of a shop that does not exist", hire(["boutique-9"])],
  ["an address of another domain", hire(["owners"], { email: "ada@evil.example" })],
  ["a domain that only ends alike", hire(["owners"], { email: "ada@not-cercle.example" })],
  ["two at signs", hire(["owners"], { email: "ada@evil.example@cercle.example" })],
  ["an address that is not verified", hire(["owners"], { email_verified: false })],
  ["an address that is not verified, in words", hire(["owners"], { email_verified: "false" })],
])("a person with %s gets no access and no account", async (_, employee) => {
  const browser = openBrowser();
  const { to } = await visit(browser, employee);
  expect(to.searchParams.get("company")).toBe("no_access");
  expect(browser.cookies.get("staff.token")).toBeUndefined();
  expect(await countStaff(employee)).toBe(0);
});

test("an account with the same address is not taken over: it is linked after a fresh proof on both sides", async () => {
  const person = await addOfficePerson("service");
  const employee = hire(["service"], { email: person.email });
  const { to } = await visit(openBrowser(), employee);
  expect(to.searchParams.get("company")).toBe("not_linked");
  // A second account of one person would be a second pair of eyes: a namesake who is not linked must be cleared up first.
  const namesake = hire(["service"], { given_name: "LOU", family_name: "Garnier" });
  expect((await visit(openBrowser(), namesake)).to.searchParams.get("company")).toBe("not_linked");

  const browser = openBrowser();
  const signIn = { Email: person.email, Password: person.password, Code: person.code() };
  await browser.call(calls.signIn, signIn);
  minutes(6);
  expect(await refusalOf(browser.call(calls.companyLink))).toMatchObject({ code: "proof_needed" });
  minutes(1);
  await browser.call(calls.prove, { Password: person.password, Code: person.code() });
  const atProvider = company.openBrowser();
  const { Url } = await browser.call(calls.companyLink);
  expect(new URL(Url).searchParams.get("prompt")).toBe("login");
  expect(new URL(Url).searchParams.get("max_age")).toBe("0");
  const back = await atProvider(Url, employee);
  await browser.browse(pathOf(back));
  expect(await browser.call(calls.listPasskeys)).toMatchObject({ CompanyLinked: true });
  expect(await session(await signedIn(employee))).toMatchObject({ IdStaff: person.id });

  // Neither a second account there, nor a second person here.
  const again = await browser.call(calls.companyLink);
  const second = await company.openBrowser()(again.Url, hire(["service"]));
  const response = await browser.browse(pathOf(second));
  expect(response.headers.get("location")).toContain("company=not_linked");
});

test("losing the group ends access within 15 minutes, a changed one changes the role", async () => {
  const employee = hire(["owners"]);
  const [browser, elsewhere] = [await signedIn(employee), await signedIn(employee)];
  company.employees.set(employee.sub, { ...employee, groups: ["service"] });
  minutes(9);
  expect(await session(browser)).toMatchObject({ Role: "owner" });
  minutes(2);
  expect(await session(browser)).toMatchObject({ Role: "service" });
  company.employees.set(employee.sub, { ...employee, groups: [] });
  minutes(11);
  // Of several requests at once one asks, with a refresh token that works once.
  await Promise.allSettled(Array.from({ length: 5 }, () => session(browser)));
  for (const one of [browser, elsewhere])
    expect(await refusalOf(session(one))).toMatchObject({ code: "not_signed_in" });
});

test("a session that the provider has ended ends here; a provider that does not respond is waited for, 15 minutes", async () => {
  const employee = hire(["owners"]);
  const browser = await signedIn(employee);
  company.employees.delete(employee.sub);
  minutes(11);
  expect(await refusalOf(session(browser))).toMatchObject({ code: "not_signed_in" });

  const other = await signedIn(hire(["owners"]));
  company.pause();
  minutes(11);
  expect(await session(other)).toMatchObject({ Role: "owner" });
  minutes(5);
  expect(await refusalOf(session(other))).toMatchObject({ code: "unavailable" });
  company.resume();
  minutes(1);
  expect(await session(other)).toMatchObject({ Role: "owner" });
});

test("a fresh proof at the provider must be of the same person", async () => {
  const [employee, colleague] = [hire(["owners"]), hire(["owners"])];
  const browser = await signedIn(employee);
  await signedIn(colleague);
  const provedAt = async () => {
    const { rows } = await database.execute<{ proved_at: Date }>(sql`
      select proved_at from staff_session s join staff p on p.id = s.staff_id where p.email = ${employee.email}`);
    return new Date(rows[0]?.proved_at ?? 0).getTime();
  };
  const before = await provedAt();
  minutes(5);
  const { to } = await visit(browser, colleague, "?for=proof");
  expect(to.searchParams.get("company")).toBe("not_linked");
  expect(await provedAt()).toBe(before);
  await visit(browser, employee, "?for=proof&goTo=/office/customers");
  expect(await provedAt()).toBe(clock.now.getTime());
});

test("a password, a passkey and an old session do not outlive the group: who has linked signs in by the company account alone", async () => {
  const person = await addOfficePerson("service");
  const employee = hire(["service"]);
  const before = openBrowser();
  await before.call(calls.signIn, { Email: person.email, Password: person.password, Code: person.code() });
  const phone = createAuthenticator({ origin: settings.publicUrl.origin });
  await before.call(calls.addPasskey, { Response: phone.create(await before.call(calls.newPasskeyOptions)) });
  await before.browse(pathOf(await company.openBrowser()((await before.call(calls.companyLink)).Url, employee)));
  const browser = await signedIn(employee);

  minutes(1);
  const signIn = { Email: person.email, Password: person.password, Code: person.code() };
  const other = openBrowser();
  const required = { code: "company_account_required", status: 403 };
  expect(await refusalOf(other.call(calls.signIn, signIn))).toMatchObject(required);
  const Response = phone.get(await other.call(calls.passkeyOptions));
  expect(await refusalOf(other.call(calls.signInWithPasskey, { Response }))).toMatchObject(required);

  await session(before);
  company.employees.set(employee.sub, { ...employee, groups: [] });
  minutes(11);
  for (const one of [browser, before]) expect(await refusalOf(session(one))).toMatchObject({ code: "not_signed_in" });
});

test("sessions by password do not outlive the group: the one that linked is checked from then on, others end with the link", async () => {
  const person = await addOfficePerson("service");
  const employee = hire(["service"]);
  const [linking, other] = [openBrowser(), openBrowser()];
  for (const one of [other, linking]) {
    await one.call(calls.signIn, { Email: person.email, Password: person.password, Code: person.code() });
    minutes(1);
  }
  await linking.browse(pathOf(await company.openBrowser()((await linking.call(calls.companyLink)).Url, employee)));
  expect(await session(linking)).toMatchObject({ IdStaff: person.id });
  expect(await refusalOf(session(other))).toMatchObject({ code: "not_signed_in" });
  company.employees.set(employee.sub, { ...employee, groups: [] });
  minutes(11);
  expect(await refusalOf(session(linking))).toMatchObject({ code: "not_signed_in" });
});

test("a password does not outlive the group at a provider whose name ends with a slash, however the setting spells it", async () => {
  const slashed = await openCompanyProvider({ redirectUri: `http://localhost:3000${companyPath}/callback`, path: "/" });
  try {
    for (const STAFF_SSO_ISSUER of [slashed.issuer, slashed.issuer.slice(0, -1)]) {
      const office = await openTestOffice({ ...environment, STAFF_SSO_ISSUER });
      const person = await office.addOfficePerson("service");
      const browser = office.openBrowser();
      await browser.call(calls.signIn, { Email: person.email, Password: person.password, Code: person.code() });
      const { Url } = await browser.call(calls.companyLink);
      await browser.browse(pathOf(await slashed.openBrowser()(Url, hire(["service"]))));
      expect(await browser.call(calls.listPasskeys)).toMatchObject({ CompanyLinked: true });
      office.clock.now = new Date(office.clock.now.getTime() + 60_000);
      const signIn = { Email: person.email, Password: person.password, Code: person.code() };
      expect(await refusalOf(office.openBrowser().call(calls.signIn, signIn))).toMatchObject({
        code: "company_account_required",
      });
    }
  } finally {
    slashed.close();
  }
});

test("a link that was begun in a session that has ended meanwhile links nothing", async () => {
  const person = await addOfficePerson("service");
  const browser = openBrowser();
  await browser.call(calls.signIn, { Email: person.email, Password: person.password, Code: person.code() });
  const { Url } = await browser.call(calls.companyLink);
  await browser.call(calls.signOut);
  const back = await company.openBrowser()(Url, hire(["service"]));
  expect((await browser.browse(pathOf(back))).headers.get("location")).toContain("company=not_linked");
  const { rows } = await database.execute(sql`select from staff_company_account where staff_id = ${person.id}`);
  expect(rows).toHaveLength(0);
});

test("four eyes are two people: one person with two sessions, by password and by company account, is one", async () => {
  const person = await addOfficePerson("owner");
  const employee = hire(["owners"]);
  const byPassword = openBrowser();
  await byPassword.call(calls.signIn, { Email: person.email, Password: person.password, Code: person.code() });
  const back = await company.openBrowser()((await byPassword.call(calls.companyLink)).Url, employee);
  await byPassword.browse(pathOf(back));
  const member = await addMember();
  const { IdRequest } = await byPassword.call(customers.eraseCustomer, {
    ...{ IdCustomer: member.id, Reason: "request", Note: "Asked in the shop" },
  });
  const byCompany = openBrowser();
  await visit(byCompany, employee);
  await visit(byCompany, employee, "?for=proof");
  expect(await refusalOf(byCompany.call(customers.approveRequest, { IdRequest }))).toMatchObject({
    code: "second_person",
  });
});

test("state, cookie and code belong together: what another browser began, or was used, signs no one in", async () => {
  const [browser, victim] = [openBrowser(), openBrowser()];
  const begun = await browser.browse(companyPath);
  const back = await company.openBrowser()(begun.headers.get("location") ?? "", hire(["owners"]));
  expect((await victim.browse(pathOf(back))).headers.get("location")).toContain("company=expired");
  await victim.browse(companyPath);
  expect((await victim.browse(pathOf(back))).headers.get("location")).toContain("company=failed");
  expect(victim.cookies.get("staff.token")).toBeUndefined();
  const cookie = browser.cookies.get("staff.company") ?? "";
  const mixedUp = new URL(back);
  mixedUp.searchParams.set("iss", "https://evil.example");
  expect((await browser.browse(pathOf(mixedUp))).headers.get("location")).toContain("company=failed");
  browser.cookies.set("staff.company", cookie);
  await browser.browse(pathOf(back));
  expect(browser.cookies.get("staff.token")).toBeDefined();
  browser.cookies.set("staff.company", cookie);
  expect((await browser.browse(pathOf(back))).headers.get("location")).toContain("company=failed");
});

test.each(["//evil.example/office", "https://evil.example/office", "/\\evil.example", "/officer", "/api/office"])(
  "goTo=%s does not lead away from the back office",
  async (goTo) => {
    const { to } = await visit(openBrowser(), hire(["owners"]), `?${new URLSearchParams({ goTo })}`);
    expect(to.href).toBe("http://localhost:3000/office");
  },
);

test("required: no password, no passkey and no invitation signs in but the emergency owner's, which raises an alarm", async () => {
  const owner = await strict.addOfficePerson("owner");
  const other = await strict.addOfficePerson("owner");
  expect(owner.email).toBe(emergency);
  const signIn = ({ email: Email, password: Password, code }: typeof owner) =>
    strict.openBrowser().call(calls.signIn, { Email, Password, Code: code() });
  expect(await refusalOf(signIn(other))).toMatchObject({ code: "company_account_required", status: 403 });
  expect(await refusalOf(signIn({ ...other, password: "wrong horse battery" }))).toMatchObject({
    code: "wrong_office_login",
  });
  await signIn(owner);
  const { rows } = await strict.database.execute<{ action: string }>(
    sql`select action from audit_log where staff_id = ${owner.id} order by id`,
  );
  expect(rows.map(({ action }) => action)).toEqual(["emergency_sign_in", "office_sign_in"]);
  for (const { email } of [owner, other])
    expect((await emailsTo(strict.database, email)).map(({ content }) => content.text).join()).toContain(emergency);

  const required = { code: "company_account_required", status: 403 };
  const keyed = await strict.openOffice("service");
  const phone = createAuthenticator({ origin: strict.settings.publicUrl.origin });
  await keyed.call(calls.addPasskey, { Response: phone.create(await keyed.call(calls.newPasskeyOptions)) });
  const browser = strict.openBrowser();
  const Response = phone.get(await browser.call(calls.passkeyOptions));
  expect(await refusalOf(browser.call(calls.signInWithPasskey, { Response }))).toMatchObject(required);

  const invited = "invited@cercle.example";
  const { pins, settings } = strict;
  await manageStaff({ database: strict.database, pins, settings, now: strict.clock.now }, [
    "invite",
    invited,
    "service",
  ]);
  const link = (await strict.emails(invited)).at(-1)?.links.find((one) => one.includes("/office/invitation")) ?? "";
  const Token = new URL(link).searchParams.get("token") ?? "";
  const { OtpauthUri } = await browser.call(calls.acceptInvitation, { Token, Password: "correct horse battery" });
  const Code = totpCode(new URL(OtpauthUri).searchParams.get("secret") ?? "", totpStep(strict.clock.now));
  expect(await refusalOf(browser.call(calls.confirmInvitation, { Token, Code }))).toMatchObject(required);
  expect(await refusalOf(session(browser))).toMatchObject({ code: "not_signed_in" });
});
