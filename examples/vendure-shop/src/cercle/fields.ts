import type { CustomFieldConfig, Order } from "@vendure/core";

declare module "@vendure/core/dist/entity/custom-entity-fields.js" {
  interface CustomOrderFields {
    /** Tokens of the vouchers on the order, with commas. */
    cercleVouchers: string | null;
    /** What they are worth together, in cents. */
    cercleVoucherValue: number | null;
    /** What the order earned, less what returns took. */
    cerclePoints: number | null;
    cerclePointsArriveAt: Date | null;
    /** Of an order without a member: the address that adds its points to an account. */
    cercleClaimUrl: string | null;
    /** What was sent of the order, as JSON: see receipt.ts. */
    cercleReceipt: string | null;
    /** Why Cercle refused something for good: a person must look. */
    cercleProblem: string | null;
  }
  interface CustomCustomerFields {
    cercleSub: string | null;
    /** Of the last sign-in: the browser is sent to sign out with it. */
    cercleIdToken: string | null;
  }
}

const ofShop = { nullable: true, readonly: true } as const;
const ofServer = { nullable: true, public: false } as const;

export const orderFields: CustomFieldConfig[] = [
  { name: "cercleVouchers", type: "text", ...ofServer },
  { name: "cercleVoucherValue", type: "int", ...ofShop },
  { name: "cerclePoints", type: "int", ...ofShop },
  { name: "cerclePointsArriveAt", type: "datetime", ...ofShop },
  { name: "cercleClaimUrl", type: "string", ...ofShop },
  { name: "cercleReceipt", type: "text", ...ofServer },
  { name: "cercleProblem", type: "text", ...ofServer },
];

export const customerFields: CustomFieldConfig[] = [
  { name: "cercleSub", type: "string", unique: true, ...ofServer },
  { name: "cercleIdToken", type: "text", ...ofServer },
];

export const subOf = (order: Order): string | undefined => order.customer?.customFields.cercleSub ?? undefined;
