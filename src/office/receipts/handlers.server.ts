import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import { apiModule } from "#platform/api/api-module.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import { attachReceipt } from "./attach.server.ts";
import * as calls from "./calls.ts";
import { receiptsContract } from "./contract.server.ts";
import { listReceipts } from "./day.server.ts";
import { findReceipts } from "./find.server.ts";
import { readReceipt } from "./receipt.server.ts";

interface Dependencies {
  database: Database;
  settings: Settings;
  findProgramme: FindProgramme;
}

export function receiptsModule({ database, settings, findProgramme }: Dependencies) {
  return apiModule(receiptsContract, {
    async [calls.readReceipt]({ input, ...call }) {
      return readReceipt({ database, findProgramme }, { shopId: input.IdShop, number: input.ReceiptNumber }, call);
    },
    async [calls.listReceipts]({ input, ...call }) {
      return listReceipts(database, input, call);
    },
    async [calls.findReceipts]({ caller, input }) {
      return findReceipts(database, caller, input.Search);
    },
    async [calls.attachReceipt]({ queries, input, ...call }) {
      const receipt = { shopId: input.IdShop, number: input.ReceiptNumber };
      const action = { ...call, reason: input.Reason, note: input.Note };
      return attachReceipt(queries, settings.publicUrl.origin, { customerId: input.IdCustomer, receipt }, action);
    },
  });
}
