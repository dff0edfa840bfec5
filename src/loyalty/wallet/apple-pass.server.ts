import { PKPass } from "passkit-generator";
import { defaultLocale, type Locale, localePath, locales } from "#i18n/locale.ts";
import { textsOf } from "#i18n/texts.server.ts";
import type { TextId } from "#i18n/texts.ts";
import { pagePaths } from "#identity/paths.ts";
import type { AppleSigner } from "./apple-signer.server.ts";
import type { PassFacts } from "./pass-facts.server.ts";

/** Where Apple's phones ask; they add the version and the rest themselves. */
export const appleService = "/api/loyalty/wallet/apple";

/** The pass wears the colours of the cloth: ground, words, labels, and the ring of our mark. */
const dresses = [
  { ground: [239, 234, 224], ink: [11, 10, 12], label: [107, 84, 39], logo: "dark" },
  { ground: [232, 220, 198], ink: [11, 10, 12], label: [107, 84, 39], logo: "dark" },
  { ground: [19, 18, 20], ink: [255, 255, 255], label: [217, 196, 154], logo: "light" },
] as const;

const rgb = (colour: readonly number[]) => `rgb(${colour.join(", ")})`;

/** The words of a pass; it carries all three languages, and the phone picks. */
const words: TextId[] = [
  "wallet.description",
  "wallet.programme",
  "wallet.member",
  "wallet.number",
  "wallet.points",
  "wallet.pointsChanged",
  "wallet.status",
  "wallet.statusChanged",
  "wallet.card",
];

/**
 * The pictures of a pass, drawn from `public/favicon.svg`: the icon is all of it, 29 px wide; the logo is its ring alone,
 * at 135 % and 50 px wide, dark or light. @2x and @3x are the same at twice and three times the size.
 */
const images = import.meta.glob<string>("./images/*.png", { query: "?inline", import: "default", eager: true });

function imageOf(name: string): Buffer {
  // The build writes each file into the code as a data: address.
  return Buffer.from(images[`./images/${name}.png`]?.split(",")[1] ?? "", "base64");
}

/** A signed pass, as a phone takes it. */
export function applePass(
  signer: AppleSigner,
  pass: { serial: string; publicUrl: string; facts: PassFacts },
): Uint8Array<ArrayBuffer> {
  const { serial, publicUrl, facts } = pass;
  const dress = dresses[facts.rank - 1] ?? dresses[0];
  const files: Record<string, Buffer> = {};
  for (const suffix of ["", "@2x", "@3x"]) {
    files[`icon${suffix}.png`] = imageOf(`icon${suffix}`);
    files[`logo${suffix}.png`] = imageOf(`logo-${dress.logo}${suffix}`);
  }
  const made = new PKPass(
    files,
    { wwdr: signer.authority, signerCert: signer.certificate, signerKey: signer.key },
    {
      formatVersion: 1,
      passTypeIdentifier: signer.passTypeId,
      teamIdentifier: signer.teamId,
      serialNumber: serial,
      organizationName: textsOf[defaultLocale].t("brand"),
      description: "wallet.description",
      logoText: "CERCLE",
      backgroundColor: rgb(dress.ground),
      foregroundColor: rgb(dress.ink),
      labelColor: rgb(dress.label),
      webServiceURL: publicUrl + appleService,
      authenticationToken: signer.tokenOf(serial),
      voided: facts.state !== "active",
    },
  );
  made.type = "storeCard";
  made.headerFields.push({
    key: "points",
    label: "wallet.points",
    value: facts.points,
    changeMessage: "wallet.pointsChanged",
  });
  made.secondaryFields.push(
    { key: "status", label: "wallet.status", value: "tier", changeMessage: "wallet.statusChanged" },
    { key: "member", label: "wallet.member", value: facts.name },
  );
  const page = publicUrl + localePath(facts.language, pagePaths.memberPage);
  made.backFields.push(
    { key: "number", label: "wallet.number", value: facts.cardNumber },
    { key: "card", label: "wallet.card", value: page },
  );
  // The same digits as on the card; EAN-13 itself came to this wallet too lately.
  made.setBarcodes({
    format: "PKBarcodeFormatCode128",
    message: facts.cardNumber,
    messageEncoding: "iso-8859-1",
    altText: facts.cardNumber,
  });
  for (const locale of locales) made.localize(locale, translations(locale, facts));
  return new Uint8Array(made.getAsBuffer());
}

function translations(locale: Locale, facts: PassFacts): Record<string, string> {
  const { t } = textsOf[locale];
  // The wallet writes the new value where these two say %@.
  const said = words.map((id) => [id, t(id, { value: "%@" })]);
  return { ...Object.fromEntries(said), tier: facts.tier[locale] };
}
