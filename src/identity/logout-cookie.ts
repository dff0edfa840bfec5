/** Signs out: the next request that carries it ends the session on the server. */
export const logoutCookie = "auth.logout=1; path=/; max-age=2592000; samesite=lax";
