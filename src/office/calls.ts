/** The back office's API calls, as method and path. */
export const readSession = "GET office/session";
export const signOut = "POST office/sign-out";
