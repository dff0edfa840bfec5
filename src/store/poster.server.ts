import { type Locale, localePath } from "#i18n/locale.ts";
import { qrSvg } from "#loyalty/barcode.server.ts";

/** Where the shop's QR code leads: a registration that knows it comes from the shop. */
export function posterOf(publicUrl: string, locale: Locale) {
  const url = publicUrl + localePath(locale, "/authenticate/register?from=store");
  return { Url: url, QrSvg: qrSvg(url) };
}
