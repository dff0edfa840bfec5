/** Where an invitation's letter leads. */
export const invitationPath = "/office/invitation";
