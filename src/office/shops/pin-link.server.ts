import { and, eq, gt } from "drizzle-orm";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { linkUrl } from "#identity/links/links.server.ts";
import { createToken, hashToken } from "#identity/session/tokens.server.ts";
import { pinPath } from "#office/paths.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { type EmailContent, queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { isTrivialPin, type Pins } from "#staff/pins.server.ts";
import { staff, staffPinLinks } from "#staff/staff.tables.server.ts";
import { replacePin } from "#till/sign-in/sign-in.server.ts";

export const pinLinkHours = 24;

/** The email with the link by which its owner chooses a PIN. */
export function pinEmail(
  settings: Pick<Settings, "publicUrl">,
  locale: Locale,
  firstname: string,
  token: string,
): EmailContent {
  const { t } = textsOf[locale];
  return {
    subject: t("mail.pin.subject"),
    preheader: t("mail.pin.preheader"),
    title: t("mail.pin.title", { firstname }),
    paragraphs: [t("mail.pin.text"), t("mail.pin.more")],
    action: { label: t("mail.pin.action"), url: linkUrl(settings, locale, pinPath, { token }) },
    footnote: t("mail.pin.footnote"),
  };
}

/** Mails a link that works once, for a day. Earlier ones of the person no longer work. */
export async function sendPinLink(
  tx: Queries,
  settings: Pick<Settings, "publicUrl">,
  { id: staffId, email, firstname }: { id: number; email: string; firstname: string },
  { locale, now }: { locale: Locale; now: Date },
): Promise<void> {
  const token = createToken();
  const tokenHash = hashToken(token);
  await tx.delete(staffPinLinks).where(eq(staffPinLinks.staffId, staffId));
  const endsAt = new Date(now.getTime() + pinLinkHours * 3_600_000);
  await tx.insert(staffPinLinks).values({ tokenHash, staffId, endsAt });
  await queueMail(tx, {
    cause: `pin:${tokenHash.toString("base64url")}`,
    to: email,
    locale,
    content: pinEmail(settings, locale, firstname, token),
  });
}

/** The person of a link, locked against a second request with it. */
async function findPerson(queries: Queries, token: string, now: Date) {
  const [found] = await queries
    .select({ person: staff })
    .from(staffPinLinks)
    .innerJoin(staff, eq(staff.id, staffPinLinks.staffId))
    .where(and(eq(staffPinLinks.tokenHash, hashToken(token)), gt(staffPinLinks.endsAt, now)))
    .for("update");
  if (!found || found.person.endedAt) throw new Refusal("link_expired");
  return found.person;
}

/** Whom a link is for. */
export async function readPinLink(database: Database, token: string, now: Date) {
  const { firstname, email } = await database.transaction((tx) => findPerson(tx, token, now));
  return { Firstname: firstname, Email: email };
}

/** Its owner chooses a PIN, which uses the link up. A person who is signed in at a till with the old one is signed out. */
export async function choosePin(
  { database, pins }: { database: Database; pins: Pins },
  { Token, Pin }: { Token: string; Pin: string },
  { now, requestId }: { now: Date; requestId: string },
): Promise<void> {
  if (isTrivialPin(Pin)) throw new Refusal("invalid", { errors: [{ field: "Pin", code: "pin_easy" }] });
  const pinHash = await pins.hash(Pin);
  await database.transaction(async (tx) => {
    const { id: staffId, shopId } = await findPerson(tx, Token, now);
    await tx.delete(staffPinLinks).where(eq(staffPinLinks.staffId, staffId));
    await replacePin(tx, staffId, pinHash);
    const of = { staffId, ...(shopId !== null && { shopId }) };
    await writeAudit(tx, { madeBy: "staff", ...of, action: "staff_pin_chosen", requestId, at: now });
  });
}
