/** The till screen's API calls, as method and path. */
export const readState = "GET till/state";
export const pair = "POST till/pair";
export const unpair = "POST till/unpair";
export const signIn = "POST till/sign-in";
export const lock = "POST till/lock";
export const readCatalogue = "GET till/catalogue";
export const readReceipt = "GET till/receipt";
export const listOtherShops = "GET till/shop";
export const searchByName = "POST till/search";
export const enrol = "POST till/enrol";
export const obtainVoucher = "POST till/reward/obtain";
export const listReceipts = "POST till/customer/receipts";
export const undoReturn = "POST till/return/undo";
export const emailReceipt = "POST till/receipt/email";
export const countDay = "POST till/day/count";
export const readDay = "GET till/day";

/** The shop's own calls (src/shop/calls.ts), with a paired device and a person instead of a key. */
export const identify = "POST till/identify";
export const quote = "POST till/quote";
export const holdVouchers = "POST till/voucher/hold";
export const releaseVouchers = "POST till/voucher/release";
export const postPurchase = "POST till/purchase";
export const postBatch = "POST till/purchase/batch";
export const postReturn = "POST till/return";
export const voidSale = "POST till/void";
export const join = "POST till/join";
