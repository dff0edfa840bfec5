import { and, eq, gt } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import { createToken, hashToken } from "#identity/session/tokens.server.ts";
import { qrSvg } from "#loyalty/card/barcode.server.ts";
import { matchTotp, newTotpSecret, totpUri } from "#office/sign-in/credentials/totp.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import type { Sealing } from "#platform/database/keys/sealing.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { invitationEmail } from "./emails.server.ts";
import { staffInvitations, staffPasskeys } from "./office.tables.server.ts";
import { endOfficeSessionsOf, openOfficeSession } from "./session.server.ts";
import { type OfficeCall, refuseUnlessCompany, type WaysIn } from "./sign-in.server.ts";

export const invitationHours = 24;

/** Mails a link that works once, for a day. Earlier ones of the person no longer work. */
export async function inviteStaff(
  tx: Queries,
  settings: Settings,
  { id: staffId, email, firstname }: { id: number; email: string; firstname: string },
  { locale, now }: { locale: Locale; now: Date },
): Promise<void> {
  const token = createToken();
  const endsAt = new Date(now.getTime() + invitationHours * 3_600_000);
  await tx.delete(staffInvitations).where(eq(staffInvitations.staffId, staffId));
  await tx.insert(staffInvitations).values({ tokenHash: hashToken(token), staffId, endsAt });
  await queueMail(tx, {
    cause: `invitation:${hashToken(token).toString("base64url")}`,
    to: email,
    locale,
    content: invitationEmail(settings, locale, firstname, token),
  });
}

/** Ends every way into the back office that is no column of the person: sessions, passkeys, invitations. */
export async function endWaysIn(tx: Queries, staffId: number): Promise<void> {
  // Passkeys before sessions: this waits for a sign-in that uses one now, whose session then ends with the others.
  await tx.delete(staffPasskeys).where(eq(staffPasskeys.staffId, staffId));
  await tx.delete(staffInvitations).where(eq(staffInvitations.staffId, staffId));
  await endOfficeSessionsOf(tx, staffId);
}

/** The invitation of a token with its person, locked against a second request with it. */
async function findInvitation(queries: Queries, token: string, now: Date) {
  const [found] = await queries
    .select({ invitation: staffInvitations, person: staff })
    .from(staffInvitations)
    .innerJoin(staff, eq(staff.id, staffInvitations.staffId))
    .where(and(eq(staffInvitations.tokenHash, hashToken(token)), gt(staffInvitations.endsAt, now)))
    .for("update");
  if (!found || found.person.endedAt) throw new Refusal("link_expired");
  return found;
}

/** Whom the invitation is for. */
export async function readInvitation(database: Database, token: string, now: Date) {
  const { person } = await database.transaction((tx) => findInvitation(tx, token, now));
  const { email: Email, firstname: Firstname, lastname: Lastname, role: Role } = person;
  return { Email, Firstname, Lastname, Role };
}

interface Chosen {
  Token: string;
  Password: string;
  Firstname?: string | undefined;
  Lastname?: string | undefined;
}

/**
 * Stores the password with a new secret of codes, which is shown only now. Neither opens anything until a first code
 * confirms that the secret has arrived; until then the call may be made again.
 */
export async function acceptInvitation(
  { database, passwords, sealing }: { database: Database; passwords: PasswordHashes; sealing: Sealing },
  { Token, Password, Firstname, Lastname }: Chosen,
  now: Date,
) {
  const passwordHash = await passwords.hash(Password);
  const secret = newTotpSecret();
  return database.transaction(async (tx) => {
    const { invitation, person } = await findInvitation(tx, Token, now);
    await tx
      .update(staffInvitations)
      .set({ passwordHash, totpSecret: sealing.seal(secret) })
      .where(eq(staffInvitations.tokenHash, invitation.tokenHash));
    if (Firstname ?? Lastname)
      await tx
        .update(staff)
        .set({ firstname: Firstname ?? person.firstname, lastname: Lastname ?? person.lastname })
        .where(eq(staff.id, person.id));
    const uri = totpUri(secret, person.email);
    return { OtpauthUri: uri, QrSvg: qrSvg(uri) };
  });
}

/** The first code makes password and secret valid, uses the invitation up, and signs in. Whatever opened before ends. */
export async function confirmInvitation(
  { database, sealing, waysIn }: { database: Database; sealing: Sealing; waysIn: WaysIn },
  { Token, Code }: { Token: string; Code: string },
  call: OfficeCall,
): Promise<{ token: string; staffId: number }> {
  return database.transaction(async (tx) => {
    const { request, requestId, now } = call;
    const { invitation, person } = await findInvitation(tx, Token, now);
    await refuseUnlessCompany(tx, waysIn, person, call);
    const { passwordHash, totpSecret } = invitation;
    if (!passwordHash || !totpSecret) throw new Refusal("link_expired");
    const step = matchTotp(sealing.open(totpSecret), Code, now);
    if (step === undefined) throw new Refusal("invalid", { errors: [{ field: "Code", code: "wrong_code" }] });
    const { id: staffId, shopId } = person;
    await endWaysIn(tx, staffId);
    await tx.update(staff).set({ passwordHash, totpSecret, totpStep: step }).where(eq(staff.id, staffId));
    const of = { staffId, ...(shopId !== null && { shopId }) };
    await writeAudit(tx, { madeBy: "staff", ...of, action: "staff_accepted", requestId, at: now });
    return { token: await openOfficeSession(tx, request, staffId, now), staffId };
  });
}
