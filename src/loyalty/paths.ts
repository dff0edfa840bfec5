/** The club's public page; the member page is in identity's paths, since a sign-in may redirect to it. */
export const clubPath = "/loyalty";
