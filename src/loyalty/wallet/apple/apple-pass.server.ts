import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installedBrand } from "#brand/brand.server.ts";
import { channelsOf, mixed } from "#brand/contrast.ts";
import { textsOf } from "#brand/texts.server.ts";
import { defaultLocale, type Locale, localePath, offeredLocales } from "#i18n/locale.ts";
import type { TextId } from "#i18n/texts.ts";
import { pagePaths } from "#identity/paths.ts";
import type { PassContent } from "#loyalty/wallet/pass-content.server.ts";
import type { AppleSigner, PassKey } from "./apple-signer.server.ts";

/** The web service that iPhones call; they append the version and the rest of the path. */
export const appleService = "/api/loyalty/wallet/apple";

/** The pass's colours by the tier's rank, those of the highest for all above; the logo has the colour of the text. */
export function appleColours(rank: number) {
  const { Colours, Statuses, colours } = installedBrand().theme;
  const [label, lightLabel] = [colours["gold-dark"] ?? "", colours["gold-light"] ?? ""];
  return rank < Statuses.length
    ? { background: mixed(Statuses[rank - 1] ?? "", 0.45, Colours.Paper), text: Colours.Ink, label, logo: "dark" }
    : { background: mixed(Statuses[2], 0.5, Colours.Ink), text: Colours.Paper, label: lightLabel, logo: "light" };
}

const rgb = (colour: string) => `rgb(${channelsOf(colour).join(", ")})`;

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

/** A picture of a pass. @2x and @3x are the same at twice and three times the size. */
const imageOf = (name: string) => readFileSync(join(installedBrand().directory, "derived", `wallet-${name}.png`));

/** A signed pass, as a .pkpass file. */
export async function applePass(
  signer: AppleSigner,
  pass: PassKey & { publicUrl: string; content: PassContent },
): Promise<Uint8Array<ArrayBuffer>> {
  // Loaded with the first pass: it takes a fifth of a second, which every start and every command would wait for.
  const { PKPass } = await import("passkit-generator");
  const { serial, publicUrl, content } = pass;
  const colours = appleColours(content.rank);
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
