export const readLegalPage = "GET legal";
