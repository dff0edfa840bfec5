import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { textsOf } from "#brand/texts.server.ts";
import { editCustomer, endOtherSessions, readCustomer, register, signInWithEmail } from "#identity/calls.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { sessions } from "#identity/session/session.tables.server.ts";
import type { Input } from "#platform/api/api.ts";
import { guestForm, password, registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

/** Forms as a browser without script sends them: the response is the page. */

const { as, call, database, fetch } = await openTestProduct();

const enter = (changes: Partial<Input<typeof register>> = {}) => enterWith(registrationForm(changes));

async function enterWith(form: Input<typeof register>) {
  const { AuthData } = await call(register, form);
  const cookie = `auth.token=${AuthData.Token}`;
  const open = async (path: string) => (await fetch(path, { headers: { cookie } })).text();
  const send = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(path, {
      method: "POST",
      headers: { cookie, origin: "http://localhost:3000" },
      body: new URLSearchParams(fields),
    });
    return { status: response.status, html: await response.text() };
  };
  return { id: AuthData.Customer.IdCustomer, call: as(AuthData.Token), email: AuthData.Customer.Email, open, send };
}

/** A field as it stands in the page, and what is in it. */
const fieldIn = (html: string, name: string) => new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(html)?.[0] ?? "";
const valueIn = (html: string, name: string) => / value="([^"]*)"/.exec(fieldIn(html, name))?.[1];

test("a refused profile comes back as it was typed: the birthday, no phone; so do refused choices of messages", async () => {
  const { call, send } = await enter({ MobilePhone: "+33612345678" });
  await call(editCustomer, { Firstname: "Léa", Lastname: "Martin", NewsletterSubscribe: true });
  const { status, html } = await send("/account/informations", {
    intent: "profile",
    Firstname: "",
    Lastname: "Martin",
    Birthday: "17/05/1990",
    MobilePhone: "",
  });
  expect(status).toBe(400);
  expect(valueIn(html, "Birthday")).toBe("17/05/1990");
  expect(valueIn(html, "MobilePhone")).toBe("");
  const choices = { intent: "messages", Firstname: "", Lastname: "Martin", NewsletterSmsSubscribe: "true" };
  const messages = (await send("/account/informations", choices)).html;
  expect(fieldIn(messages, "NewsletterSubscribe")).not.toContain("checked");
  expect(fieldIn(messages, "NewsletterSmsSubscribe")).toContain("checked");
});

test("a guest is offered the link that makes the account theirs, and nothing that would be refused", async () => {
  const { t } = textsOf.fr;
  const { open, send } = await enterWith(guestForm());
  for (const path of ["/account", "/account/informations", "/account/loyalty/subscribe"]) {
    const html = await open(path);
    expect(html, path).toContain(t("account.guest"));
    expect(html, path).not.toContain(t("account.unverified"));
    expect(html, path).not.toMatch(/value="(join|password|link-google)"/);
    expect(html, path).not.toContain(t("account.clubLink"));
    const sent = await send(path, { intent: "resend" });
    expect(sent, path).toMatchObject({ status: 200, html: expect.stringContaining(t("account.resent")) });
  }
});

test("who has not confirmed the address reads one message about it at a time", async () => {
  const { t } = textsOf.fr;
  const { open, send } = await enter({ LoyaltySubscribe: true });
  const count = (html: string, words: string) => html.split(words).length - 1;
  // Just joined: the congratulation says it too.
  const joined = await open("/account?joined");
  expect([count(joined, t("account.unverified")), count(joined, t("account.resend"))]).toEqual([1, 0]);
  for (const path of ["/account", "/account/informations", "/account/loyalty/subscribe?tab=vouchers"]) {
    const prompt = t(path.includes("subscribe") ? "member.confirmFirst" : "account.unverified");
    expect(count(await open(path), prompt), path).toBe(1);
    const { html } = await send(path, { intent: "resend" });
    expect([count(html, t("account.resent")), count(html, prompt)], path).toEqual([1, 0]);
  }
  const reward = { intent: "reward", IdempotencyKey: "page.reward", IdLoyaltyReward: "1" };
  const { html } = await send("/account/loyalty/subscribe", reward);
  // The page's data have the refusal; its text does not repeat it.
  const shown = html.replace(/<script[\s\S]*?<\/script>/g, "");
  expect(shown).toContain(t("member.confirmFirst"));
  expect(shown).not.toContain(t("refusal.email_unconfirmed"));
});

test("the password that a recent sign-in makes unnecessary is asked for only once that is too long ago", async () => {
  const { t } = textsOf.fr;
  const { id, open, send } = await enter();
  const asks = (html: string) =>
    (["emailPasswordHint", "passkeyPasswordHint", "socialPasswordHint"] as const).filter((hint) =>
      html.includes(t(`informations.${hint}`)),
    );
  expect(asks(await open("/account/informations"))).toEqual([]);
  const old = new Date(Date.now() - 6 * 60_000);
  await database.update(sessions).set({ provedAt: old }).where(eq(sessions.customerId, id));
  expect(asks(await open("/account/informations"))).toHaveLength(3);
  // The page was opened in time and sent too late: the refusal brings the field.
  const { html } = await send("/account/informations", { intent: "email", Email: "other@exemple.fr" });
  expect(html).toContain(t("field.required"));
});

