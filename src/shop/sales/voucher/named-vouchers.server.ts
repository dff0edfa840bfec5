import { refuseField } from "#platform/refusal.ts";
import { type CustomerTokens, isVoucherToken } from "#shop/keys/customer-token.server.ts";
import type { ReceiptKey, ShopVoucher } from "#shop/sales/purchase/facts.server.ts";

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

export const codesOf = (vouchers: readonly NamedVoucher[]) => vouchers.map(({ code }) => code);

/** Refuses tokens that are too old, unless this receipt has held the voucher: then the token was good when it was shown. */
export function refuseExpiredTokens(
  named: readonly NamedVoucher[],
  vouchers: readonly ShopVoucher[],
  receipt: ReceiptKey | undefined,
): void {
  const isHeld = (code: string) => {
    const hold = vouchers.find((one) => one.code === code)?.hold;
    return hold != null && hold.shopId === receipt?.shopId && hold.number === receipt.number;
  };
  if (named.some(({ code, expired }) => expired && !isHeld(code))) refuseField("VoucherCodes", "invalid");
}
