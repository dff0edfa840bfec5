import { officePath } from "#office/paths.ts";

/** Leads to the provider of the company; `for=proof` for a fresh proof, `goTo` says where to go on. */
export const companyPath = `${officePath}/company-account`;

/** The name under which the page says whether the company has a provider, and whether passwords are off. */
export const companyAccountName = "company-account";
