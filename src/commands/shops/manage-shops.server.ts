import { eq } from "drizzle-orm";
import { CommandRefused } from "#commands/command.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { type KeyScope, keyScopes, usualScopes } from "#shop/keys/key-scopes.ts";
import { addShop, createKey, revokeKey, rotateKey } from "#shop/keys/keys.server.ts";
import { shops } from "#shop/keys/shops.tables.server.ts";

const usage = `Usage:
  npm run shop -- add NAME CITY [web]
  npm run shop -- key IDSHOP NAME [SCOPE,…] [--api 2]   scopes: ${keyScopes.join(", ")}; identify, sell and return when absent
  npm run shop -- rotate PREFIX               makes a second key; the first one ends seven days later
  npm run shop -- revoke PREFIX`;

/** Shops and their keys, as an operator types them. The last line is the id or the key alone, for scripts. */
export async function manageShops(database: Database, words: string[], now: Date): Promise<string[]> {
  const [verb, ...rest] = words;
  if (verb === "add") return add(database, rest);
  if (verb === "key") return makeKey(database, rest, now);
  if (verb === "rotate") return rotate(database, rest, now);
  if (verb === "revoke") return revoke(database, rest, now);
  throw new CommandRefused(usage);
}

async function add(queries: Queries, [name, city, kind = "boutique", ...more]: string[]): Promise<string[]> {
  if (!name?.trim() || !city?.trim() || more.length > 0) throw new CommandRefused(usage);
  if (kind !== "boutique" && kind !== "web") throw new CommandRefused('The kind of a shop is "web" or left out.');
  if (name.length > 80 || city.length > 80) throw new CommandRefused("NAME and CITY have at most 80 characters.");
  const id = await addShop(queries, { name: name.trim(), city: city.trim(), kind });
  return [`The shop ${name.trim()}, ${city.trim()} (${kind}) was added. Its IdShop:`, String(id)];
}

async function makeKey(queries: Queries, words: string[], now: Date): Promise<string[]> {
  const option = words.indexOf("--api");
  const [api = "1"] = option < 0 ? [] : words.splice(option, 2).slice(1);
  if (api !== "1" && api !== "2") throw new CommandRefused("--api is 1 or 2.");
  const [shop, name, list, ...more] = words;
  if (!shop || !name?.trim() || more.length > 0) throw new CommandRefused(usage);
  const scopes = list === undefined ? usualScopes : list.split(",").map((scope) => scope.trim());
  const unknown = scopes.filter((scope) => !(keyScopes as readonly string[]).includes(scope));
  if (unknown.length > 0)
    throw new CommandRefused(`Unknown scope ${unknown.join(", ")}. Scopes: ${keyScopes.join(", ")}.`);
  const shopId = /^[1-9]\d{0,8}$/.test(shop) ? Number(shop) : 0;
  const [found] = await queries.select().from(shops).where(eq(shops.id, shopId));
  if (!found) throw new CommandRefused(`There is no shop ${shop}.`);
  const key = await createKey(queries, {
    shopId,
    name: name.trim(),
    scopes: scopes as KeyScope[],
    api: api === "2" ? 2 : 1,
    now,
  });
  return [`A key for ${found.name}, ${found.city}, with ${scopes.join(", ")}. It is shown only now:`, key];
}

/** A whole key names itself by its prefix. */
function prefixOf([word, ...more]: string[]): string {
  if (!word || more.length > 0) throw new CommandRefused(usage);
  return /^cercle_([^_]+)_/.exec(word)?.[1] ?? word;
}

async function rotate(database: Database, words: string[], now: Date): Promise<string[]> {
  const named = prefixOf(words);
  const key = await database.transaction((tx) => rotateKey(tx, named, now));
  if (!key) throw new CommandRefused(`There is no key ${named} to rotate, or it has been rotated already.`);
  return [`The key ${named} ends in seven days. The new one is shown only now:`, key];
}

async function revoke(queries: Queries, words: string[], now: Date): Promise<string[]> {
  const named = prefixOf(words);
  if (!(await revokeKey(queries, named, now))) throw new CommandRefused(`There is no key ${named} to revoke.`);
  return [`The key ${named} was revoked: no process accepts it from now on.`];
}
