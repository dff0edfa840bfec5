import { textsOf } from "#brand/texts.server.ts";
import { type Locale, localePath } from "#i18n/locale.ts";
import { changeParameter, pagePaths } from "#identity/paths.ts";
import type { EmailContent } from "#platform/mail/mail.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import { linkUrl, resetUrl } from "./links.server.ts";

/** The content of identity's mails. Names stay out of subjects. */
export const emails = {
  confirm(settings: Pick<Settings, "publicUrl">, locale: Locale, firstname: string, token: string): EmailContent {
    const { t } = textsOf[locale];
    return {
      helpUrl: pageUrl(settings, locale, pagePaths.help),
      subject: t("mail.confirm.subject"),
      preheader: t("mail.confirm.preheader"),
      title: t("mail.confirm.title", { firstname }),
      paragraphs: [t("mail.confirm.text")],
      action: { label: t("mail.confirm.action"), url: linkUrl(settings, locale, pagePaths.confirmEmail, { token }) },
      footnote: t("mail.confirm.footnote"),
    };
  },
  newAddress(settings: Pick<Settings, "publicUrl">, locale: Locale, firstname: string, token: string): EmailContent {
    const { t } = textsOf[locale];
    const url = linkUrl(settings, locale, pagePaths.confirmEmail, { [changeParameter]: "1", token });
    return {
      helpUrl: pageUrl(settings, locale, pagePaths.help),
      subject: t("mail.newAddress.subject"),
      preheader: t("mail.newAddress.preheader"),
      title: t("mail.newAddress.title", { firstname }),
      paragraphs: [t("mail.newAddress.text")],
      action: { label: t("mail.newAddress.action"), url },
      footnote: t("mail.newAddress.footnote"),
    };
  },
  /** To the address that the account has so far. */
  addressChanging(
    settings: Pick<Settings, "publicUrl">,
    locale: Locale,
    { firstname, email, token }: { firstname: string; email: string; token: string },
  ): EmailContent {
    const { t } = textsOf[locale];
    return {
      helpUrl: pageUrl(settings, locale, pagePaths.help),
      subject: t("mail.addressChanging.subject"),
      preheader: t("mail.addressChanging.preheader"),
      title: t("mail.addressChanging.title", { firstname }),
      paragraphs: [t("mail.addressChanging.text", { email }), t("mail.addressChanging.doubt")],
      action: {
        label: t("mail.addressChanging.action"),
        url: linkUrl(settings, locale, pagePaths.stopEmailChange, { token }),
      },
      footnote: t("mail.addressChanging.footnote"),
    };
  },
  /** For a customer whom a shop registered. */
  confirmFromShop(
    settings: Pick<Settings, "publicUrl">,
    locale: Locale,
    firstname: string,
    token: string,
    { shop, day }: { shop: string; day: Date },
  ): EmailContent {
    const { t, date } = textsOf[locale];
    return {
      helpUrl: pageUrl(settings, locale, pagePaths.help),
      subject: t("mail.fromShop.subject"),
      preheader: t("mail.fromShop.preheader", { shop }),
      title: t("mail.fromShop.title", { firstname }),
      paragraphs: [t("mail.fromShop.text", { shop, date: date(day) }), t("mail.fromShop.more")],
      action: { label: t("mail.confirm.action"), url: linkUrl(settings, locale, pagePaths.confirmEmail, { token }) },
      footnote: t("mail.fromShop.footnote"),
    };
  },
  welcome(settings: Pick<Settings, "publicUrl">, locale: Locale, firstname: string): EmailContent {
    const { t } = textsOf[locale];
    return {
      helpUrl: pageUrl(settings, locale, pagePaths.help),
      subject: t("mail.welcome.subject"),
      preheader: t("mail.welcome.preheader"),
      title: t("mail.welcome.title", { firstname }),
      paragraphs: [t("mail.welcome.text"), t("mail.welcome.more")],
      action: { label: t("mail.welcome.action"), url: pageUrl(settings, locale, pagePaths.account) },
    };
  },
  reset(settings: Pick<Settings, "publicUrl">, locale: Locale, firstname: string, token: string): EmailContent {
    const { t } = textsOf[locale];
    return {
      helpUrl: pageUrl(settings, locale, pagePaths.help),
      subject: t("mail.reset.subject"),
      preheader: t("mail.reset.preheader"),
      title: t("mail.reset.title", { firstname }),
      paragraphs: [t("mail.reset.text")],
      action: { label: t("mail.reset.action"), url: resetUrl(settings, locale, token) },
      footnote: t("mail.reset.footnote"),
    };
  },
  guest(settings: Pick<Settings, "publicUrl">, locale: Locale, firstname: string, token: string): EmailContent {
    const { t } = textsOf[locale];
    return {
      helpUrl: pageUrl(settings, locale, pagePaths.help),
      subject: t("mail.guest.subject"),
      preheader: t("mail.guest.preheader"),
      title: t("mail.guest.title", { firstname }),
      paragraphs: [t("mail.guest.text")],
      action: { label: t("mail.guest.action"), url: resetUrl(settings, locale, token) },
      footnote: t("mail.guest.footnote"),
    };
  },
  passwordChanged(
    settings: Pick<Settings, "publicUrl">,
    locale: Locale,
    firstname: string,
    { passesEnded = false }: { passesEnded?: boolean } = {},
  ): EmailContent {
    const { t } = textsOf[locale];
    return {
      helpUrl: pageUrl(settings, locale, pagePaths.help),
      subject: t("mail.password.subject"),
      preheader: t("mail.password.preheader"),
      title: t("mail.password.title", { firstname }),
      paragraphs: [
        t("mail.password.text"),
        ...(passesEnded ? [t("mail.password.passes")] : []),
        t("mail.password.doubt"),
      ],
      action: { label: t("mail.password.action"), url: pageUrl(settings, locale, pagePaths.forget) },
    };
  },
  linked(settings: Pick<Settings, "publicUrl">, locale: Locale, firstname: string, provider: string): EmailContent {
    const { t } = textsOf[locale];
    return {
      helpUrl: pageUrl(settings, locale, pagePaths.help),
      subject: t("mail.linked.subject", { provider }),
      preheader: t("mail.linked.preheader", { provider }),
      title: t("mail.linked.title", { firstname }),
      paragraphs: [t("mail.linked.text", { provider }), t("mail.linked.doubt")],
      action: { label: t("mail.password.action"), url: pageUrl(settings, locale, pagePaths.forget) },
    };
  },
  passkeyAdded(settings: Pick<Settings, "publicUrl">, locale: Locale, firstname: string): EmailContent {
    const { t } = textsOf[locale];
    return {
      helpUrl: pageUrl(settings, locale, pagePaths.help),
      subject: t("mail.passkey.subject"),
      preheader: t("mail.passkey.preheader"),
      title: t("mail.passkey.title", { firstname }),
      paragraphs: [t("mail.passkey.text"), t("mail.passkey.doubt")],
      action: { label: t("mail.password.action"), url: pageUrl(settings, locale, pagePaths.forget) },
    };
  },
  code(settings: Pick<Settings, "publicUrl">, locale: Locale, firstname: string, code: string): EmailContent {
    const { t } = textsOf[locale];
    return {
      helpUrl: pageUrl(settings, locale, pagePaths.help),
      subject: t("mail.code.subject", { code }),
      preheader: t("mail.code.preheader"),
      title: t("mail.code.title", { firstname }),
      paragraphs: [t("mail.code.text")],
      code,
      footnote: t("mail.code.footnote"),
    };
  },
  erased(settings: Pick<Settings, "publicUrl">, locale: Locale, firstname: string): EmailContent {
    const { t } = textsOf[locale];
    return {
      helpUrl: pageUrl(settings, locale, pagePaths.help),
      subject: t("mail.erased.subject"),
      preheader: t("mail.erased.preheader"),
      title: t("mail.erased.title", { firstname }),
      paragraphs: [t("mail.erased.text"), t("mail.erased.thanks")],
    };
  },
  idle(settings: Pick<Settings, "publicUrl">, locale: Locale, firstname: string, until: Date): EmailContent {
    const { t, date } = textsOf[locale];
    const day = { date: date(until) };
    return {
      helpUrl: pageUrl(settings, locale, pagePaths.help),
      subject: t("mail.idle.subject"),
      preheader: t("mail.idle.preheader", day),
      title: t("mail.idle.title", { firstname }),
      paragraphs: [t("mail.idle.text", day), t("mail.idle.keep")],
      action: { label: t("mail.idle.action"), url: pageUrl(settings, locale, pagePaths.login) },
      footnote: t("mail.idle.footnote"),
    };
  },
  idleErased(settings: Pick<Settings, "publicUrl">, locale: Locale, firstname: string): EmailContent {
    const { t } = textsOf[locale];
    return {
      helpUrl: pageUrl(settings, locale, pagePaths.help),
      subject: t("mail.erased.subject"),
      preheader: t("mail.erased.preheader"),
      title: t("mail.erased.title", { firstname }),
      paragraphs: [t("mail.idle.erased"), t("mail.erased.thanks")],
    };
  },
};

function pageUrl(settings: Pick<Settings, "publicUrl">, locale: Locale, path: string): string {
  return settings.publicUrl.origin + localePath(locale, path);
}
