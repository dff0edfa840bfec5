/** The back office's API calls, as method and path. */
export const validateInvitation = "POST office/invitation/validate";
export const acceptInvitation = "POST office/invitation";
export const confirmInvitation = "POST office/invitation/confirm";
export const readSession = "GET office/session";
export const signOut = "POST office/sign-out";
