import { textsOf } from "#brand/texts.server.ts";
import { defaultLocale, type Locale, localePath, offeredLocales } from "#i18n/locale.ts";
import type { TextId } from "#i18n/texts.ts";
import { pagePaths } from "#identity/paths.ts";
import type { PassContent } from "#loyalty/wallet/pass-content.server.ts";
import type { AppleSigner, PassKey } from "./apple-signer.server.ts";

/** The web service that iPhones call; they append the version and the rest of the path. */
export const appleService = "/api/loyalty/wallet/apple";

/** The pass's colours by the tier's rank, the highest have the last; the logo has the colour of the text. */
const tierColours = [
  { background: [239, 234, 224], text: [11, 10, 12], label: [107, 84, 39], logo: "dark" },
  { background: [232, 220, 198], text: [11, 10, 12], label: [107, 84, 39], logo: "dark" },
  { background: [19, 18, 20], text: [255, 255, 255], label: [217, 196, 154], logo: "light" },
] as const;

const rgb = (colour: readonly number[]) => `rgb(${colour.join(", ")})`;

/** The texts of a pass, which carries all three languages; the phone chooses. */
const textIds: TextId[] = [
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

/** A signed pass, as a .pkpass file. */
export async function applePass(
  signer: AppleSigner,
  pass: PassKey & { publicUrl: string; content: PassContent },
): Promise<Uint8Array<ArrayBuffer>> {
  // Loaded with the first pass: it takes a fifth of a second, which every start and every command would wait for.
  const { PKPass } = await import("passkit-generator");
  const { serial, publicUrl, content } = pass;
  const colours = tierColours[content.rank - 1] ?? tierColours[2];
  const files: Record<string, Buffer> = {};
  for (const suffix of ["", "@2x", "@3x"]) {
    files[`icon${suffix}.png`] = imageOf(`icon${suffix}`);
    files[`logo${suffix}.png`] = imageOf(`logo-${colours.logo}${suffix}`);
  }
  const file = new PKPass(
    files,
    { wwdr: signer.authority, signerCert: signer.certificate, signerKey: signer.key },
    {
      formatVersion: 1,
      passTypeIdentifier: signer.passTypeId,
      teamIdentifier: signer.teamId,
      serialNumber: serial,
      organizationName: textsOf[defaultLocale()].t("brand"),
      description: "wallet.description",
      logoText: textsOf[defaultLocale()].t("wordmark"),
      backgroundColor: rgb(colours.background),
      foregroundColor: rgb(colours.text),
      labelColor: rgb(colours.label),
      webServiceURL: publicUrl + appleService,
      authenticationToken: signer.tokenOf(pass),
      voided: content.state !== "active",
    },
  );
  file.type = "storeCard";
  file.headerFields.push({
    key: "points",
    label: "wallet.points",
    value: content.points,
    changeMessage: "wallet.pointsChanged",
  });
  file.secondaryFields.push(
    { key: "status", label: "wallet.status", value: "tier", changeMessage: "wallet.statusChanged" },
    { key: "member", label: "wallet.member", value: content.name },
  );
  const page = publicUrl + localePath(content.language, pagePaths.memberPage);
  file.backFields.push(
    { key: "number", label: "wallet.number", value: content.cardNumber },
    { key: "card", label: "wallet.card", value: page },
  );
  // The card's digits as Code 128: older versions of Apple Wallet do not know EAN-13.
  file.setBarcodes({
    format: "PKBarcodeFormatCode128",
    message: content.cardNumber,
    messageEncoding: "iso-8859-1",
    altText: content.cardNumber,
  });
  for (const locale of offeredLocales()) file.localize(locale, translations(locale, content));
  return new Uint8Array(file.getAsBuffer());
}

function translations(locale: Locale, content: PassContent): Record<string, string> {
  const { t } = textsOf[locale];
  // In a change message the wallet replaces %@ by the new value.
  const texts = textIds.map((id) => [id, t(id, { value: "%@" })]);
  return { ...Object.fromEntries(texts), tier: content.tier[locale] };
}
