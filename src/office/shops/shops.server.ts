import { and, asc, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { entryOf, type When } from "#office/audit.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { StaffRole } from "#platform/api/endpoint.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { addShop as writeShop } from "#shop/keys/keys.server.ts";
import { shopKeys, shops } from "#shop/keys/shops.tables.server.ts";
import { countConflicts } from "#shop/sales/review/conflicts.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { maxFailedAttempts } from "#till/sign-in/sign-in.server.ts";
import { findShop } from "./own-shop.server.ts";

const describe = ({ id, name, city, kind, closedAt }: typeof shops.$inferSelect) => ({
  IdShop: id,
  Name: name,
  City: city,
  Kind: kind,
  ClosedAt: closedAt?.toISOString() ?? null,
});

/** Every shop, or the caller's own. */
export async function listShops(queries: Queries, { shopId }: OfficeCaller, now: Date) {
  const valid = sql`k.shop_id = ${shops.id} and k.revoked_at is null
    and (k.ends_at is null or k.ends_at > ${now.toISOString()}::timestamptz)`;
  const rows = await queries
    .select({
      shop: shops,
      tills: sql<number>`(select count(*)::integer from shop_key k where ${valid} and k.kind = 'till')`,
      keys: sql<number>`(select count(*)::integer from shop_key k where ${valid} and k.kind = 'key')`,
    })
    .from(shops)
    .where(shopId === null ? undefined : eq(shops.id, shopId))
    .orderBy(sql`${shops.closedAt} is not null`, asc(shops.name), asc(shops.id));
  const waiting = await countConflicts(queries, shopId ?? undefined);
  return {
    Shops: rows.map(({ shop, tills, keys }) => ({
      ...describe(shop),
      CreatedAt: shop.createdAt.toISOString(),
      Tills: tills,
      Keys: keys,
      Conflicts: waiting.get(shop.id) ?? 0,
    })),
  };
}

interface Seller extends Record<string, unknown> {
  id: number;
  firstname: string;
  lastname: string;
  role: StaffRole;
  has_pin: boolean;
  has_own_card: boolean;
  locked: boolean;
  is_of_shop: boolean;
}

/** One shop: its tills, the paired ones first, and who may sign in on them. */
export async function readShop(queries: Queries, caller: OfficeCaller, shopId: number) {
  const shop = await findShop(queries, caller, shopId);
  const tills = await queries
    .select()
    .from(shopKeys)
    .where(and(eq(shopKeys.shopId, shopId), eq(shopKeys.kind, "till")))
    .orderBy(sql`${shopKeys.revokedAt} desc nulls first`, desc(shopKeys.createdAt));
  const { rows: people } = await queries.execute<Seller>(sql`
    select p.id, p.firstname, p.lastname, p.role, p.pin_hash is not null as has_pin,
      p.own_customer_id is not null as has_own_card, p.shop_id is not null as is_of_shop, exists (
        select from till_pin_attempt m join shop_key k on k.prefix = m.key_prefix
        where m.staff_id = p.id and k.shop_id = ${shopId} and m.failed_attempts >= ${maxFailedAttempts}) as locked
    from staff p
    where p.ended_at is null and (p.shop_id = ${shopId} or p.shop_id is null and p.pin_hash is not null)
    order by p.shop_id is null, p.firstname, p.lastname, p.id`);
  return {
    Shop: describe(shop),
    Tills: tills.map((till) => ({
      Till: till.prefix,
      Name: till.name,
      PairedAt: till.createdAt.toISOString(),
      SeenAt: till.usedAt?.toISOString() ?? null,
      RevokedAt: till.revokedAt?.toISOString() ?? null,
    })),
    Staff: people.map((person) => ({
      IdStaff: person.id,
      Firstname: person.firstname,
      Lastname: person.lastname,
      Role: person.role,
      HasPin: person.has_pin,
      HasOwnCard: person.has_own_card,
      Locked: person.locked,
      IsOfShop: person.is_of_shop,
    })),
  };
}

export async function addShop(
  database: Database,
  caller: OfficeCaller,
  { Name: name, City: city, Kind: kind }: { Name: string; City: string; Kind: "boutique" | "web" },
  { now, requestId }: When,
) {
  return database.transaction(async (tx) => {
    const shopId = await writeShop(tx, { name, city, kind });
    const after = { name, city, kind };
    await writeAudit(tx, entryOf(caller, { action: "shop_added", shopId, after, requestId, at: now }));
    return { IdShop: shopId };
  });
}

/** Ends every till and key of a shop, and codes that would pair another. What it has sold stays as it is. */
export async function closeShop(
  database: Database,
  caller: OfficeCaller,
  shopId: number,
  { now, requestId }: When,
): Promise<{ Tills: number; Keys: number }> {
  return database.transaction(async (tx) => {
    const [shop] = await tx.select().from(shops).where(eq(shops.id, shopId)).for("update");
    if (!shop) throw new Refusal("not_found");
    if (shop.closedAt) throw new Refusal("shop_closed");
    await tx.update(shops).set({ closedAt: now }).where(eq(shops.id, shopId));
    await tx.execute(sql`delete from till_pairing where shop_id = ${shopId}`);
    const ended = await tx
      .update(shopKeys)
      .set({ revokedAt: now })
      .where(and(eq(shopKeys.shopId, shopId), isNull(shopKeys.revokedAt)))
      .returning({ kind: shopKeys.kind });
    const tills = ended.filter(({ kind }) => kind === "till").length;
    const after = { closed: true, tills, keys: ended.length - tills };
    const entry = { action: "shop_closed", shopId, before: { closed: false }, after, requestId, at: now } as const;
    await writeAudit(tx, entryOf(caller, entry));
    return { Tills: tills, Keys: ended.length - tills };
  });
}

export async function reopenShop(database: Database, caller: OfficeCaller, shopId: number, { now, requestId }: When) {
  await database.transaction(async (tx) => {
    const reopened = await tx
      .update(shops)
      .set({ closedAt: null })
      .where(and(eq(shops.id, shopId), isNotNull(shops.closedAt)))
      .returning({ id: shops.id });
    if (reopened.length === 0) throw new Refusal("not_found");
    const change = { before: { closed: true }, after: { closed: false } };
    await writeAudit(tx, entryOf(caller, { action: "shop_reopened", shopId, ...change, requestId, at: now }));
  });
}

/** Its number stays, and with it receipts, tills, keys and people. */
export async function renameShop(
  database: Database,
  caller: OfficeCaller,
  { IdShop: shopId, Name: name, City: city }: { IdShop: number; Name: string; City: string },
  { now, requestId }: When,
) {
  await database.transaction(async (tx) => {
    const [found] = await tx.select().from(shops).where(eq(shops.id, shopId)).for("update");
    if (!found) throw new Refusal("not_found");
    await tx.update(shops).set({ name, city }).where(eq(shops.id, shopId));
    const before = { name: found.name, city: found.city };
    const after = { name, city };
    await writeAudit(tx, entryOf(caller, { action: "shop_renamed", shopId, before, after, requestId, at: now }));
  });
}
