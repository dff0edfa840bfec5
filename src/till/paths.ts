/** The till screen: a document of its own, so that no page of a customer loads anything of it. */
export const tillPath = "/till";
/** The till screen with a pairing code filled in. In the fragment, which no server logs. */
export const pairingPath = (code: string) => `${tillPath}#code=${code}`;
export const pairingCodeOf = (fragment: string) => /^#code=(\w{8})$/.exec(fragment)?.[1];
