import { PKPass } from "passkit-generator";
import { defaultLocale, type Locale, localePath, locales } from "#i18n/locale.ts";
import { textsOf } from "#i18n/texts.server.ts";
import type { TextId } from "#i18n/texts.ts";
import { pagePaths } from "#identity/paths.ts";
import { markPng } from "#ui/mark.server.ts";
import type { AppleSigner } from "./apple-signer.server.ts";
import type { PassContent } from "./pass-content.server.ts";

/** The web service that iPhones call; they append the version and the rest of the path. */
export const appleService = "/api/loyalty/wallet/apple";

/** The pass's colours by the tier's rank; the logo has the colour of the text. */
const tierColours = [
  { background: [239, 234, 224], text: [11, 10, 12], label: [107, 84, 39] },
  { background: [232, 220, 198], text: [11, 10, 12], label: [107, 84, 39] },
  { background: [19, 18, 20], text: [255, 255, 255], label: [217, 196, 154] },
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

const images = new Map<string, Buffer>();

function imageOf(name: string, size: number, ring: readonly [number, number, number] | undefined): Buffer {
  const key = `${name}:${size}:${ring}`;
  const drawn = images.get(key) ?? markPng(size, ring ? { field: null, ring, scale: 1.35 } : {});
  images.set(key, drawn);
  return drawn;
}

/** A signed pass, as a .pkpass file. */
export function applePass(
  signer: AppleSigner,
  pass: { serial: string; publicUrl: string; content: PassContent },
): Uint8Array<ArrayBuffer> {
  const { serial, publicUrl, content } = pass;
  const colours = tierColours[content.rank - 1] ?? tierColours[0];
  const files: Record<string, Buffer> = {};
  for (const [suffix, times] of [
    ["", 1],
    ["@2x", 2],
    ["@3x", 3],
  ] as const) {
    files[`icon${suffix}.png`] = imageOf("icon", 29 * times, undefined);
    files[`logo${suffix}.png`] = imageOf("logo", 50 * times, colours.text);
  }
  const file = new PKPass(
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
      backgroundColor: rgb(colours.background),
      foregroundColor: rgb(colours.text),
      labelColor: rgb(colours.label),
      webServiceURL: publicUrl + appleService,
      authenticationToken: signer.tokenOf(serial),
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
  for (const locale of locales) file.localize(locale, translations(locale, content));
  return new Uint8Array(file.getAsBuffer());
}

function translations(locale: Locale, content: PassContent): Record<string, string> {
  const { t } = textsOf[locale];
  // In a change message the wallet replaces %@ by the new value.
  const texts = textIds.map((id) => [id, t(id, { value: "%@" })]);
  return { ...Object.fromEntries(texts), tier: content.tier[locale] };
}
