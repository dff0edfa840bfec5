import { installedBrand } from "#brand/brand.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { defaultLocale, type Locale, localePath, offeredLocales, tags } from "#i18n/locale.ts";
import type { TextId } from "#i18n/texts.ts";
import { pagePaths } from "#identity/paths.ts";
import { clubPath } from "#loyalty/paths.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { PassContent } from "#loyalty/wallet/pass-content.server.ts";

/** A text in Google's format: the default language first, the other languages as translations. */
function translated(textIn: (locale: Locale) => string) {
  return {
    defaultValue: { language: tags[defaultLocale()], value: textIn(defaultLocale()) },
    translatedValues: offeredLocales()
      .filter((locale) => locale !== defaultLocale())
      .map((locale) => ({ language: tags[locale], value: textIn(locale) })),
  };
}

const texts = (id: TextId) => translated((locale) => textsOf[locale].t(id));
const byDefault = (id: TextId) => textsOf[defaultLocale()].t(id);

interface PassContext {
  issuerId: string;
  publicUrl: string;
}

const classIdOf = ({ issuerId }: Pick<PassContext, "issuerId">) => `${issuerId}.cercle-club-${defaultProgrammeId}`;

/** The loyalty class, which all members' passes share. */
export function googleClass(context: PassContext) {
  const { Country, theme } = installedBrand();
  return {
    id: classIdOf(context),
    issuerName: byDefault("brand"),
    programName: byDefault("wallet.programme"),
    localizedProgramName: texts("wallet.programme"),
    programLogo: {
      sourceUri: { uri: `${context.publicUrl}/icon-512.png` },
      contentDescription: texts("brand"),
    },
    accountNameLabel: byDefault("wallet.member"),
    localizedAccountNameLabel: texts("wallet.member"),
    accountIdLabel: byDefault("wallet.number"),
    localizedAccountIdLabel: texts("wallet.number"),
    hexBackgroundColor: theme.Colours.Accent,
    countryCode: Country,
    reviewStatus: "UNDER_REVIEW",
    multipleDevicesAndHoldersAllowedStatus: "ONE_USER_ALL_DEVICES",
  };
}

/** The loyalty object of one member. The tier is a text of the object, since Google's own tier field belongs to the class. */
export function googleObject(context: PassContext, objectId: string, content: PassContent) {
  const page = (locale: Locale, path: string) => context.publicUrl + localePath(locale, path);
  const link = (id: string, path: string, text: TextId) => ({
    id,
    uri: page(content.language, path),
    description: byDefault(text),
    localizedDescription: texts(text),
  });
  return {
    id: `${context.issuerId}.${objectId}`,
    classId: classIdOf(context),
    state: content.state === "active" ? "ACTIVE" : "INACTIVE",
    accountName: content.name,
    accountId: content.cardNumber,
    barcode: { type: "EAN_13", value: content.cardNumber, alternateText: content.cardNumber },
    loyaltyPoints: {
      label: byDefault("wallet.points"),
      localizedLabel: texts("wallet.points"),
      balance: { int: content.points },
    },
    textModulesData: [
      {
        id: "status",
        header: byDefault("wallet.status"),
        localizedHeader: texts("wallet.status"),
        body: content.tier[defaultLocale()],
        localizedBody: translated((locale) => content.tier[locale]),
      },
    ],
    linksModuleData: {
      uris: [link("card", pagePaths.memberPage, "wallet.card"), link("programme", clubPath, "wallet.about")],
    },
  };
}

/** The update for a revoked pass: nothing personal stays at Google. */
export function expiredGoogleObject() {
  return {
    state: "EXPIRED",
    accountName: "",
    accountId: "",
    barcode: null,
    loyaltyPoints: null,
    textModulesData: null,
    linksModuleData: null,
  };
}
