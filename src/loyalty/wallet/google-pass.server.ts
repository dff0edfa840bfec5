import { defaultLocale, type Locale, localePath, locales, tags } from "#i18n/locale.ts";
import { textsOf } from "#i18n/texts.server.ts";
import type { TextId } from "#i18n/texts.ts";
import { pagePaths } from "#identity/paths.ts";
import { clubPath } from "#loyalty/paths.ts";
import type { PassFacts } from "./pass-facts.server.ts";

/** A text in the provider's form: French first, the other languages beside it. */
function translated(say: (locale: Locale) => string) {
  return {
    defaultValue: { language: tags[defaultLocale], value: say(defaultLocale) },
    translatedValues: locales
      .filter((locale) => locale !== defaultLocale)
      .map((locale) => ({ language: tags[locale], value: say(locale) })),
  };
}

const words = (id: TextId) => translated((locale) => textsOf[locale].t(id));
const french = (id: TextId) => textsOf[defaultLocale].t(id);

interface Place {
  issuerId: string;
  publicUrl: string;
}

const classIdOf = ({ issuerId }: Pick<Place, "issuerId">) => `${issuerId}.cercle-club-4`;

/** What all members' passes share. */
export function googleClass(place: Place) {
  return {
    id: classIdOf(place),
    issuerName: french("brand"),
    programName: french("wallet.programme"),
    localizedProgramName: words("wallet.programme"),
    programLogo: {
      sourceUri: { uri: `${place.publicUrl}/icon-512.png` },
      contentDescription: words("brand"),
    },
    accountNameLabel: french("wallet.member"),
    localizedAccountNameLabel: words("wallet.member"),
    accountIdLabel: french("wallet.number"),
    localizedAccountIdLabel: words("wallet.number"),
    hexBackgroundColor: "#0b0a0c",
    countryCode: "FR",
    reviewStatus: "UNDER_REVIEW",
    multipleDevicesAndHoldersAllowedStatus: "ONE_USER_ALL_DEVICES",
  };
}

/** One member's pass. The status is a text of the object: at this provider tiers belong to the class. */
export function googleObject(place: Place, objectId: string, facts: PassFacts) {
  const page = (locale: Locale, path: string) => place.publicUrl + localePath(locale, path);
  const link = (id: string, path: string, text: TextId) => ({
    id,
    uri: page(facts.language, path),
    description: french(text),
    localizedDescription: words(text),
  });
  return {
    id: `${place.issuerId}.${objectId}`,
    classId: classIdOf(place),
    state: facts.state === "active" ? "ACTIVE" : "INACTIVE",
    accountName: facts.name,
    accountId: facts.cardNumber,
    barcode: { type: "EAN_13", value: facts.cardNumber, alternateText: facts.cardNumber },
    loyaltyPoints: {
      label: french("wallet.points"),
      localizedLabel: words("wallet.points"),
      balance: { int: facts.points },
    },
    textModulesData: [
      {
        id: "status",
        header: french("wallet.status"),
        localizedHeader: words("wallet.status"),
        body: facts.tier[defaultLocale],
        localizedBody: translated((locale) => facts.tier[locale]),
      },
    ],
    linksModuleData: {
      uris: [link("card", pagePaths.memberPage, "wallet.card"), link("programme", clubPath, "wallet.about")],
    },
  };
}

/** Over for good: nothing of the person stays with the provider. */
export function endedGoogleObject() {
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
