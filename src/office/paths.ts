/** The back office: a document of its own, so that no page of a customer loads anything of it. */
export const officePath = "/office";
/** One's own ways in. */
export const myAccessPath = `${officePath}/me`;
/** Where an invitation's email leads. */
export const invitationPath = `${officePath}/invitation`;
/** Where the email leads by which a person chooses their PIN. */
export const pinPath = `${officePath}/pin`;
/** In the document of a browser that has no session: it is shown the sign-in without asking who is signed in. */
export const visitorMark = "office-visitor";
