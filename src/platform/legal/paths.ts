/** The pages of the brand's own legal texts. */
export const legalPath = "/legal";
