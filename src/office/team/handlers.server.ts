import { room } from "#platform/api/api.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { readAudit } from "./audit-log.server.ts";
import * as calls from "./calls.ts";
import { teamContract } from "./contract.server.ts";
import { endPerson, listStaff, unlockPerson } from "./people.server.ts";

export function teamRoom({ database }: { database: Database }) {
  return room(teamContract, {
    async [calls.listStaff]() {
      return listStaff(database);
    },

    async [calls.endPerson]({ caller, input, ...call }) {
      await endPerson(database, caller, input.IdStaff, call);
      return {};
    },

    async [calls.unlockPerson]({ caller, input, ...call }) {
      await unlockPerson(database, caller, input.IdStaff, call);
      return {};
    },

    async [calls.readAudit]({ input }) {
      return readAudit(database, input);
    },
  });
}
