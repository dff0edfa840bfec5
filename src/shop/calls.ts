/** The store's calls, in the wire's own spelling. */
export const readPoster = "GET loyalty/store/poster";
export const storeUpdate = "POST loyalty/store/update";
