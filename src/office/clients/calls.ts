/** The back office's calls about web shops and apps at which customers sign in with their account, as method and path. */
export const listClients = "GET office/client";
export const addClient = "POST office/client";
export const rotateClient = "POST office/client/rotate";
export const disableClient = "POST office/client/disable";
