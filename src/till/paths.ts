/** The till screen: a document of its own, so that no page of a customer loads anything of it. */
export const tillPath = "/till";
