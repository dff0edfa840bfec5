import { Writable } from "node:stream";
import pino from "pino";
import { expect, test } from "vitest";
import {
  changePassword,
  editCustomer,
  eraseCustomer,
  forgetPassword,
  readCustomer,
  resetPassword,
  signInWithEmail,
} from "#identity/calls.ts";
import { emailsTo, enter, freshEmail, mailedToken, registrationForm, runJobs } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const lines: string[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});
const { call, as, fetch, database, product } = await openTestProduct({}, { log: pino({ level: "trace" }, sink) });

test("no call in the life of an account logs anything personal", async () => {
  const secrets = {
    Email: freshEmail("discrete"),
    Firstname: "Clothilde",
    Lastname: "Villeneuve",
    Password: "tres-secret-1",
    Birthday: "1987-03-21",
    MobilePhone: "0611223344",
  };
  const owner = await enter(call, registrationForm(secrets));
  const taken = await fetch("/api/customer", {
    method: "POST",
    body: new URLSearchParams({ ...secrets, LanguageIsoCode: "fr" }),
  });
  expect(taken.status).toBe(409);
  await expect(call(signInWithEmail, { Email: secrets.Email, Password: "faux-secret" })).rejects.toThrow();
  await as(owner.Token)(editCustomer, { Firstname: secrets.Firstname, Lastname: secrets.Lastname });
  await call(forgetPassword, { Email: secrets.Email });
  await runJobs(database, product.jobs);
  const Token = await mailedToken(database, secrets.Email);
  await call(resetPassword, { Token, Password: "autre-secret", ConfirmPassword: "autre-secret" });
  const { AuthData } = await call(signInWithEmail, { Email: secrets.Email, Password: "autre-secret" });
  const change = { CurrentPassword: "autre-secret", Password: "dernier-mot", ConfirmPassword: "dernier-mot" };
  await as(AuthData.Token)(changePassword, change);
  // A database error too: its message would contain the values of the query.
  await database.$client.query("alter table customer rename column lastname to surname");
  await expect(as(AuthData.Token)(editCustomer, { Firstname: "Clothilde", Lastname: "Villeneuve" })).rejects.toThrow(
    "Unexpected status code: 500",
  );
  await database.$client.query("alter table customer rename column surname to lastname");
  await as(AuthData.Token)(readCustomer);
  await as(AuthData.Token)(eraseCustomer, { Password: "dernier-mot" });

  const log = lines.join("");
  expect(lines.length).toBeGreaterThan(10);
  expect(log).toContain("fault");
  const personal = [...Object.values(secrets), "faux-secret", "autre-secret", "dernier-mot", "611223344"];
  for (const secret of [...personal, owner.Token, AuthData.Token, Token]) expect(log).not.toContain(secret);
});

test("a name that looks like a header or a script is plain text in mails, and never in a subject", async () => {
  const Firstname = `Bcc: x <script>alert("1")</script>`;
  const { email } = await enter(call, registrationForm({ Firstname }));
  const [mail] = await emailsTo(database, email);
  expect(mail?.content.subject).toBe("Confirmez votre adresse e-mail");
  expect(mail?.content.text).toContain(`Bonjour ${Firstname},`);
  expect(mail?.content.html).not.toContain("<script");
});

test("no response about a person is cached", async () => {
  const { Token } = await enter(call);
  for (const path of ["customer", "customer/session", "customer/export"]) {
    const response = await fetch(`/api/${path}`, { headers: { authorization: `Bearer ${Token}` } });
    expect(response.headers.get("cache-control")).toBe("no-store");
  }
});
