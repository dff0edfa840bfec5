import { createHash } from "node:crypto";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import type { TextId } from "#i18n/texts.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { type ConsentSubject, consents } from "./consent.tables.server.ts";

/** The text beside each checkbox; the pages show the same ids. */
const sentences: Record<ConsentSubject, TextId> = {
  newsletter: "identity.consent.newsletter",
  sms: "identity.consent.sms",
  loyalty: "identity.consent.loyalty",
};

/** `fr-5f3a91c2`: the language and a hash of the text that was agreed to, so it changes with the text. */
function consentTextVersion(subject: ConsentSubject, locale: Locale): string {
  const sentence = textsOf[locale].t(sentences[subject]);
  return `${locale}-${createHash("sha256").update(sentence).digest("hex").slice(0, 8)}`;
}

/** Logs that an opt-in was given or withdrawn; call it in the transaction that changes it. */
export async function recordConsent(
  queries: Queries,
  change: { customerId: number; subject: ConsentSubject; given: boolean; source: string; locale: Locale },
): Promise<void> {
  const { locale, ...row } = change;
  await queries.insert(consents).values({ ...row, textVersion: consentTextVersion(row.subject, locale) });
}
