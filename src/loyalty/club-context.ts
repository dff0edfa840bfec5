import type { Locale } from "#i18n/locale.ts";

/** What the club's rules need to know of a call: the time, the language of its texts, and the origin of links in emails. */
export interface ClubContext {
  now: Date;
  locale: Locale;
  publicUrl: string;
  /** Where the customer joins from. Absent where nothing is counted by network: in commands, at tills, without rate limits. */
  address?: string | undefined;
  /** The member by whose link the customer joins (src/loyalty/referral/referral.server.ts#findReferrer). */
  referredBy?: number | undefined;
}
