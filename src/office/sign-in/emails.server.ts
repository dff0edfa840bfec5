import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { linkUrl } from "#identity/links/links.server.ts";
import { invitationPath } from "#office/paths.ts";
import type { EmailContent } from "#platform/mail/mail.server.ts";
import type { Settings } from "#platform/settings.server.ts";

/** The email with the link that invites a person to the back office. */
export function invitationEmail(
  settings: Pick<Settings, "publicUrl">,
  locale: Locale,
  firstname: string,
  token: string,
): EmailContent {
  const { t } = textsOf[locale];
  return {
    subject: t("mail.invitation.subject"),
    preheader: t("mail.invitation.preheader"),
    title: t("mail.invitation.title", { firstname }),
    paragraphs: [t("mail.invitation.text"), t("mail.invitation.more")],
    action: { label: t("mail.invitation.action"), url: linkUrl(settings, locale, invitationPath, { token }) },
    footnote: t("mail.invitation.footnote"),
  };
}

/** To the owners: somebody has signed in without the company's account. */
export function emergencyEmail(locale: Locale, email: string, at: Date): EmailContent {
  const { t, date, time } = textsOf[locale];
  const moment = at.toISOString();
  return {
    subject: t("mail.emergency.subject"),
    preheader: t("mail.emergency.preheader"),
    title: t("mail.emergency.title"),
    paragraphs: [t("mail.emergency.text", { email, date: date(moment), time: time(moment) }), t("mail.emergency.more")],
  };
}
