import { room } from "#platform/api/api.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { entryOf } from "./audit.server.ts";
import * as calls from "./calls.ts";
import { officeContract } from "./contract.server.ts";
import { clearedOfficeCookie } from "./cookies.server.ts";
import { describeSession, endOfficeSession } from "./session.server.ts";

export function officeRoom({ database, secureCookies }: { database: Database; secureCookies: boolean }) {
  return room(officeContract, {
    async [calls.readSession]({ caller, queries }) {
      return describeSession(queries, caller);
    },

    async [calls.signOut]({ caller, now, requestId, headers }) {
      await database.transaction(async (tx) => {
        await endOfficeSession(tx, caller);
        await writeAudit(tx, entryOf(caller, { action: "office_sign_out", requestId, at: now }));
      });
      headers.append("set-cookie", clearedOfficeCookie(secureCookies));
      return {};
    },
  });
}
