/** Identity's calls, as the wire spells them. */
export const signInWithEmail = "POST authentification/email";
export const signInWithGoogle = "POST authentification/google";
export const signInWithFacebook = "POST authentification/facebook";
export const sendCode = "POST authentification/code/send";
export const signInWithCode = "POST authentification/code";
export const passkeySignInOptions = "POST authentification/passkey/options";
export const signInWithPasskey = "POST authentification/passkey";
export const passkeyOptions = "POST customer/passkey/options";
export const addPasskey = "POST customer/passkey";
export const listPasskeys = "GET customer/passkey";
export const renamePasskey = "PUT customer/passkey/{id}";
export const removePasskey = "DELETE customer/passkey/{id}";
export const issueNonce = "POST customer/social/nonce";
export const linkGoogle = "POST customer/social/google";
export const linkFacebook = "POST customer/social/facebook";
export const autologin = "POST customer/autologin";
export const register = "POST customer";
export const askEmailAvailable = "POST customer/email/available";
export const validateVerification = "POST customer/email/validate";
export const verifyEmail = "POST customer/email/verify";
export const resendVerification = "POST customer/email/resend";
export const changeEmail = "POST customer/email";
export const readPendingEmail = "GET customer/email";
export const cancelEmailChange = "DELETE customer/email";
export const stopEmailChange = "POST customer/email/stop";
export const withdrawNewsletter = "POST customer/newsletter/withdraw";
export const readPreviousDetails = "GET customer/previous-details";
export const answerPreviousDetails = "POST customer/previous-details";
export const readCustomer = "GET customer";
export const editCustomer = "PUT customer";
export const eraseCustomer = "DELETE customer";
export const exportCustomer = "GET customer/export";
export const readExport = "GET customer/export/html";
export const readExportTable = "GET customer/export/csv";
export const forgetPassword = "POST customer/password/forget";
export const validateReset = "POST customer/password/validate";
export const resetPassword = "POST customer/password/reset";
export const changePassword = "POST customer/password";
export const listSessions = "GET customer/session";
export const endSession = "DELETE customer/session/{id}";
export const endOtherSessions = "DELETE customer/session";
export const listApplications = "GET customer/application";
export const removeApplication = "DELETE customer/application/{id}";
export const unlinkSocial = "DELETE customer/social/{provider}";

/** What the log's warning of a failed call begins with; the words are the specification's. */
const warnings: Partial<Record<string, string>> = {
  [editCustomer]: "Error editing customer: ",
  [autologin]: "Error signing in by link: ",
  [register]: "",
  [signInWithFacebook]: "",
};
export const identityWarningPrefix = (line: string): string | undefined => warnings[line];
