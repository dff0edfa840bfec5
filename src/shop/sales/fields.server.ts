import { z } from "zod";
import { centsOf, isAmount, mostCents } from "#brand/amounts.ts";
import { lineCodePattern, mostCodesOfLine, priceTypes } from "#loyalty/programme/line-rule.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import { fieldTypes, refusedAs } from "#platform/api/endpoint.server.ts";
import { refuseField } from "#platform/refusal.ts";
import { isVoucherToken } from "#shop/keys/customer-token.server.ts";
import { refuseScope } from "#shop/keys/keys.server.ts";
import type { CustomerNamed } from "#shop/sales/purchase/facts.server.ts";
import type { Goods } from "#shop/sales/purchase/pricing.server.ts";
import type { Purchase } from "#shop/sales/purchase/purchase.server.ts";
import { proofFields, proofOf } from "#shop/sales/return/receipt-proof.server.ts";
import type { Return, ReturnOf } from "#shop/sales/return/returns.server.ts";
import type { Asked } from "./sales.tables.server.ts";
import { isStrictWeb, refuseCurrency } from "./strict-web.server.ts";

const mostLines = 200;
const mostVouchers = 10;

/** A position on a receipt, never the code of an article. */
const position = z
  .union([z.string(), z.int()], refusedAs("invalid"))
  .transform(String)
  .refine((text) => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= mostLines);
const amount = z.string(refusedAs("amount")).refine(isAmount, "amount").meta({ format: "amount" });

const soldLine = z.strictObject({
  Line: position,
  Amount: amount,
  Earns: z.boolean().default(true),
  PriceType: z.enum(priceTypes, { error: () => "invalid" }).optional(),
  Codes: z
    .array(z.string(refusedAs("invalid")).regex(lineCodePattern))
    .max(mostCodesOfLine, "too_long")
    .optional(),
});
const returnedLine = z.strictObject({ Line: position, Amount: amount.optional() });

/**
 * One JSON text in a field, or in a batch the value itself. A refusal names the first place that is wrong, counted from 0:
 * `Lines.2.Amount`. All of them could be more than what was sent.
 */
