/** How long a reset link stays valid. */
export const resetLinkMinutes = 30;
