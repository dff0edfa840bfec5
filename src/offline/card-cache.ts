/**
 * The member's card and vouchers, cached for a till without a network: in the browser's CacheStorage, in a cache named
 * by the customer's id. It is deleted as soon as another person is signed in, or no one.
 */
const prefix = "cercle-card-";
/** The number is the version of the cached shape: a card cached by an older release is deleted, not misread. */
const currentPrefix = `${prefix}1-`;

/** The key of the card within its cache. */
export const cardKey = "/stored-card";
/** For so long a card is shown without a network: on a lost or lent phone it must not stay for ever. */
export const maxCardAgeDays = 30;
/** The timeout of a page when the card is cached: at a till, the cached card is better than a slow page. */
export const pageTimeoutMs = 3_000;

export const cardEndsAt = (asOf: string): Date => new Date(Date.parse(asOf) + maxCardAgeDays * 86_400_000);
export const isTooOld = (asOf: string): boolean => cardEndsAt(asOf).getTime() <= Date.now();

/** Undefined outside a secure context, as over plain http from another machine. */
export const cacheStorage = (): CacheStorage | undefined => ("caches" in globalThis ? caches : undefined);

export const cacheNameOf = (customerId: number): string => `${currentPrefix}${customerId}`;

/** The names of all caches of cards, of any version. */
async function cachedCardNames(): Promise<string[]> {
  try {
    return ((await cacheStorage()?.keys()) ?? []).filter((name) => name.startsWith(prefix));
  } catch (error) {
    // A browser that refuses its storage has stored no card.
    if (error instanceof DOMException && error.name === "SecurityError") return [];
    throw error;
  }
}

/** Deletes every cached card except that of the customer who is signed in; without one, all. */
export async function deleteCachedCards(exceptOf?: number): Promise<void> {
  const own = exceptOf === undefined ? undefined : cacheNameOf(exceptOf);
  const others = (await cachedCardNames()).filter((name) => name !== own);
  await Promise.all(others.map((name) => cacheStorage()?.delete(name)));
}

/** The cache of the only cached card. With two it is unknown whose phone this is: then there is none. */
export async function findCardCache(): Promise<Cache | undefined> {
  const [name, ...more] = await cachedCardNames();
  return more.length === 0 && name?.startsWith(currentPrefix) ? cacheStorage()?.open(name) : undefined;
}

/** Whether a card can be shown without a network. */
export async function hasCachedCard(): Promise<boolean> {
  const card: { asOf: string } | undefined = await (await (await findCardCache())?.match(cardKey))?.json();
  return card !== undefined && !isTooOld(card.asOf);
}
