/** The club's public page; the member page is in identity's paths, since a sign-in may redirect to it. */
export const clubPath = "/loyalty";

/** The short address of a member's link for friends, followed by the member's code. */
export const friendPath = "/friend";

/** The page to which an obtained reward redirects: its query names the voucher, its fragment scrolls to it. */
export const obtainedParameter = "obtained";
export const obtainedFragment = "obtained";

/** The member page with this parameter has the code of a receipt filled in; the fragment scrolls to its form. */
export const receiptParameter = "receipt";
export const receiptFragment = "receipt";

/** Which page of the former club's history the member page shows. */
export const movedParameter = "former";

/** Without script, the member page's loader redirects from this query parameter to the wallet. */
export const walletParameter = "wallet";

/** The page that brings a card to the phone of a customer whom a shop has just registered. */
export const passPath = "/pass";
export const passTokenParameter = "token";

/** The id of the dialog with the card's code, and the fragment of the member page that opens it. */
export const cardDialog = "till";
