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
