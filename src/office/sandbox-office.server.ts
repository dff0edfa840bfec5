import { randomBytes } from "node:crypto";
import { and, eq, inArray, isNull } from "drizzle-orm";
import { sandboxAddress } from "#brand/sandbox-address.server.ts";
import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import { newTotpSecret, officeSealing, totpCode, totpStep } from "#office/sign-in/credentials/totp.server.ts";
import type { StaffRole } from "#platform/api/endpoint.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { extendKey, findKey, storedKey } from "#platform/database/keys/stored-keys.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { sandboxSeller } from "#till/pairing/sandbox-till.server.ts";
import { endSessionsOf } from "#till/sign-in/sign-in.server.ts";
import { entryOf } from "./audit.server.ts";
import { endOfficeSessionsOf, openOfficeSession } from "./sign-in/session.server.ts";

const keyName = "sandbox-office";

/** One person per role; the shop's own is the one of the sandbox's till. */
const readPeople = (): { email: string; firstname: string; lastname: string; role: StaffRole }[] => [
  { email: sandboxAddress("paul"), firstname: "Paul", lastname: "Rivière", role: "owner" },
  { email: sandboxAddress("ines"), firstname: "Inès", lastname: "Marchand", role: "marketing" },
  { email: sandboxAddress("helene"), firstname: "Hélène", lastname: "Aubry", role: "service" },
];

/** Passwords and secrets of codes, by address. */
type Secrets = Record<string, { password: string; secret: string }>;

interface Dependencies {
  database: Database;
  pins: Pins;
  passwords: PasswordHashes;
}

/** Everybody who may try the back office while the sandbox is on, with password and the code of the moment. */
export async function sandboxOffice(deps: Dependencies, now: Date) {
  const { database } = deps;
  const seller = await sandboxSeller(database, deps.pins, now);
  const people = readPeople();
  const emails = [...people.map(({ email }) => email), seller.email];
  // The secrets first: of two processes that ask at once, both write the same people.
  const make = async (): Promise<Secrets> =>
    Object.fromEntries(
      emails.map((email) => [email, { password: randomBytes(12).toString("base64url"), secret: newTotpSecret() }]),
    );
  const stored = await storedKey(database, keyName, make);
  // Those of an older sandbox have other addresses.
  const isNew = (email: string) => !stored[email];
  const secrets = emails.some(isNew) ? await extendKey(database, keyName, await make()) : stored;
  for (const person of people) await database.insert(staff).values(person).onConflictDoNothing();
  const found = await database.select().from(staff).where(inArray(staff.email, emails)).orderBy(staff.id);
  for (const person of found)
    if (!person.passwordHash || person.endedAt || isNew(person.email)) await open(deps, person, secrets, seller);
  return found.map(({ email, firstname, lastname, role, totpStep: used }) => ({
    Name: `${firstname} ${lastname}`,
    Role: role,
    Email: email,
    Password: secrets[email]?.password ?? "",
    // A code works once: after it was used, that of the next half minute works already.
    Code: totpCode(secrets[email]?.secret ?? "", Math.max(totpStep(now), (used ?? 0) + 1)),
  }));
}

/** Signs one of them in without password and code; the value of the session's cookie. */
export async function openSandboxOffice(deps: Dependencies, email: string, request: Request, now: Date) {
  const people = await sandboxOffice(deps, now);
  if (!people.some(({ Email }) => Email === email)) throw new Refusal("not_found");
  const [person] = await deps.database.select().from(staff).where(eq(staff.email, email));
  if (!person) throw new Refusal("not_found");
  return deps.database.transaction(async (tx) => {
    const { id: staffId, shopId } = person;
    const by = { after: { by: "sandbox" } };
    await writeAudit(tx, entryOf({ staffId, shopId }, { action: "office_sign_in", ...by, at: now }));
    return openOfficeSession(tx, request, staffId, now);
  });
}

async function open(
  { database, pins, passwords }: Dependencies,
  person: { id: number; email: string },
  secrets: Secrets,
  seller: { email: string; pin: string },
) {
  const of = secrets[person.email];
  if (!of) return;
  const pin = person.email === seller.email && { pinHash: await pins.hash(seller.pin) };
  const passwordHash = await passwords.hash(of.password);
  const totpSecret = officeSealing(pins).seal(of.secret);
  await database
    .update(staff)
    .set({ passwordHash, totpSecret, endedAt: null, ...pin })
    .where(eq(staff.id, person.id));
}

/** Without the sandbox no one of it signs in any more, whatever was tried on this database before. */
export async function endSandboxOffice(database: Database, now: Date): Promise<void> {
  const secrets = await findKey<Secrets>(database, keyName);
  if (!secrets) return;
  await database.transaction(async (tx) => {
    const ended = await tx
      .update(staff)
      .set({ endedAt: now, passwordHash: null, pinHash: null })
      .where(and(inArray(staff.email, Object.keys(secrets)), isNull(staff.endedAt)))
      .returning({ id: staff.id });
    for (const { id } of ended) {
      await endOfficeSessionsOf(tx, id);
      await endSessionsOf(tx, id);
      await writeAudit(tx, { madeBy: "command", staffId: id, action: "staff_ended", at: now });
    }
  });
}
