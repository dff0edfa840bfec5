/** So long a sale or a return can be undone with one press at a till. */
export const undoMs = 2 * 60_000;
