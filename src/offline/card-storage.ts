/**
 * Where this browser keeps the card and the vouchers it saw last, for a till without a network: in its own cache
 * storage, under the customer's number. Once somebody else is signed in, or nobody, nothing of it may stay.
 */
const kind = "cercle-card-";
/** Grows when the shape of what is kept changes: what an older page kept is forgotten, not misread. */
const prefix = `${kind}1-`;

/** Absent where the page came over plain http from another machine. */
export const storage = (): CacheStorage | undefined => ("caches" in globalThis ? caches : undefined);

export const cardOf = (customerId: number): string => `${prefix}${customerId}`;

/** Everything that is kept, of whichever shape. */
async function keptCards(): Promise<string[]> {
  return ((await storage()?.keys()) ?? []).filter((name) => name.startsWith(kind));
}

/** Removes every kept card but the one of the customer who is signed in; without one, all. */
export async function forgetCards(exceptOf?: number): Promise<void> {
  const mine = exceptOf === undefined ? undefined : cardOf(exceptOf);
  const others = (await keptCards()).filter((name) => name !== mine);
  await Promise.all(others.map((name) => storage()?.delete(name)));
}

/** The one kept card. Two would mean that nobody can say whose phone this is: then there is none. */
export async function theKeptCard(): Promise<string | undefined> {
  const [name, ...more] = await keptCards();
  return more.length === 0 && name?.startsWith(prefix) ? name : undefined;
}