function jsonField<Schema extends z.ZodType>(schema: Schema, max: number) {
  return z
    .string()
    .max(max, "too_long")
    .transform((text, context): z.output<Schema> => {
      const parsed = schema.safeParse(parseJson(text));
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      const [unknown = ""] = issue?.code === "unrecognized_keys" ? issue.keys : [];
      const path = [...(issue?.path ?? []), ...(unknown ? [unknown.slice(0, 64)] : [])];
      context.addIssue({ code: "custom", message: unknown ? "unknown" : (issue?.message ?? "invalid"), path });
      return z.NEVER;
    })
    .meta({ contentMediaType: "application/json", contentSchema: schema });
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const linesOf = <Schema extends z.ZodType<{ Line: string }>>(line: Schema) =>
  z
    .array(line)
    .min(1, "required")
    .max(mostLines, "too_long")
    .superRefine((lines, context) => {
      const again = lines.findIndex((one, index) => lines.findIndex(({ Line }) => Line === one.Line) < index);
      if (again >= 0) context.addIssue({ code: "custom", message: "twice", path: [again, "Line"] });
    });
const totalCents = (lines: readonly { Amount: string }[]) => lines.reduce((sum, one) => sum + centsOf(one.Amount), 0);

/** Of a receipt: web shops write `#1001`. */
const numberPattern = /^[\w./#-]+$/;
/** As it is recorded: what an amendment added to a sale has its number after a tilde, which no shop sends. */
const recordedPattern = /^[\w./#-]{1,64}(~\d{1,4})?$/;

const returnOfSchema = z.strictObject({
  OriginalReceiptNumber: z.string(refusedAs("invalid")).regex(numberPattern).max(64),
  OriginalIdShop: z.int().positive().max(2_147_483_647).optional(),
  ...proofFields,
  Lines: linesOf(returnedLine).optional(),
  Amount: amount.optional(),
});

const moment = () => z.iso.datetime({ offset: true, ...refusedAs("time") }).describe("2026-11-15T18:30:00+01:00");

/** The fields that sales and returns share. */
export const saleFields = {
  receiptNumber: () =>
    fieldTypes.text(64).regex(numberPattern, "invalid").describe("The shop's own number, unique in it for good"),
  recordedNumber: () =>
    fieldTypes
      .text(69)
      .regex(recordedPattern, "invalid")
      .describe("The shop's own number; `~1` after it: of an amendment"),
  reference: () =>
    fieldTypes
      .text(64)
      .regex(numberPattern, "invalid")
      .describe("The shop's own, as the id of a basket that has no receipt number yet"),
  currency: () =>
    fieldTypes.text(3).describe("Of all amounts: that of the club. A web shop's key made with --api 2 must send it"),
  soldAt: () => moment().describe("When it was sold, by the till's clock"),
  sentAt: () => moment().describe("Now, by the till's clock: corrects SoldAt"),
  cardNumber: () => fieldTypes.text(64).describe("Thirteen digits"),
  customerToken: () => fieldTypes.text(2_000).describe("From shop/identify"),
  sub: () =>
    z
      .uuid(refusedAs("invalid"))
      .describe("The sub of a customer who is signed in at a web shop by OpenID Connect; needs the scope sub"),
  lines: () =>
    jsonField(linesOf(soldLine), 30_000).describe(
      'JSON, in a JSON body also as a list: [{ "Line": "1", "Amount": "{amount}", "Earns": true }]; {most} in all at most. A line may have PriceType (full when absent, sale, outlet, service or giftcard) and up to eight Codes (shop/catalogue)',
    ),
  returnedLines: () =>
    jsonField(linesOf(returnedLine), 30_000).describe('JSON: [{ "Line": "1", "Amount": "{amount}" }]'),
  amount: () => fieldTypes.amount(),
  voucherCodes: () =>
    fieldTypes
      .text(1_000)
      .transform((text) =>
        text
          .split(",")
          .map((one) => one.trim())
          .map((one) => (isVoucherToken(one) ? one : one.toUpperCase())),
      )
      .refine(
        (codes) => codes.length <= mostVouchers && new Set(codes).size === codes.length && !codes.includes(""),
        "invalid",
      )
      .describe("Codes, or tokens from shop/identify, separated by commas, at most ten"),
  returnOf: () =>
    jsonField(returnOfSchema, 30_000).describe('JSON: { "OriginalReceiptNumber": "4711", "Lines": [{ "Line": "2" }] }'),
  shopId: () => fieldTypes.integerId(),
};

export const customerFields = {
  CardNumber: saleFields.cardNumber().optional(),
  CustomerToken: saleFields.customerToken().optional(),
  Sub: saleFields.sub().optional(),
};
export const goodsFields = { Lines: saleFields.lines().optional(), Amount: saleFields.amount().optional() };

export const purchaseInput = z.object({
  ReceiptNumber: saleFields.receiptNumber(),
  SoldAt: saleFields.soldAt(),
  SentAt: saleFields.sentAt(),
  ...customerFields,
  ...goodsFields,
  VoucherCodes: saleFields.voucherCodes().optional(),
  OnVoucherLost: z
    .enum(["refuse", "accept"], { error: () => "invalid" })
    .optional()
    .describe(
      "Of an order that is paid: accept records it without a voucher that was used, held, cancelled or expired meanwhile",
    ),
  Reference: saleFields.reference().optional().describe("If its vouchers are held for one"),
  DispatchedAt: moment()
    .optional()
    .describe("Of a pre-order, by the clock of SentAt: its points are pending, and its age counts, from then"),
  Currency: saleFields.currency().optional(),
  ReturnOf: saleFields.returnOf().optional(),
  LanguageIsoCode: fieldTypes.language(),
});

export const returnInput = z.object({
  ReceiptNumber: saleFields.receiptNumber(),
  OriginalReceiptNumber: saleFields.receiptNumber(),
  OriginalIdShop: saleFields.shopId().optional().describe("If it was sold in another shop: then with proof"),
  ...proofFields,
  Lines: saleFields.returnedLines().optional(),
  Amount: saleFields.amount().optional().describe("Money given back; absent, all that is left"),
  Spread: fieldTypes
    .flag()
    .optional()
    .describe("With Amount, of a sale with lines: lays it on all lines, in proportion to what is left of each"),
  MayArriveEarly: fieldTypes
    .flag()
    .optional()
    .describe("Of a web shop's key made with --api 2: a return whose sale has not arrived waits, and is not refused"),
  Currency: saleFields.currency().optional(),
  SoldAt: saleFields.soldAt().optional(),
  SentAt: saleFields.sentAt().optional(),
  LanguageIsoCode: fieldTypes.language(),
});

/** Lines, or one amount, which is one line that earns. */
export function goodsOf({
  Lines,
  Amount,
}: {
  Lines?: z.output<typeof soldLine>[] | undefined;
  Amount?: string | undefined;
}): Goods {
  if (Lines && Amount !== undefined) refuseField("Amount", "twice");
  if (Lines && totalCents(Lines) > mostCents) refuseField("Lines", "invalid");
  if (Lines)
    return {
      whole: false,
      // What is absent stays absent: it is part of the content by which a repeated call is recognised.
      lines: Lines.map(({ Line, Amount: price, Earns, PriceType, Codes }) => ({
        ...{ line: Line, cents: centsOf(price), earns: Earns },
        ...(PriceType && { priceType: PriceType }),
        ...(Codes && { codes: Codes }),
      })),
    };
  if (Amount === undefined) refuseField("Lines", "required");
  return { whole: true, lines: [{ line: "1", cents: centsOf(Amount), earns: true }] };
}

/** A card, a token or a subject, one of them; a subject needs its scope. */
export function refuseTwoCustomers({ CardNumber, CustomerToken, Sub }: CustomerNamed, caller: KeyCaller) {
  if (CardNumber !== undefined && CustomerToken !== undefined) refuseField("CustomerToken", "twice");
  if (Sub === undefined) return;
  if (CardNumber !== undefined || CustomerToken !== undefined) refuseField("Sub", "twice");
  refuseScope(caller, "sub");
}

/** What a return asks for; `field` is where its amount stands. */
export function askedOf(
  {
    Lines,
    Amount,
    Spread,
  }: {
    Lines?: z.output<typeof returnedLine>[] | undefined;
    Amount?: string | undefined;
    Spread?: boolean | undefined;
  },
  field = "Amount",
): Asked {
  if (Lines && Amount !== undefined) refuseField(field, "twice");
  if (Spread && Amount === undefined) refuseField("Spread", "invalid");
  if (Lines)
    return {
      lines: Lines.map((line) => ({ line: line.Line, cents: line.Amount === undefined ? null : centsOf(line.Amount) })),
    };
  return Amount === undefined ? { all: true } : { cents: centsOf(Amount), ...(Spread && { spread: true }) };
}

export function purchaseOf(input: z.output<typeof purchaseInput>, caller: KeyCaller): Purchase {
  refuseTwoCustomers(input, caller);
  refuseCurrency(caller, input.Currency);
  const { ReturnOf } = input;
  return {
    receiptNumber: input.ReceiptNumber,
    soldAt: new Date(input.SoldAt),
    sentAt: new Date(input.SentAt),
    CardNumber: input.CardNumber,
    CustomerToken: input.CustomerToken,
    Sub: input.Sub,
    goods: goodsOf(input),
    voucherCodes: input.VoucherCodes ?? [],
    acceptsLostVouchers: input.OnVoucherLost === "accept",
    reference: input.Reference,
    dispatchedAt: input.DispatchedAt === undefined ? undefined : new Date(input.DispatchedAt),
    returnOf: ReturnOf && returnOfField(ReturnOf),
  };
}

const returnOfField = (named: z.output<typeof returnOfSchema>): ReturnOf => ({
  ...originalOf(named),
  asked: askedOf(named, "ReturnOf.Amount"),
});

/** Without a shop the receipt is of the caller's own: nothing is to be proved, and such fields were never content. */
const originalOf = (
  named: Pick<z.output<typeof returnOfSchema>, "OriginalReceiptNumber" | "OriginalIdShop" | keyof typeof proofFields>,
) => ({
  originalNumber: named.OriginalReceiptNumber,
  originalShopId: named.OriginalIdShop,
  proof: named.OriginalIdShop === undefined ? undefined : proofOf(named),
});

export function returnOf(input: z.output<typeof returnInput>, caller: KeyCaller): Return {
  refuseCurrency(caller, input.Currency);
  return {
    receiptNumber: input.ReceiptNumber,
    soldAt: input.SoldAt === undefined ? undefined : new Date(input.SoldAt),
    sentAt: input.SentAt === undefined ? undefined : new Date(input.SentAt),
    returnOf: { ...originalOf(input), asked: askedOf(input) },
    mayWait: input.MayArriveEarly === true || !isStrictWeb(caller),
  };
}
