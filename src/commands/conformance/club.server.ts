import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { register } from "#identity/calls.ts";
import { obtainReward, readLoyalty } from "#loyalty/calls.ts";
import { createCall } from "#platform/api/client/client.ts";
import type { Database } from "#platform/database/database.server.ts";
import { addShop, createKey } from "#shop/keys/keys.server.ts";

/** A club with one web shop and one boutique, made for a connector to be tried with. */
export async function openClub({
  database,
  fetchProduct,
  clock,
}: {
  database: Database;
  fetchProduct: (request: Request) => Promise<Response>;
  clock: { now: Date };
}) {
  const call = (token?: string) =>
    createCall((path, init) => {
      const request = new Request(new URL(path, "http://localhost:3000"), init);
      if (token) request.headers.set("authorization", `Bearer ${token}`);
      return fetchProduct(request);
    });
  const open = async (kind: "web" | "boutique") => {
    const shopId = await addShop(database, { name: `Conformance ${kind}`, city: "Paris", kind });
    const scopes = ["identify", "sell", "return", "sub"] as const;
    return createKey(database, { shopId, name: "Connector", scopes, api: kind === "web" ? 2 : 1, now: clock.now });
  };
  const [key, boutiqueKey] = [await open("web"), await open("boutique")];

  /** A member with a confirmed address. The welcome gift pays for one voucher. */
  async function addMember() {
    const Email = `${randomBytes(6).toString("hex")}@exemple.fr`;
    const { AuthData } = await call()(register, {
      ...{ Email, Password: randomBytes(9).toString("base64url"), Firstname: "Camille", Lastname: "Laurent" },
      ...{ Birthday: "1990-07-14", LoyaltySubscribe: true },
    });
    await database.execute(sql`update customer set email_verified_at = now() where email = ${Email}`);
    const member = call(AuthData.Token);
    const { Card } = await member(readLoyalty);
    return {
      card: Card?.Number ?? "",
      points: async () => (await member(readLoyalty)).Points,
      obtain: async () => (await member(obtainReward, { IdLoyaltyReward: "1" })).CustomerReward.Code,
    };
  }

  return { key, boutique: call(boutiqueKey), shop: call(key), addMember };
}
