import { createHmac, randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import { parse } from "hono/utils/cookie";
import type { Locale } from "#i18n/locale.ts";
import { findShopRegistration, sendShopConfirmation } from "#identity/address/shop-registration.server.ts";
import { startClean, welcomeVerifiedCustomer } from "#identity/address/verified-address.server.ts";
import { findRegistered, lockCustomer } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { AuthDataResponse } from "#identity/customer/responses.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { findNewestGuest, sendGuestLink } from "#identity/guests/guests.server.ts";
import { emails } from "#identity/links/emails.server.ts";
import { clearedCodeCookie, codeCookieOf } from "#identity/session/cookies.server.ts";
import { codeCookieName } from "#identity/session/cookies.ts";
import { openSessionForRequest, signInResponse } from "#identity/session/open-session.server.ts";
import { createToken, isToken } from "#identity/session/tokens.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { signInCodes } from "./code.tables.server.ts";

/** The job that decides what is mailed to an address for which a code was asked. */
export const codeJob = "identity.code";
export const codeMinutes = 10;
const maxTries = 5;

export interface CodeEmail {
  /** Makes the email's cause unique: the job may run twice. */
  id: string;
  email: string;
  code: string;
  locale: Locale;
}

/** Keyed, so that what is stored tells no one which addresses were typed. */
async function hashesOf(deps: Dependencies, email: string, browser: string) {
  const secret = await deps.codeSecret();
  const hashOf = (...parts: string[]) => createHmac("sha256", secret).update(JSON.stringify(parts)).digest();
  return {
    emailHash: hashOf("email", email),
    browserHash: hashOf("browser", browser),
    codeHash: (code: string) => hashOf("code", email, browser, code),
  };
}

/**
 * Stores a code for every address, known or not, and queues the same job, so that neither response nor time reveals an
 * account. An earlier code of the address ends. The code works in this browser alone, which gets a cookie.
 */
export async function sendCode(deps: Dependencies, email: string, call: RequestContext): Promise<void> {
  const browser = createToken();
  const code = String(randomInt(10 ** 6)).padStart(6, "0");
  const { emailHash, browserHash, codeHash } = await hashesOf(deps, email, browser);
  const row = {
    browserHash,
    codeHash: codeHash(code),
    tries: 0,
    expiresAt: sql`now() + make_interval(mins => ${codeMinutes})`,
  };
  const mail: CodeEmail = { id: randomUUID(), email, code, locale: call.locale };
  await deps.limits.codeSent(email, call.address, () =>
    deps.database.transaction(async (tx) => {
      await tx
        .insert(signInCodes)
        .values({ emailHash, ...row })
        .onConflictDoUpdate({ target: signInCodes.emailHash, set: row });
      await queueJob(tx, codeJob, mail);
    }),
  );
  call.headers.append("set-cookie", codeCookieOf(browser, codeMinutes * 60, deps.settings.secureCookies));
}

/**
 * Mails a customer the code, a guest the link that registers them, an unknown address nothing. Who was registered by a shop
 * and has not confirmed gets the link again, whose page asks whether the card is theirs: a code would start clean.
 */
export async function mailCode(
  database: Database,
  settings: Settings,
  { id, email, code, locale }: CodeEmail,
): Promise<void> {
  await database.transaction(async (tx) => {
    const customer = await findRegistered(tx, email);
    const registration = customer && (await findShopRegistration(tx, customer));
    if (registration) return sendShopConfirmation(tx, settings, customer, registration, locale);
    if (customer)
      return queueMail(tx, {
        cause: `code:${id}`,
        customerId: customer.id,
        to: customer.email,
        locale,
        content: emails.code(settings, locale, customer.firstname, code),
      });
    const guest = await findNewestGuest(tx, email);
    if (guest) await sendGuestLink(tx, settings, guest, locale);
  });
}

/** Signs in with a mailed code. Wrong, expired, used up, another browser's, an unknown address: the refusal is the same. */
export async function signInWithCode(
  deps: Dependencies,
  input: { Email: string; Code: string },
  call: RequestContext,
): Promise<AuthDataResponse> {
  const { database, limits, settings } = deps;
  const browser = parse(call.request.headers.get("cookie") ?? "", codeCookieName)[codeCookieName] ?? "";
  const hashes = await hashesOf(deps, input.Email, isToken(browser) ? browser : "");
  const opened = await limits.codeGuess(call.address, async () => {
    await spendTry(database, hashes, input.Code);
    return database.transaction((tx) => redeemCode(tx, deps, hashes, input.Email, call));
  });
  call.headers.append("set-cookie", clearedCodeCookie(settings.secureCookies));
  return signInResponse(deps, call, opened);
}

type Hashes = Awaited<ReturnType<typeof hashesOf>>;

const livingCode = ({ emailHash, browserHash }: Hashes) =>
  and(
    eq(signInCodes.emailHash, emailHash),
    eq(signInCodes.browserHash, browserHash),
    gt(signInCodes.expiresAt, sql`now()`),
  );

/** Counts the try before it is judged, in a statement of its own: of any number at once only five are judged. */
async function spendTry(database: Database, hashes: Hashes, code: string): Promise<void> {
  const [living] = await database
    .update(signInCodes)
    .set({ tries: sql`${signInCodes.tries} + 1` })
    .where(and(livingCode(hashes), lt(signInCodes.tries, maxTries)))
    .returning({ codeHash: signInCodes.codeHash });
  if (!living || !timingSafeEqual(living.codeHash, hashes.codeHash(code))) throw new Refusal("code_invalid");
}

async function redeemCode(tx: Queries, deps: Dependencies, hashes: Hashes, email: string, call: RequestContext) {
  // Consume the code first: of two requests with the right one only one finds it.
  const used = await tx.delete(signInCodes).where(livingCode(hashes)).returning({ one: sql`1` });
  const found = used.length > 0 ? await findRegistered(tx, email) : undefined;
  const customer = found && (await lockCustomer(tx, found.id));
  if (customer?.email !== email) throw new Refusal("code_invalid");
  if (!customer.emailVerifiedAt) await verifyAddress(tx, deps, customer, call);
  return openSessionForRequest(tx, customer.id, call, { authenticated: true });
}

/**
 * The code proves who owns the address, not who registered the account: an account whose address no one had verified gets
 * a clean start, except on a device where its password was typed.
 */
async function verifyAddress(
  tx: Queries,
  deps: Dependencies,
  customer: NonNullable<Awaited<ReturnType<typeof lockCustomer>>>,
  call: RequestContext,
): Promise<void> {
  if (!(await deps.deviceCookies.verify(call.request, customer))) {
    await startClean(tx, deps, customer, { source: "code" }, call);
    return;
  }
  await tx
    .update(customers)
    .set({ emailVerifiedAt: sql`now()`, updatedAt: sql`now()` })
    .where(eq(customers.id, customer.id));
  await welcomeVerifiedCustomer(tx, deps, customer, call.locale);
}
