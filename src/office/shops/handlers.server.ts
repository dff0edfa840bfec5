import { decideClock, decidePoints, decideReturn, listConflicts } from "#office/shops/conflicts/conflicts.server.ts";
import { apiModule } from "#platform/api/api-module.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { type CreateLimit, clientNetwork, countRefusals } from "#platform/limits/limits.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import type { ReceiptLimits } from "#shop/sales/return/receipt-proof.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import * as calls from "./calls.ts";
import { shopsContract } from "./contract.server.ts";
import { addKey, listKeys, revokeKey, rotateKey } from "./keys.server.ts";
import { addPerson, recordCard, renewPin } from "./people.server.ts";
import { choosePin, readPinLink } from "./pin-link.server.ts";
import { readReport, reportAsCsv } from "./report.server.ts";
import { addShop, closeShop, listShops, readShop, renameShop, reopenShop } from "./shops.server.ts";
import { pairTill, revokeTill } from "./tills.server.ts";

export function shopsModule(options: {
  database: Database;
  pins: Pins;
  settings: Settings;
  receiptLimits: ReceiptLimits;
  createLimit: CreateLimit;
}) {
  const { database, pins, receiptLimits, settings } = options;
  const linkGuesses = options.createLimit("pin-link", { points: 300, seconds: 15 * 60 });
  const deps = { database, pins, receiptLimits, settings, publicUrl: options.settings.publicUrl.origin };
  return apiModule(shopsContract, {
    async [calls.listShops]({ caller, now }) {
      return listShops(database, caller, now);
    },
    async [calls.readShop]({ caller, input }) {
      return readShop(database, caller, input.IdShop);
    },
    async [calls.addShop]({ caller, input, ...call }) {
      return addShop(database, caller, input, call);
    },
    async [calls.renameShop]({ caller, input, ...call }) {
      await renameShop(database, caller, input, call);
      return {};
    },
    async [calls.closeShop]({ caller, input, ...call }) {
      return closeShop(database, caller, input.IdShop, call);
    },
    async [calls.reopenShop]({ caller, input, ...call }) {
      await reopenShop(database, caller, input.IdShop, call);
      return {};
    },
    async [calls.readReport]({ caller, input }) {
      return readReport(database, caller, input);
    },
    async [calls.reportCsv]({ caller, input, locale }) {
      return reportAsCsv(database, caller, input, locale);
    },

    async [calls.pairTill]({ caller, input, ...call }) {
      return pairTill(deps, caller, input, call);
    },
    async [calls.revokeTill]({ caller, input, ...call }) {
      await revokeTill(database, caller, input.Till, call);
      return {};
    },

    async [calls.listKeys]({ caller, input }) {
      return listKeys(database, caller, input.IdShop);
    },
    async [calls.addKey]({ caller, input, ...call }) {
      return addKey(database, caller, input, call);
    },
    async [calls.rotateKey]({ caller, input, ...call }) {
      return rotateKey(database, caller, input.Prefix, call);
    },
    async [calls.revokeKey]({ caller, input, ...call }) {
      await revokeKey(database, caller, input.Prefix, call);
      return {};
    },

    async [calls.addPerson]({ caller, input, ...call }) {
      return addPerson(deps, caller, input, call);
    },
    async [calls.renewPin]({ caller, input, ...call }) {
      await renewPin(deps, caller, input.IdStaff, call);
      return {};
    },
    async [calls.validatePinLink]({ input, now, address }) {
      return linkGuesses.attempt(clientNetwork(address), countRefusals, () => readPinLink(database, input.Token, now));
    },
    async [calls.choosePin]({ input, address, ...call }) {
      await linkGuesses.attempt(clientNetwork(address), countRefusals, () => choosePin(deps, input, call));
      return {};
    },
    async [calls.recordCard]({ caller, input, ...call }) {
      await recordCard(database, caller, input, call);
      return {};
    },

    async [calls.listConflicts]({ caller, input }) {
      return listConflicts(database, caller, input);
    },
    async [calls.decideReturn]({ caller, input, ...call }) {
      return decideReturn(deps, caller, input, call);
    },
    async [calls.decidePoints]({ caller, input, ...call }) {
      return decidePoints(deps, caller, input, call);
    },
    async [calls.decideClock]({ caller, input, ...call }) {
      return decideClock(database, caller, input, call);
    },
  });
}
