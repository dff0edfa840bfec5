/** The shop's call, in the wire's own spelling. */
export const storeUpdate = "POST loyalty/store/update";
