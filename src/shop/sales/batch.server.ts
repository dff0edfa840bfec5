import type { Locale } from "#i18n/locale.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import { type Fields, jsonText } from "#platform/api/fields.server.ts";
import { refuseUnknownFields, unknownFieldsOf, validateInput } from "#platform/api/request-checks.server.ts";
import { problemOf } from "#platform/problem.server.ts";
import { Refusal, refuseField } from "#platform/refusal.ts";
import { type KeyLimits, refuseScope } from "#shop/keys/keys.server.ts";
import { countSaleGuesses } from "#shop/sales/claim/guesses.server.ts";
import { postPurchase } from "#shop/sales/purchase/purchase.server.ts";
import { countReceiptGuesses, type ReceiptLimits } from "#shop/sales/return/receipt-proof.server.ts";
import { postReturn, receiptOf } from "#shop/sales/return/returns.server.ts";
import { withVouchers } from "#shop/sales/voucher/named-vouchers.server.ts";
import { withSeller } from "./at-till.server.ts";
import type { ShopDependencies } from "./dependencies.server.ts";
import { parseJson, purchaseInput, purchaseOf, returnInput, returnOf } from "./fields.server.ts";

const mostItems = 100;

type BatchParts = ShopDependencies & { limits: KeyLimits; receiptLimits: ReceiptLimits };

interface Context {
  now: Date;
  locale: Locale;
  requestId: string;
}

/** Sales and returns that a till queued, in their order. One that is refused does not stop the others. */
export async function postBatch(
  deps: BatchParts,
  caller: KeyCaller,
  { Items, SentAt }: { Items: string; SentAt: string },
  context: Context,
  refusalOf: (error: unknown) => Refusal,
) {
  const outcomes = [];
  for (const item of itemsOf(Items)) {
    const fields = fieldsOf(item, SentAt);
    const ReceiptNumber = fields?.["ReceiptNumber"] ?? "";
    try {
      outcomes.push({ ReceiptNumber, Status: 200, Answer: await postItem(deps, caller, fields, context) });
    } catch (error) {
      const refusal = refusalOf(error);
      const Problem = problemOf(refusal, context.locale, context.requestId);
      outcomes.push({ ReceiptNumber, Status: refusal.status, Problem });
    }
  }
  return { Outcomes: outcomes };
}

async function postItem(deps: BatchParts, caller: KeyCaller, fields: Fields | undefined, context: Context) {
  if (!fields) throw new Refusal("invalid");
  const { Kind } = fields;
  // PostgreSQL's text type cannot store a NUL.
  for (const [name, value] of Object.entries(fields)) if (value.includes("\0")) refuseField(name, "invalid");
  if (Kind === "purchase") {
    refuseScope(caller, "sell");
    refuseUnknownFields(caller, unknownFieldsOf(purchaseInput, fields, ["Kind"]));
    const sent = purchaseOf(validateInput(purchaseInput, fields), caller);
    const purchase = await withVouchers(deps.tokens, sent, caller.shopId, context.now);
    if (purchase.returnOf) refuseScope(caller, "return");
    const seller = await withSeller(deps.database, caller, fields["IdStaff"]);
    return countSaleGuesses(deps, caller, purchase, context.now, () => postPurchase(deps, seller, purchase, context));
  }
  if (Kind !== "return") refuseField("Kind", Kind === undefined ? "required" : "invalid");
  refuseScope(caller, "return");
  refuseUnknownFields(caller, unknownFieldsOf(returnInput, fields, ["Kind"]));
  const back = returnOf(validateInput(returnInput, fields), caller);
  const original = receiptOf(caller, back.returnOf);
  return countReceiptGuesses(deps, caller, original, context.now, () => postReturn(deps, caller, back, context.now));
}

function itemsOf(text: string): unknown[] {
  const items = parseJson(text);
  if (!Array.isArray(items) || items.length === 0) refuseField("Items", "invalid");
  if (items.length > mostItems) refuseField("Items", "too_long");
  return items;
}

/** An item's fields as a form would send them: what is not text is written as JSON. SentAt is the batch's. */
function fieldsOf(item: unknown, sentAt: string): Fields | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const fields: Fields = Object.create(null);
  for (const [name, value] of Object.entries(item))
    if (value !== null && value !== "") fields[name] = typeof value === "string" ? value : jsonText(value);
  fields["SentAt"] = sentAt;
  return fields;
}
