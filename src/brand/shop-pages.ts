/** The web shop's pages that this product links to. The last four may be pages of the brand's folder instead. */
export const shopPages = [
  "Orders",
  "Returns",
  "Favourites",
  "Contact",
  "Terms",
  "Privacy",
  "Imprint",
  "Accessibility",
] as const;

/** Their addresses, in one language; empty where there is none. */
export type ShopPages = Record<(typeof shopPages)[number], string>;

/** The legal pages that a brand's folder may hold, and the links that lead to them. */
export const legalPages = [
  { name: "terms", link: "Terms" },
  { name: "privacy", link: "Privacy" },
  { name: "imprint", link: "Imprint" },
  { name: "accessibility", link: "Accessibility" },
] as const;
