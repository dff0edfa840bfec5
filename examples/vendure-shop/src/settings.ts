/** Written by start.mjs, from what Cercle's operator was told when the shop was registered there. */
const read = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set.`);
  return value;
};

export const settings = {
  /** Where Cercle is: the API, and the issuer of sign-ins. */
  cercleUrl: read("CERCLE_URL"),
  cercleKey: read("CERCLE_KEY"),
  clientId: read("CERCLE_CLIENT_ID"),
  clientSecret: read("CERCLE_CLIENT_SECRET"),
  /** What customers see. */
  shopUrl: read("SHOP_URL"),
  shopPort: Number(read("SHOP_PORT")),
  vendurePort: Number(read("VENDURE_PORT")),
  databaseSocket: read("SHOP_DATABASE_SOCKET"),
  /** Of Vendure's first administrator. */
  adminPassword: read("SHOP_ADMIN_PASSWORD"),
};
