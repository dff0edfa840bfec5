import { createHash } from "node:crypto";
import type { Locale } from "#i18n/locale.ts";
import { textsOf } from "#i18n/texts.server.ts";
import type { TextId } from "#i18n/texts.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { type ConsentSubject, consents } from "./identity.tables.server.ts";

/** The sentence beside each box; the pages show the same ids. */
const sentences: Record<ConsentSubject, TextId> = {
  newsletter: "identity.consent.newsletter",
  sms: "identity.consent.sms",
  loyalty: "identity.consent.loyalty",
};

/** `fr-5f3a91c2`: the language and the very words that were agreed to. It changes when they do, by itself. */
function consentTextVersion(subject: ConsentSubject, locale: Locale): string {
  const sentence = textsOf[locale].t(sentences[subject]);
  return `${locale}-${createHash("sha256").update(sentence).digest("hex").slice(0, 8)}`;
}

/** Notes that an opt-in was given or withdrawn, in the transaction that changes it. */
export async function recordConsent(
  queries: Queries,
  change: { customerId: number; subject: ConsentSubject; given: boolean; source: string; locale: Locale },
): Promise<void> {
  const { locale, ...row } = change;
  await queries.insert(consents).values({ ...row, textVersion: consentTextVersion(row.subject, locale) });
}
