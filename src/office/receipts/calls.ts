/** The back office's calls about receipts, as method and path. */
export const readReceipt = "GET office/receipt";
export const listReceipts = "GET office/receipts";
export const findReceipts = "GET office/receipts/find";
export const attachReceipt = "POST office/receipt/attach";
