/** The club's public page; the member's own is among identity's paths, since a sign-in may lead to it. */
export const clubPath = "/loyalty";
