import { sql } from "drizzle-orm";
import * as calls from "#office/shops/calls.ts";
import type { openTestOffice } from "./office.server.ts";

type TestOffice = Awaited<ReturnType<typeof openTestOffice>>;
type Shop = Awaited<ReturnType<TestOffice["openShop"]>>;
type Office = Awaited<ReturnType<TestOffice["openOffice"]>>;

/** What tests ask about the cases of a shop that wait for a decision; each test has a shop and an owner of its own. */
export function casesOf(database: TestOffice["database"], current: () => { till: Shop; owner: Office }) {
  const shopId = () => current().till.shopId;
  return {
    of: (ReceiptNumber: string) => ({ IdShop: String(shopId()), ReceiptNumber, Reason: "Vu avec la caisse" }),
    conflicts: async () => (await current().owner.call(calls.listConflicts, { IdShop: String(shopId()) })).Conflicts,
    /** The events of a receipt, in their order. */
    async events(number: string) {
      const { rows } = await database.execute<{ type: string }>(sql`
        select type from webhook_event where shop_id = ${shopId()} and payload ->> 'ReceiptNumber' = ${number}
        order by id`);
      return rows.map(({ type }) => type);
    },
  };
}
