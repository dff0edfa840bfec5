import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import type { StaffCaller } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { type CreateLimit, clientNetwork, countRefusals } from "#platform/limits/limits.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { KeyScope } from "#shop/keys/key-scopes.ts";
import { hashOf, revokeKey, writeKey } from "#shop/keys/keys.server.ts";
import { shopKeys, shops } from "#shop/keys/shops.tables.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import { readDevice } from "#till/sign-in/cookies.server.ts";
import { checkPin, inheritPinAttempts } from "#till/sign-in/sign-in.server.ts";
import { pairings, tillSessions } from "#till/till.tables.server.ts";
import { generatePairingCode } from "./pairing-code.server.ts";

export const pairingMinutes = 10;

/** What a till may do: everything that a person does at one. */
const tillScopes: KeyScope[] = ["identify", "sell", "return", "join"];

/**
 * Wrong codes: ten from one address in ten minutes, and 10 000 from everywhere in an hour, of 31^8 codes. With a hundred, as
 * many as eleven addresses send, strangers could keep every shop from pairing.
 */
export function pairingLimits(createLimit: CreateLimit) {
  return {
    address: createLimit("pair", { points: 10, seconds: 600 }),
    everywhere: createLimit("pair-everywhere", { points: 10_000, seconds: 3_600 }),
  };
}

/** When a code that is made now ends. */
export const pairingEndsAt = (now: Date) => new Date(now.getTime() + pairingMinutes * 60_000);

const hashOfCode = (pins: Pins, code: string) => pins.keyed(`pairing:${code}`);

/** A code that pairs one device with the shop; it is shown only now. */
export async function createPairing(
  queries: Queries,
  pins: Pins,
  { shopId, name, now }: { shopId: number; name?: string | undefined; now: Date },
): Promise<string> {
  const code = generatePairingCode();
  const endsAt = pairingEndsAt(now);
  await queries.insert(pairings).values({ codeHash: hashOfCode(pins, code), shopId, name, createdAt: now, endsAt });
  return code;
}

/** Makes the browser a till of the shop that the code is for. What it was before ends. */
export async function pair(
  deps: { database: Database; pins: Pins; limits: ReturnType<typeof pairingLimits> },
  asked: { code: string; tillName: string | undefined },
  call: { request: Request; address: string; requestId: string; locale: Locale; now: Date },
) {
  const { limits } = deps;
  return limits.address.attempt(clientNetwork(call.address), countRefusals, () =>
    limits.everywhere.attempt("", countRefusals, () =>
      deps.database.transaction((tx) => pairIn(tx, deps.pins, asked, call)),
    ),
  );
}

async function pairIn(
  tx: Queries,
  pins: Pins,
  { code, tillName }: { code: string; tillName: string | undefined },
  call: { request: Request; requestId: string; locale: Locale; now: Date },
) {
  const { now, requestId } = call;
  // Of several devices with one code, the first has it.
  const [pairing] = await tx
    .update(pairings)
    .set({ usedAt: now })
    .where(and(eq(pairings.codeHash, hashOfCode(pins, code)), isNull(pairings.usedAt), gt(pairings.endsAt, now)))
    .returning();
  if (!pairing) throw new Refusal("pairing_invalid");
  const { shopId } = pairing;
  const [shop] = await tx
    .select({
      name: shops.name,
      tills: sql<number>`(select count(*)::integer from ${shopKeys} k where k.shop_id = ${shopId} and k.kind = 'till')`,
    })
    .from(shops)
    .where(eq(shops.id, shopId));
  if (!shop) throw new Refusal("pairing_invalid");
  const name = tillName ?? pairing.name ?? textsOf[call.locale].t("till.name", { number: shop.tills + 1 });
  await endDevice(tx, call.request, now);
  const device = await writeKey(tx, { shopId, name, scopes: tillScopes, kind: "till", now });
  await inheritPinAttempts(tx, device.prefix, shopId);
  const entry = { madeBy: "device", action: "pair", shopId, keyPrefix: device.prefix, requestId, at: now } as const;
  await writeAudit(tx, entry);
  return { device, answer: { IdShop: shopId, ShopName: shop.name, TillName: name } };
}

/** The till that this browser was until now. */
async function endDevice(tx: Queries, request: Request, now: Date): Promise<void> {
  const device = readDevice(request);
  if (!device) return;
  const { prefix, secret } = device;
  await tx
    .update(shopKeys)
    .set({ revokedAt: now })
    .where(and(eq(shopKeys.prefix, prefix), eq(shopKeys.secretHash, hashOf(secret)), isNull(shopKeys.revokedAt)));
}

/**
 * Of `staff p`: may take a till out of use, there as in the back office. A person of the role shop who cannot sign in to the
 * back office is an assistant.
 */
export const mayUnpair = sql`(p.role = 'owner' or p.role = 'shop' and (
  p.password_hash is not null or exists (select from staff_passkey k where k.staff_id = p.id)))`;

/** The device is no till any more. A person who may decide that enters their PIN; another person may be signed in. */
export async function unpair(
  deps: { database: Database; pins: Pins },
  caller: StaffCaller,
  asked: { staffId: number; pin: string },
  context: { now: Date; requestId: string },
): Promise<void> {
  const { prefix, staff } = caller;
  const { entry, forgetAttempts } = await checkPin(deps, caller, asked, context);
  await deps.database.transaction(async (tx) => {
    const { rowCount } = await tx.execute(sql`select from staff p where p.id = ${asked.staffId} and ${mayUnpair}`);
    if (!rowCount) throw new Refusal("forbidden");
    await forgetAttempts(tx);
    await revokeKey(tx, prefix, context.now, "till");
    await tx.delete(tillSessions).where(eq(tillSessions.keyPrefix, prefix));
    await writeAudit(tx, { ...entry, action: "unpair", after: { signedIn: staff.id } });
  });
}
