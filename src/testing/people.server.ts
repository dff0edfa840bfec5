import { randomBytes } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { forgetPassword, register } from "#identity/calls.ts";
import type { Input, ResponseBody } from "#platform/api/api.ts";
import type { Call } from "#platform/api/client/client.ts";
import type { Database } from "#platform/database/database.server.ts";
import { type Jobs, runDueJobs } from "#platform/jobs/jobs.server.ts";
import { createLog } from "#platform/log.server.ts";
import { mails } from "#platform/mail/mail.tables.server.ts";

/** Customers, emails and jobs for tests. */

type Form = Input<typeof register>;

export const password = "secret-42";

/** An address that no other test of the run uses. */
export function freshEmail(name = "lea"): string {
  return `${name}.${randomBytes(5).toString("hex")}@exemple.fr`;
}

export function registrationForm(changes: Partial<Form> = {}): Form {
  return {
    Email: freshEmail(),
    Firstname: "Léa",
    Lastname: "Martin",
    Password: password,
    Birthday: "1990-05-17",
    LanguageIsoCode: "fr",
    CurrencyIsoCode: "EUR",
    ...changes,
  };
}

export function guestForm(changes: Partial<Form> = {}): Form {
  return {
    Email: freshEmail("guest"),
    Firstname: "Noé",
    Lastname: "Petit",
    Guest: true,
    Address1: "12 rue des Lilas",
    Postcode: "75011",
    City: "Paris",
    CountryIsoCode: "FR",
    IsInvoice: true,
    IsDelivery: true,
    LanguageIsoCode: "fr",
    CurrencyIsoCode: "EUR",
    ...changes,
  };
}

export type Registered = ResponseBody<typeof register>["AuthData"] & { email: string };

/** Registers a new customer; returns their token and address. */
export async function enter(call: Call, form: Form = registrationForm()): Promise<Registered> {
  const { AuthData } = await call(register, form);
  return { ...AuthData, email: AuthData.Customer.Email };
}

/** The emails written to an address, oldest first. */
export async function emailsTo(database: Database, email: string) {
  const rows = await database.select().from(mails).where(eq(mails.recipient, email)).orderBy(asc(mails.id));
  return rows.map(({ locale, customerId, subject, html, plainText }) => ({
    locale,
    customerId: customerId ?? undefined,
    content: { subject, html, text: plainText, action: { url: plainText?.match(/https?:\/\/\S+[?]\S+/)?.[0] } },
  }));
}

/** The token in the last email's link, or in the last that leads to such a page. */
export async function mailedToken(database: Database, email: string, page = ""): Promise<string> {
  const urls = (await emailsTo(database, email)).map(({ content: mail }) => mail.action.url ?? "");
  const url = urls.findLast((link) => link.includes("token=") && link.includes(page));
  const token = new URL(url ?? "").searchParams.get("token");
  if (!token) throw new Error("The last letter carries no token.");
  return token;
}

/** Runs the jobs that are due. */
export async function runJobs(database: Database, jobs: Jobs): Promise<void> {
  const failed = await runDueJobs({ database, jobs, log: createLog("silent") });
  if (failed.length > 0) throw new Error(`Jobs failed: ${JSON.stringify(failed)}`);
}

/** Requests a password reset and returns the token of the mailed link. */
export function resetLinks({ call, database, jobs }: { call: Call; database: Database; jobs: Jobs }) {
  return async (Email: string, LanguageIsoCode = "fr"): Promise<string> => {
    await call(forgetPassword, { Email, LanguageIsoCode });
    await runJobs(database, jobs);
    return mailedToken(database, Email);
  };
}

/** A form as a browser sends it. */
export function form(fields: object): RequestInit {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
  return { method: "POST", body };
}
