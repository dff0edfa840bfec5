import { apiModule } from "#platform/api/api-module.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import { auditAsCsv, readAudit } from "./audit-log.server.ts";
import * as calls from "./calls.ts";
import { teamContract } from "./contract.server.ts";
import { readLookUps } from "./look-ups.server.ts";
import { changeRole, endPerson, invitePerson, listStaff, unlockPerson } from "./people.server.ts";

export function teamModule(deps: { database: Database; settings: Settings }) {
  const { database } = deps;
  return apiModule(teamContract, {
    async [calls.listStaff]({ now }) {
      return listStaff(database, now);
    },

    async [calls.invitePerson]({ caller, input, ...call }) {
      return invitePerson(deps, caller, input, call);
    },

    async [calls.changeRole]({ caller, input, ...call }) {
      await changeRole(database, caller, input, call);
      return {};
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

    async [calls.auditCsv]({ caller, input, ...call }) {
      return auditAsCsv(database, caller, input, call);
    },

    async [calls.readLookUps]({ input }) {
      return readLookUps(database, input.Day);
    },
  });
}
