/** The back office: a document of its own, so that no page of a customer loads anything of it. */
export const officePath = "/office";
/** Where an invitation's email leads. */
export const invitationPath = `${officePath}/invitation`;
/** Where the email leads by which somebody chooses their PIN. */
export const pinPath = `${officePath}/pin`;
