/** The back office's calls about shops, their tills, keys, people and conflicts, as method and path. */
export const listShops = "GET office/shops";
export const readShop = "GET office/shop";
export const addShop = "POST office/shop";
export const readReport = "GET office/shop/report";
export const pairTill = "POST office/till/pair";
export const revokeTill = "POST office/till/revoke";
export const listKeys = "GET office/key";
export const addKey = "POST office/key";
export const rotateKey = "POST office/key/rotate";
export const revokeKey = "POST office/key/revoke";
export const addPerson = "POST office/shop/person";
export const renewPin = "POST office/staff/pin";
export const recordCard = "POST office/staff/card";
export const listConflicts = "GET office/conflict";
export const decideReturn = "POST office/conflict/return";
export const decidePoints = "POST office/conflict/points";
export const decideClock = "POST office/conflict/clock";
