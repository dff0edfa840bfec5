/** The web shop's pages that this product links to. The last three may be pages of the brand's folder instead. */
export const shopPages = ["Orders", "Returns", "Favourites", "Contact", "Terms", "Privacy", "Imprint"] as const;

/** Their addresses, in one language. */
export type ShopPages = Record<(typeof shopPages)[number], string>;
