import bwip from "bwip-js/node";
import { type Locale, localePath } from "#i18n/locale.ts";

/** Where the shop's QR code leads: a registration that knows it comes from the shop. */
export function posterOf(publicUrl: string, locale: Locale) {
  const url = publicUrl + localePath(locale, "/authenticate/register?from=store");
  // Four modules of quiet around the code, as its standard asks; its level M survives a scratched poster.
  const quiet = { paddingwidth: 4, paddingheight: 4, backgroundcolor: "ffffff" };
  return { Url: url, QrSvg: bwip.toSVG({ bcid: "qrcode", text: url, scale: 1, ...quiet }) };
}
