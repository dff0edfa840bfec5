import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  askEmailAvailable,
  cancelEmailChange,
  changeEmail,
  eraseCustomer,
  exportCustomer,
  linkFacebook,
  readCustomer,
  readPendingEmail,
  resetPassword,
  signInWithEmail,
  stopEmailChange,
  verifyEmail,
} from "#identity/calls.ts";
import { listEvents, obtainEvent, readHistory, readLoyalty, subscribe } from "#loyalty/calls.ts";
import { invariants } from "#loyalty/ledger/invariants/invariants.server.ts";
import {
  emailsTo,
  enter,
  form,
  freshEmail,
  guestForm,
  mailedToken,
  password,
  registrationForm,
  resetLinks,
} from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { freshPerson, socialTools } from "#testing/services/social.server.ts";

const product = await openTestProduct();
const { call, as, fetch, database } = product;
const social = socialTools(product);
const newsletter = "4";
const fresh = { Password: "nouveau-1", ConfirmPassword: "nouveau-1" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const askForLink = resetLinks({ call, database, jobs: product.product.jobs });
const stopToken = (email: string) => mailedToken(database, email, "/account/email/stop");
const post = async (path: string, fields: object, token?: string) =>
  fetch(path, { ...form(fields), ...(token && { headers: bearer(token) }) });
const codeOf = async (response: Response) => [response.status, (await response.json()).code];

/** A customer whose address is verified. */
async function enterVerified() {
  const owner = await enter(call);
  await as(owner.Token)(verifyEmail, { Token: await mailedToken(database, owner.email, "/account/email") });
  return { ...owner, as: as(owner.Token), id: owner.Customer.IdCustomer };
}

/** The same, after a change to a new address that is confirmed. */
async function change(owner: { as: ReturnType<typeof as> }) {
  const Email = freshEmail("nouvelle");
  await owner.as(changeEmail, { Email });
  await owner.as(verifyEmail, { Token: await mailedToken(database, Email) });
  return Email;
}

test.each([
  ["fr", "Confirmez votre nouvelle adresse e-mail", "Votre adresse e-mail va changer"],
  ["en", "Confirm your new email address", "Your email address is about to change"],
  ["de", "Bestätigen Sie Ihre neue E‑Mail-Adresse", "Ihre E‑Mail-Adresse wird geändert"],
])(
  "the address changes when the link to the new one is used, and the current one is told before, in %s",
  async (LanguageIsoCode, toNew, toCurrent) => {
    const owner = await enterVerified();
    const Email = freshEmail("nouvelle");
    expect(await owner.as(changeEmail, { Email: ` ${Email.toUpperCase()} `, LanguageIsoCode })).toEqual({});
    expect((await emailsTo(database, Email)).map(({ content: mail }) => mail.subject)).toEqual([toNew]);
    const notice = (await emailsTo(database, owner.email)).at(-1)?.content;
    expect(notice?.subject).toBe(toCurrent);
    // The email to the current address names the new one only as its owner would recognise it.
    expect(notice?.text).toContain("n•••@exemple.fr");
    expect(notice?.text).not.toContain(Email);
    expect((await owner.as(readCustomer)).Email).toBe(owner.email);
    expect((await owner.as(readPendingEmail)).Pending?.Email).toBe(Email);
    const Token = await mailedToken(database, Email);
    expect(await owner.as(verifyEmail, { Token })).toMatchObject({ Email, EmailVerified: true });
    expect((await owner.as(readPendingEmail)).Pending).toBeNull();
    await call(signInWithEmail, { Email, Password: password });
    await expect(call(signInWithEmail, { Email: owner.email, Password: password })).rejects.toThrow("401");
    expect(await codeOf(await post("/api/customer/email/verify", { Token }, owner.Token))).toEqual([
      409,
      "link_expired",
    ]);
  },
);

test("a change needs the password, or a sign-in of the last five minutes", async () => {
  const owner = await enterVerified();
  await database.execute(
    sql`update session set proved_at = now() - interval '6 minutes' where customer_id = ${owner.id}`,
  );
  const Email = freshEmail();
  const ask = (more: object) => post("/api/customer/email", { Email, ...more }, owner.Token);
  expect(await codeOf(await ask({}))).toEqual([401, "proof_needed"]);
  expect((await ask({ Password: "faux-mot" })).status).toBe(400);
  expect(await emailsTo(database, Email)).toEqual([]);
  expect((await ask({ Password: password })).status).toBe(200);
});

test("a taken address, the same address and a guest are refused", async () => {
  const owner = await enterVerified();
  const other = await enter(call);
  expect(await codeOf(await post("/api/customer/email", { Email: other.email }, owner.Token))).toEqual([
    409,
    "email_taken",
  ]);
  const same = await (await post("/api/customer/email", { Email: owner.email }, owner.Token)).json();
  expect(same.errors).toMatchObject([{ field: "Email", code: "same_email", message: "C’est déjà votre adresse" }]);
  const guest = await enter(call, guestForm());
  expect(await codeOf(await post("/api/customer/email", { Email: freshEmail() }, guest.Token))).toEqual([
    403,
    "forbidden",
  ]);
});

test("an address registered in the meantime is refused, and the link stays good", async () => {
  const owner = await enterVerified();
  const Email = freshEmail("nouvelle");
  await owner.as(changeEmail, { Email });
  const Token = await mailedToken(database, Email);
  const other = await enter(call, registrationForm({ Email }));
  expect(await codeOf(await post("/api/customer/email/verify", { Token }, owner.Token))).toEqual([409, "email_taken"]);
  await as(other.Token)(eraseCustomer, { Password: password });
  await owner.as(verifyEmail, { Token });
});

test("only the signed-in customer confirms: a mistyped address gives nobody the account", async () => {
  const owner = await enterVerified();
  const Email = freshEmail("faute");
  await owner.as(changeEmail, { Email });
  const Token = await mailedToken(database, Email);
  const somebody = await enter(call);
  for (const token of [undefined, somebody.Token])
    for (const more of [{}, fresh])
      expect(await codeOf(await post("/api/customer/email/verify", { Token, ...more }, token))).toEqual([
        401,
        "not_signed_in",
      ]);
  // Nor a session that a person put into the browser.
  const handed = await post("/api/customer/autologin", { Email: owner.email, Token: owner.Token });
  const { AuthData } = await handed.json();
  expect((await post("/api/customer/email/verify", { Token }, AuthData.Token)).status).toBe(401);
  await owner.as(verifyEmail, { Token });
});

test("sessions stay, other pending links end; a second request ends the first", async () => {
  const owner = await enterVerified();
  const phone = await call(signInWithEmail, { Email: owner.email, Password: password });
  const first = freshEmail("premiere");
  await owner.as(changeEmail, { Email: first });
  const firstToken = await mailedToken(database, first);
  const reset = await askForLink(owner.email);
  const Email = await change(owner);
  expect((await as(phone.AuthData.Token)(readCustomer)).Email).toBe(Email);
  expect(await codeOf(await post("/api/customer/password/reset", { Token: reset, ...fresh }))).toEqual([
    409,
    "link_expired",
  ]);
  expect((await post("/api/customer/email/verify", { Token: firstToken }, owner.Token)).status).toBe(409);
});

test("a change that is asked for can be cancelled while signed in, and ends with a reset", async () => {
  const owner = await enterVerified();
  const Email = freshEmail("nouvelle");
  await owner.as(changeEmail, { Email });
  const cancelled = await mailedToken(database, Email);
  await owner.as(cancelEmailChange);
  expect((await owner.as(readPendingEmail)).Pending).toBeNull();
  await owner.as(changeEmail, { Email });
  const reset = await mailedToken(database, Email);
  await call(resetPassword, { Token: await askForLink(owner.email), ...fresh });
  const { AuthData } = await call(signInWithEmail, { Email: owner.email, Password: fresh.Password });
  for (const Token of [cancelled, reset])
    expect((await post("/api/customer/email/verify", { Token }, AuthData.Token)).status).toBe(409);
  // Nothing is left to stop.
  const Token = await stopToken(owner.email);
  expect(await codeOf(await post("/api/customer/email/stop", { Token }))).toEqual([409, "link_expired"]);
  await as(AuthData.Token)(readCustomer);
});

test("the current address stops a change: sessions, links and the password end, and an email leads to a new one", async () => {
  const owner = await enterVerified();
  const Email = freshEmail("voleur");
  await owner.as(changeEmail, { Email });
  const Token = await stopToken(owner.email);
  expect(await call(stopEmailChange, { Token })).toEqual({});
  expect((await post("/api/customer/email/verify", { Token: await mailedToken(database, Email) })).status).toBe(409);
  await expect(owner.as(readCustomer)).rejects.toThrow("401");
  await expect(call(signInWithEmail, { Email: owner.email, Password: password })).rejects.toThrow("401");
  await call(resetPassword, { Token: await mailedToken(database, owner.email, "/reinitialiser"), ...fresh });
  await call(signInWithEmail, { Email: owner.email, Password: fresh.Password });
  // Once only.
  expect((await post("/api/customer/email/stop", { Token })).status).toBe(409);
});

test("the old address undoes a change made from a stolen session, whatever was done with the account since", async () => {
  const owner = await enterVerified();
  const thief = as((await call(signInWithEmail, { Email: owner.email, Password: password })).AuthData.Token);
  const first = await change({ as: thief });
  await thief(linkFacebook, await social.facebookProof(freshPerson()));
  // The thief moves on, and resets the password by the new address: the owner's email stays good.
  await call(resetPassword, { Token: await askForLink(first), ...fresh });
  const again = as((await call(signInWithEmail, { Email: first, Password: fresh.Password })).AuthData.Token);
  const second = await change({ as: again });
  const thiefsStop = await stopToken(first);
  // No one can take the old address in the meantime.
  expect(await call(askEmailAvailable, { Email: owner.email })).toEqual({ Available: false });
  const taken = await post("/api/customer", registrationForm({ Email: owner.email }));
  expect(await codeOf(taken)).toEqual([409, "email_taken"]);
  expect((await again(exportCustomer)).HeldEmails.map((held) => held.Email).sort()).toEqual(
    [owner.email, first].sort(),
  );
  await call(stopEmailChange, { Token: await stopToken(owner.email) });
  await expect(again(readCustomer)).rejects.toThrow("401");
  for (const Email of [first, second]) {
    await expect(call(signInWithEmail, { Email, Password: fresh.Password })).rejects.toThrow("401");
    expect(await call(askEmailAvailable, { Email })).toEqual({ Available: true });
  }
  // What the thief was mailed undoes nothing.
  expect((await post("/api/customer/email/stop", { Token: thiefsStop })).status).toBe(409);
  await call(resetPassword, { Token: await mailedToken(database, owner.email, "/reinitialiser"), ...fresh });
  const { AuthData } = await call(signInWithEmail, { Email: owner.email, Password: fresh.Password });
  expect(AuthData.Customer).toMatchObject({ IdCustomer: owner.id, Email: owner.email, SocialLogins: [] });
});

test("an old address that nobody had verified can stop a change, and not undo it", async () => {
  const owner = await enter(call);
  const first = freshEmail("voulue");
  await as(owner.Token)(changeEmail, { Email: first });
  await call(stopEmailChange, { Token: await stopToken(owner.email) });
  // The person who registered stays signed in: the address may be a typing error.
  expect(await as(owner.Token)(readPendingEmail)).toEqual({ Pending: null });
  const Email = await change({ as: as(owner.Token) });
  expect((await as(owner.Token)(readCustomer)).Email).toBe(Email);
  expect((await post("/api/customer/email/stop", { Token: await stopToken(owner.email) })).status).toBe(409);
  await enter(call, registrationForm({ Email: owner.email }));
});

test("two browsers that use the link at once change the address once", async () => {
  const owner = await enterVerified();
  const Email = freshEmail("nouvelle");
  await owner.as(changeEmail, { Email });
  const Token = await mailedToken(database, Email);
  const all = await Promise.all(
    Array.from({ length: 6 }, async () => (await post("/api/customer/email/verify", { Token }, owner.Token)).status),
  );
  expect(all.sort()).toEqual([200, 409, 409, 409, 409, 409]);
});

test("no change asked for in a loop survives the owner's reset", async () => {
  for (let round = 0; round < 3; round += 1) {
    const owner = await enterVerified();
    const link = await askForLink(owner.email);
    let going = true;
    let asked = 0;
    const loops = Array.from({ length: 6 }, async () => {
      while (going) {
        const response = await post("/api/customer/email", { Email: freshEmail("voleur") }, owner.Token);
        expect(response.status).toBeLessThan(500);
        if (response.status === 200) asked += 1;
      }
    });
    await expect.poll(() => asked, { interval: 1 }).toBeGreaterThan(1);
    await call(resetPassword, { Token: link, ...fresh });
    going = false;
    await Promise.all(loops);
    const { AuthData } = await call(signInWithEmail, { Email: owner.email, Password: fresh.Password });
    expect(await as(AuthData.Token)(readPendingEmail)).toEqual({ Pending: null });
  }
});

test("guests of the new address join the customer, and the welcome gift is not given twice", async () => {
  const owner = await enterVerified();
  await owner.as(subscribe);
  const guest = await enter(call, guestForm({ Email: freshEmail("nouvelle") }));
  await owner.as(changeEmail, { Email: guest.email });
  await owner.as(verifyEmail, { Token: await mailedToken(database, guest.email, "/account/email") });
  expect((await owner.as(exportCustomer)).Addresses).toHaveLength(1);
  for (const { name, violations } of invariants)
    expect({ name, rows: (await database.execute(sql.raw(violations))).rows }).toEqual({ name, rows: [] });
  await owner.as(eraseCustomer, { Password: password });
  for (const Email of [owner.email, guest.email]) {
    const back = await enter(call, registrationForm({ Email }));
    expect((await as(back.Token)(subscribe)).Points.Available).toBe(0);
  }
});

test("of accounts that were made with invented addresses, one keeps gift and bonuses in a mailbox", async () => {
  const mailbox = `lou.${randomBytes(5).toString("hex")}`;
  const addressed = async (n: number) => {
    const invented = await enter(call, registrationForm({ Email: freshEmail("invented"), NewletterActive: "true" }));
    const own = as(invented.Token);
    await own(subscribe);
    await own(obtainEvent, { IdLoyaltyProgramEvent: newsletter });
    const Email = `${mailbox}+${n}@exemple.fr`;
    await own(changeEmail, { Email });
    return { own, confirm: async () => own(verifyEmail, { Token: await mailedToken(database, Email) }), Email };
  };
  const [first, ...others] = await Promise.all([1, 2, 3].map(addressed));
  await first?.confirm();
  expect((await first?.own(readLoyalty))?.Points.Available).toBe(300);
  await Promise.all(others.map(({ confirm }) => confirm()));
  for (const { own, Email } of others) {
    expect((await own(readLoyalty)).Points).toMatchObject({ Available: 0, Debt: 0, EarnedLast12Months: 0 });
    expect((await own(listEvents)).Events.map(({ State }) => State)).not.toContain("available");
    const { Entries } = await own(readHistory);
    expect(Entries.slice(0, 2).map(({ Label }) => Label)).toEqual(Array(2).fill("Cadeau reçu deux fois, repris"));
    expect((await emailsTo(database, Email)).at(-1)?.content.text).not.toContain("250");
  }
  // Another spelling of one's own mailbox, or an address that was mistyped, changes nothing.
  const typo = await enter(call, registrationForm({ Email: `${mailbox}+typo@exemple.org` }));
  await as(typo.Token)(subscribe);
  const Email = `${mailbox}@exemple.org`;
  await as(typo.Token)(changeEmail, { Email });
  await as(typo.Token)(verifyEmail, { Token: await mailedToken(database, Email) });
  expect((await as(typo.Token)(readLoyalty)).Points.Available).toBe(250);
  for (const { name, violations } of invariants)
    expect({ name, rows: (await database.execute(sql.raw(violations))).rows }).toEqual({ name, rows: [] });
});
