/** The back office's call about everything that waits, as method and path. */
export const readInbox = "GET office/inbox";
