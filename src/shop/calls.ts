/** The shop's API calls, as method and path; "store" is the wire's word for a shop. */
export const readPoster = "GET loyalty/store/poster";
export const updateInShop = "POST loyalty/store/update";