test("a refused registration comes back as it was typed", async () => {
  const fields = { ...registrationForm({ Firstname: "" }), Birthday: "17/05/1990", LoyaltySubscribe: "true" };
  const response = await fetch("/authenticate/register", {
    method: "POST",
    headers: { origin: "http://localhost:3000" },
    body: new URLSearchParams(fields as Record<string, string>),
  });
  expect(response.status).toBe(400);
  const html = await response.text();
  expect(valueIn(html, "Birthday")).toBe("17/05/1990");
  expect(fieldIn(html, "LoyaltySubscribe")).toContain("checked");
  expect(html).not.toContain("secret-42");
});

test("a birthday refused on joining the club comes back as it was typed, and may be corrected under the page's key", async () => {
  const { id, send } = await enter();
  // A customer who registered through a provider has no birthday.
  await database.update(customers).set({ birthday: null }).where(eq(customers.id, id));
  const join = (CustomerBirthday: string) =>
    send("/account/loyalty/subscribe", { intent: "join", IdempotencyKey: "page.join", CustomerBirthday });
  const refused = await join("24/04/2190");
  expect(refused.status).toBe(400);
  expect(valueIn(refused.html, "CustomerBirthday")).toBe("24/04/2190");
  const joined = await join("24/04/1990");
  expect(joined.status).toBe(200);
  expect(joined.html).toContain(textsOf.fr.t("member.joined", { points: 250 }));
});

test.each(["/account", "/account/informations", "/account/loyalty/subscribe"])(
  "every form of %s has its ForCustomer field, for members and for others",
  async (path) => {
    for (const LoyaltySubscribe of ["true", "false"]) {
      const { id, open } = await enter({ LoyaltySubscribe });
      const html = await open(path);
      // Logging out does not depend on who is signed in.
      const forms = [...html.matchAll(/<form [^>]*method="post".*?<\/form>/gs)]
        .map(([form]) => form)
        .filter((form) => !/\?index"/.test(form));
      expect(forms.length).toBeGreaterThan(0);
      for (const form of forms) expect(valueIn(form, "ForCustomer"), form).toBe(String(id));
      for (const [link] of html.matchAll(/<a [^>]*wallet[^>]*>/g)) expect(link).toContain(`ForCustomer=${id}"`);
    }
  },
);

const profile = { intent: "profile", Firstname: "Annabelle", Lastname: "Martin", Birthday: "17/05/1990" };

test("a form made for another customer changes nothing, and stays the other's until the page is loaded again", async () => {
  const anna = await enter();
  const bruno = await enter({ Firstname: "Bruno" });
  const { status, html } = await bruno.send("/account/informations", { ...profile, ForCustomer: String(anna.id) });
  expect(status).toBe(409);
  expect(html).toContain(textsOf.fr.t("refusal.other_customer"));
  expect(html).toContain(textsOf.fr.t("account.sessionOf", { name: "Bruno" }));
  expect(valueIn(html, "Firstname")).toBe("Annabelle");
  const form = /<form(?:(?!<form).)* name="Firstname"/s.exec(html)?.[0] ?? "";
  expect(valueIn(form, "ForCustomer")).toBe(String(anna.id));
  expect((await bruno.call(readCustomer)).Firstname).toBe("Bruno");
});

test.each(["resend", "password", "device", "other-devices", "unlink-google", "erase"])(
  "the form %s of another customer's page is refused too",
  async (intent) => {
    const anna = await enter();
    const bruno = await enter();
    const fields = { intent, id: "1", CurrentPassword: password, Password: password, ConfirmPassword: password };
    const { status, html } = await bruno.send("/account/informations", { ...fields, ForCustomer: String(anna.id) });
    expect(status).toBe(409);
    expect(html).toContain(textsOf.fr.t("refusal.other_customer"));
  },
);

test("after the session ended, the page has what was typed, its ForCustomer field, a link to the sign-in, and nothing of the account", async () => {
  const { id, call, email, send } = await enter();
  const otherSession = as((await as()(signInWithEmail, { Email: email, Password: password })).AuthData.Token);
  await otherSession(endOtherSessions);
  await expect(call(readCustomer)).rejects.toMatchObject({ status: 401 });
  const { status, html } = await send("/account/informations", { ...profile, ForCustomer: String(id) });
  expect(status).toBe(401);
  expect(html).toContain(textsOf.fr.t("account.sessionEnded"));
  expect(html).toContain('href="/authenticate/login?loginGoTo=%2Faccount%2Finformations"');
  expect(valueIn(html, "Firstname")).toBe("Annabelle");
  expect(valueIn(html, "Birthday")).toBe("17/05/1990");
  expect(valueIn(html, "ForCustomer")).toBe(String(id));
  expect(html).not.toContain(email);

  const joining = {
    intent: "join",
    IdempotencyKey: "page.join",
    CustomerBirthday: "24/04/1990",
    ForCustomer: String(id),
  };
  const refused = await send("/account/loyalty/subscribe", joining);
  expect(refused.status).toBe(401);
  expect(valueIn(refused.html, "CustomerBirthday")).toBe("24/04/1990");
  expect(valueIn(refused.html, "IdempotencyKey")).toBe("page.join.");
  expect((await send("/account", { intent: "resend" })).html).toContain(textsOf.fr.t("account.sessionEnded"));
});
