import { room } from "#platform/api/api.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import * as calls from "./calls.ts";
import { shopsContract } from "./contract.server.ts";
import { pairTill, revokeTill } from "./tills.server.ts";

export function shopsRoom(parts: { database: Database; pins: Pins }) {
  const { database } = parts;
  return room(shopsContract, {
    async [calls.pairTill]({ caller, input, ...call }) {
      return pairTill(parts, caller, input, call);
    },

    async [calls.revokeTill]({ caller, input, ...call }) {
      await revokeTill(database, caller, input.Till, call);
      return {};
    },
  });
}
