import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import { room } from "#platform/api/api.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { createSealing } from "#platform/database/sealing.server.ts";
import type { CreateLimit } from "#platform/limits/limits.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import { entryOf } from "./audit.server.ts";
import * as calls from "./calls.ts";
import { officeContract } from "./contract.server.ts";
import { clearedOfficeCookie, officeCookieOf } from "./cookies.server.ts";
import { acceptInvitation, confirmInvitation, readInvitation } from "./invitation.server.ts";
import { officeLimits } from "./limits.server.ts";
import { describeSession, endOfficeSession } from "./session.server.ts";

export function officeRoom(options: {
  database: Database;
  settings: Settings;
  passwords: PasswordHashes;
  pins: Pins;
  createLimit: CreateLimit;
}) {
  const { database, settings } = options;
  const { secureCookies } = settings;
  const limits = officeLimits(options.createLimit);
  const sealing = createSealing(() => options.pins.keyed("totp secrets"));
  const parts = { ...options, limits, sealing };

  return room(officeContract, {
    async [calls.validateInvitation]({ input, now, address }) {
      return limits.guess(address, () => readInvitation(database, input.Token, now));
    },

    async [calls.acceptInvitation]({ input, now, address }) {
      return limits.guess(address, () => acceptInvitation(parts, input, now));
    },

    async [calls.confirmInvitation]({ input, headers, ...call }) {
      const { token, staffId } = await limits.guess(call.address, () => confirmInvitation(parts, input, call));
      headers.append("set-cookie", officeCookieOf(token, secureCookies));
      return describeSession(database, { staffId, provedAt: call.now });
    },

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
