/** The back office's calls about shops and their tills, as method and path. */
export const pairTill = "POST office/till/pair";
export const revokeTill = "POST office/till/revoke";
