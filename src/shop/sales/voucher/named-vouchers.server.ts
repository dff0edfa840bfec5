import { refuseField } from "#platform/refusal.ts";
import { type CustomerTokens, isVoucherToken } from "#shop/keys/customer-token.server.ts";
import { type Holder, isOwnHold, type ShopVoucher } from "#shop/sales/purchase/facts.server.ts";

/** A voucher that a call names, by its code or by a token. */
export interface NamedVoucher {
  code: string;
  /** What the call sent, and the response calls it: a code is not given to a caller who does not have it. */
  sent: string;
  /** Its token is too old. */
  expired: boolean;
}

/**
 * The vouchers that a call names. Tokens become codes before the content of a receipt is compared: the same sale may be sent
 * again with another token of the same voucher, or after the token's end.
 */
export async function openVouchers(
  tokens: CustomerTokens,
  sent: readonly string[],
  shopId: number,
  now: Date,
): Promise<NamedVoucher[]> {
  const vouchers = await Promise.all(
    sent.map(async (text): Promise<NamedVoucher> => {
      if (!isVoucherToken(text)) return { code: text, sent: text, expired: false };
      const opened = (await tokens.openVoucher(text, shopId, now)) ?? refuseField("VoucherCodes", "invalid");
      return { ...opened, sent: text };
    }),
  );
  if (new Set(vouchers.map(({ code }) => code)).size < vouchers.length) refuseField("VoucherCodes", "invalid");
  return vouchers;
}

/** A sale as it was sent, with the codes of its vouchers. */
export async function withVouchers<Sale extends { voucherCodes: string[] }>(
  tokens: CustomerTokens,
  sale: Sale,
  shopId: number,
  now: Date,
) {
  const namedVouchers = await openVouchers(tokens, sale.voucherCodes, shopId, now);
  return { ...sale, voucherCodes: codesOf(namedVouchers), namedVouchers };
}

/** A voucher as the call named it. */
export const sentAs = (named: readonly NamedVoucher[], code: string): string =>
  named.find((one) => one.code === code)?.sent ?? code;

export const codesOf = (vouchers: readonly NamedVoucher[]) => vouchers.map(({ code }) => code);

/** The codes of tokens that are too old, unless this receipt has held the voucher: then the token was good when it was shown. */
export function expiredTokens(
  named: readonly NamedVoucher[],
  vouchers: readonly ShopVoucher[],
  holder: Holder | undefined,
): string[] {
  const isHeld = (code: string) => isOwnHold(vouchers.find((one) => one.code === code)?.hold ?? null, holder);
  return codesOf(named.filter(({ code, expired }) => expired && !isHeld(code)));
}

export function refuseExpiredTokens(...asked: Parameters<typeof expiredTokens>): void {
  if (expiredTokens(...asked).length > 0) refuseField("VoucherCodes", "invalid");
}
