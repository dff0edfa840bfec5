/** What a customer's fields may hold, for tables, contracts and forms alike. */
export const civilities = ["M", "Mme"] as const;
/** Of a first or last name, in characters. */
export const nameLength = 100;
