import { randomBytes } from "node:crypto";
import { installedBrand } from "#brand/brand.server.ts";
import { obtainReward, readLoyalty, subscribe } from "#loyalty/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import type { PriceType } from "#loyalty/programme/line-rule.ts";
import type { Input } from "#platform/api/api.ts";
import * as calls from "#shop/calls.ts";
import { type KeyScope, keyScopes } from "#shop/keys/key-scopes.ts";
import { addShop, createKey } from "#shop/keys/keys.server.ts";
import { openTestClub } from "./club.server.ts";

/** Euros as a till sends them. */
type Line = { Line: string; Amount: string; Earns?: boolean; PriceType?: PriceType; Codes?: string[] };
type Purchase = Partial<Omit<Input<typeof calls.postPurchase>, "Lines" | "ReturnOf">> & {
  Lines?: Line[];
  ReturnOf?: object;
};

/** The club with shops that sell, and a clock that tests move. */
export async function openTestShop(...options: Parameters<typeof openTestClub>) {
  const club = await openTestClub(...options);
  const { addCustomer, as, clock, database } = club;
  let receipts = 0;

  async function openShop(name = `${installedBrand().Name} Marais`, scopes: readonly KeyScope[] = keyScopes) {
    const shopId = await addShop(database, { name, city: "Paris", kind: "boutique" });
    return { shopId, ...(await addTill(shopId, scopes)) };
  }

  /** A web shop whose key is of the second version of the API. */
  async function openWebShop(scopes: readonly KeyScope[] = keyScopes) {
    const shopId = await addShop(database, { name: "Web", city: "Paris", kind: "web" });
    return { shopId, ...(await addTill(shopId, scopes, 2)) };
  }

  async function addTill(shopId: number, scopes: readonly KeyScope[] = keyScopes, api: 1 | 2 = 1) {
    const key = await createKey(database, { shopId, name: "Till", scopes, api, now: clock.now });
    const call = as(key);
    const moments = () => ({ SoldAt: clock.now.toISOString(), SentAt: clock.now.toISOString() });
    const newNumber = () => {
      receipts += 1;
      return `T-${receipts}`;
    };
    return {
      key,
      call,
      /** A receipt number that no one has used. */
      newNumber,
      sell: ({ Lines, ReturnOf, ...purchase }: Purchase) =>
        call(calls.postPurchase, {
          ReceiptNumber: newNumber(),
          ...moments(),
          ...(Lines && { Lines: JSON.stringify(Lines) }),
          ...(ReturnOf && { ReturnOf: JSON.stringify(ReturnOf) }),
          ...purchase,
        }),
      takeBack: (original: string, Lines?: { Line: string; Amount?: string }[], more: object = {}) =>
        call(calls.postReturn, {
          ReceiptNumber: newNumber(),
          OriginalReceiptNumber: original,
          ...(Lines && { Lines: JSON.stringify(Lines) }),
          ...more,
        }),
    };
  }

  /** A member with so many points beside the welcome gift, earned a month ago. */
  async function addMember(points = 0, facts: Parameters<typeof addCustomer>[0] = {}) {
    const customer = await addCustomer(facts);
    const { Card } = await customer.call(subscribe);
    const now = clock.now;
    const earnedAt = new Date(now.getTime() - 30 * 24 * 3_600_000);
    if (points > 0)
      await credit(database, {
        ...{ customerId: customer.id, points, kind: "grant", cause: `grant:${randomBytes(6).toString("hex")}` },
        ...{ label: {}, now, earnedAt },
      } as Parameters<typeof credit>[1]);
    return {
      ...customer,
      card: Card?.Number ?? "",
      points: async () => (await customer.call(readLoyalty)).Points,
      obtain: async () => (await customer.call(obtainReward, { IdLoyaltyReward: "1" })).CustomerReward.Code,
    };
  }

  return { ...club, openShop, openWebShop, addTill, addMember };
}
