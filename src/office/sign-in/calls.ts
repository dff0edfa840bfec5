/** The calls of signing in to the back office, as method and path. */
export const validateInvitation = "POST office/invitation/validate";
export const acceptInvitation = "POST office/invitation";
export const confirmInvitation = "POST office/invitation/confirm";
export const signIn = "POST office/sign-in";
export const passkeyOptions = "POST office/passkey/options";
export const signInWithPasskey = "POST office/passkey";
export const newPasskeyOptions = "POST office/passkey/new/options";
export const addPasskey = "POST office/passkey/new";
export const listPasskeys = "GET office/passkeys";
export const removePasskey = "POST office/passkey/remove";
export const prove = "POST office/proof";
export const readSession = "GET office/session";
export const companyLink = "GET office/company-account/link";
export const signOut = "POST office/sign-out";
