/** The shop's API calls, as method and path; "store" is the wire's word for a shop in the customer's calls. */
export const readPoster = "GET loyalty/store/poster";
/** What elements of other sites' pages show. */
export const readEmbed = "GET embed";
export const updateInShop = "POST loyalty/store/update";

/** Calls with a key of a shop. */
export const identify = "POST shop/identify";
export const quote = "POST shop/quote";
export const holdVouchers = "POST shop/voucher/hold";
export const releaseVouchers = "POST shop/voucher/release";
export const postPurchase = "POST shop/purchase";
export const amendPurchase = "POST shop/purchase/amend";
export const readPurchase = "GET shop/purchase";
export const readCatalogue = "GET shop/catalogue";
export const postBatch = "POST shop/purchase/batch";
export const postReturn = "POST shop/return";
export const voidSale = "POST shop/void";
export const joinInShop = "POST shop/join";
export const withdrawConsent = "POST shop/consent";
export const readReport = "GET shop/report";
export const closeDay = "POST shop/close";
export const readEvents = "GET shop/event";
export const openEmbed = "POST shop/embed";
