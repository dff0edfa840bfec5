/**
 * How much of a user agent is read. Browsers send 100 to 300 characters; on 15 kB, patterns with `.*` would block the
 * event loop, since their time grows with the square or the cube of the length.
 */
export const userAgentLength = 512;
