import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { changeEmail, readCustomer, verifyEmail } from "#identity/calls.ts";
import { emailsTo, enter, form, freshEmail, guestForm, mailedToken, registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const product = await openTestProduct();
const { call, as, fetch, database, runJobs } = product;

async function enterVerified() {
  const owner = await enter(call);
  await as(owner.Token)(verifyEmail, { Token: await mailedToken(database, owner.email, "/account/email") });
  return owner;
}

/** Asks for a code; returns the cookie of the browser that asked. */
async function ask(Email: string, LanguageIsoCode = "fr") {
  const response = await fetch("/api/authentification/code/send", form({ Email, LanguageIsoCode }));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({});
  const [cookie = ""] = response.headers.getSetCookie();
  expect(cookie).toMatch(/^auth\.code=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  await runJobs();
  return { cookie: cookie.split(";")[0] ?? "" };
}

const newestEmail = async (email: string) => (await emailsTo(database, email)).at(-1)?.content;
const mailedCode = async (email: string) => /^\d{6}$/m.exec((await newestEmail(email))?.text ?? "")?.[0] ?? "";
const enterCode = (Email: string, Code: string, headers: Record<string, string>) =>
  fetch("/api/authentification/code", { ...form({ Email, Code }), headers });
const refusal = async (response: Response) => [response.status, (await response.json()).code];
const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

test.each([
  ["fr", /^\d{6} est votre code de connexion$/],
  ["en", /^\d{6} is your sign-in code$/],
  ["de", /^\d{6} ist Ihr Anmeldecode$/],
])("a mailed code signs in, once, in %s", async (language, subject) => {
  const owner = await enterVerified();
  const browser = await ask(owner.email, language);
  const mail = await newestEmail(owner.email);
  expect(mail?.subject).toMatch(subject);
  const code = await mailedCode(owner.email);
  const spaced = ` ${code.slice(0, 3)} ${code.slice(3)}`;
  const response = await enterCode(owner.email.toUpperCase(), spaced, browser);
  expect(response.status).toBe(200);
  const { AuthData } = await response.json();
  expect(AuthData.Customer.IdCustomer).toBe(owner.Customer.IdCustomer);
  expect(response.headers.getSetCookie().join()).toMatch(/auth\.code=; Max-Age=0.*auth\.token=/);
  await as(AuthData.Token)(readCustomer);
  // A recent sign-in: enough to add another way in.
  await as(AuthData.Token)(changeEmail, { Email: freshEmail() });
  expect(await refusal(await enterCode(owner.email, code, browser))).toEqual([401, "code_invalid"]);
});

test("another browser, no cookie, another address and an expired code are refused alike", async () => {
  const owner = await enterVerified();
  const other = await enterVerified();
  const browser = await ask(owner.email);
  const stranger = await ask(other.email);
  const code = await mailedCode(owner.email);
  for (const [email, headers] of [
    [owner.email, stranger],
    [owner.email, {}],
    [owner.email, { cookie: "auth.code=x" }],
    [other.email, browser],
    [freshEmail("inconnue"), browser],
  ] as const)
    expect(await refusal(await enterCode(email, code, { ...headers }))).toEqual([401, "code_invalid"]);
  // None of them used up a try of the owner's.
  for (let n = 0; n < 4; n += 1) await enterCode(owner.email, wrongFor(code), browser);
  await database.execute(sql`update sign_in_code set expires_at = now() - interval '1 second'`);
  expect((await enterCode(owner.email, code, browser)).status).toBe(401);
  await database.execute(sql`update sign_in_code set expires_at = now() + interval '1 minute'`);
  expect((await enterCode(owner.email, code, browser)).status).toBe(200);
});

test("five tries end a code, also all at once; the next one ends the one before", async () => {
  const owner = await enterVerified();
  const browser = await ask(owner.email);
  const code = await mailedCode(owner.email);
  const tries = Array.from({ length: 20 }, async () => (await enterCode(owner.email, wrongFor(code), browser)).status);
  expect(new Set(await Promise.all(tries))).toEqual(new Set([401]));
  expect((await enterCode(owner.email, code, browser)).status).toBe(401);
  const second = await ask(owner.email);
  const secondCode = await mailedCode(owner.email);
  const third = await ask(owner.email);
  expect((await enterCode(owner.email, secondCode, second)).status).toBe(401);
  const thirdCode = await mailedCode(owner.email);
  const all = await Promise.all(
    Array.from({ length: 5 }, async () => (await enterCode(owner.email, thirdCode, third)).status),
  );
  expect(all.sort()).toEqual([200, 401, 401, 401, 401]);
});

test("an unknown address is answered alike, and costs the same statements", async () => {
  const owner = await enterVerified();
  const unknown = freshEmail("inconnue");
  const guest = await enter(call, guestForm());
  const statements: string[][] = [];
  for (const email of [owner.email, unknown]) {
    const browser = await ask(email);
    const seen: string[] = [];
    const { query } = database.$client;
    // Only what the request itself sends through the pool; both calls send all of it this way.
    database.$client.query = ((...given: Parameters<typeof query>) => {
      const [asked] = given as unknown as [string | { text: string }];
      seen.push(typeof asked === "string" ? asked : asked.text);
      return query.apply(database.$client, given);
    }) as typeof query;
    const response = await enterCode(email, "000000", browser).finally(() => {
      database.$client.query = query;
    });
    expect(await refusal(response)).toEqual([401, "code_invalid"]);
    statements.push(seen);
  }
  expect(statements[0]?.length).toBeGreaterThan(0);
  expect(statements[1]).toEqual(statements[0]);
  expect(await emailsTo(database, unknown)).toEqual([]);
  // A guest is mailed the link that registers them, as for a forgotten password.
  await ask(guest.email);
  expect((await newestEmail(guest.email))?.subject).toBe("Choisissez votre mot de passe");
  const stored = await database.execute(sql`select sign_in_code::text as row from sign_in_code`);
  expect(JSON.stringify(stored.rows)).not.toContain("exemple");
});

test("on an account whose address nobody had confirmed, a code starts it clean", async () => {
  const planted = await enter(call, registrationForm({ Firstname: "Eve", Lastname: "Mallory" }));
  const browser = await ask(planted.email);
  const { AuthData } = await (await enterCode(planted.email, await mailedCode(planted.email), browser)).json();
  expect(AuthData.Customer).toMatchObject({
    IdCustomer: planted.Customer.IdCustomer,
    EmailVerified: true,
    HasPassword: false,
    Lastname: "",
  });
  await expect(as(planted.Token)(readCustomer)).rejects.toThrow("401");
});

test("on the device where its password was typed, a code confirms the address and changes nothing else", async () => {
  const response = await fetch("/api/customer", form(registrationForm({ Lastname: "Gardée" })));
  const { AuthData } = await response.json();
  const device = response.headers.getSetCookie().find((cookie) => cookie.startsWith("auth.device=")) ?? "";
  const email = AuthData.Customer.Email;
  const browser = await ask(email);
  const signedIn = await enterCode(email, await mailedCode(email), {
    cookie: `${browser.cookie}; ${device.split(";")[0]}`,
  });
  expect((await signedIn.json()).AuthData.Customer).toMatchObject({
    EmailVerified: true,
    HasPassword: true,
    Lastname: "Gardée",
  });
  await as(AuthData.Token)(readCustomer);
});

test.each(["12345", "1234567", "abcdef", "١٢٣٤٥٦"])("%s is no code", async (Code) => {
  const response = await fetch("/api/authentification/code", form({ Email: freshEmail(), Code }));
  expect(response.status).toBe(400);
  expect((await response.json()).errors).toMatchObject([
    { field: "Code", code: "code", message: "Indiquez les six chiffres du code" },
  ]);
});
