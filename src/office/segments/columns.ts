/** What a file for a mailing tool may hold of each member, in its order. */
export const exportColumns = [
  ...(["IdCustomer", "Email", "MobilePhone", "Firstname", "Lastname", "Language"] as const),
  ...(["Tier", "Points", "JoinedAt"] as const),
] as const;
export type ExportColumn = (typeof exportColumns)[number];
