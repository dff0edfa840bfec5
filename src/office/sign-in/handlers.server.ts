import { localePath } from "#i18n/locale.ts";
import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import { createDeviceCookies } from "#identity/session/device/device-cookie.server.ts";
import { entryOf } from "#office/audit.server.ts";
import { myAccessPath } from "#office/paths.ts";
import type { CompanyProvider } from "#office/sign-in/company-account/company-provider.server.ts";
import { beginAtCompany } from "#office/sign-in/company-account/routes.server.ts";
import {
  addPasskey,
  listPasskeys,
  newPasskeyOptions,
  proveByPasskey,
  removePasskey,
  signInOptions,
  signInWithPasskey,
} from "#office/sign-in/credentials/passkeys.server.ts";
import { officeSealing } from "#office/sign-in/credentials/totp.server.ts";
import { apiModule } from "#platform/api/api-module.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { CreateLimit } from "#platform/limits/limits.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import * as calls from "./calls.ts";
import { signInContract } from "./contract.server.ts";
import { clearedOfficeCookie, officeCookieOf, officeDeviceCookie, officeDeviceCookieOf } from "./cookies.server.ts";
import { acceptInvitation, confirmInvitation, readInvitation } from "./invitation.server.ts";
import { officeLimits } from "./limits.server.ts";
import { describeSession, endOfficeSession, proofEndsAt } from "./session.server.ts";
import { proveByCode, rememberDevice, signIn, type WaysIn } from "./sign-in.server.ts";

const missing = (field: string) => new Refusal("invalid", { errors: [{ field, code: "required" }] });

export function signInModule(options: {
  database: Database;
  settings: Settings;
  passwords: PasswordHashes;
  pins: Pins;
  createLimit: CreateLimit;
  waysIn: WaysIn;
  /** Absent: the company has no provider. */
  companyProvider?: CompanyProvider | undefined;
}) {
  const { database, settings, companyProvider } = options;
  const { secureCookies } = settings;
  const limits = officeLimits(options.createLimit);
  const sealing = officeSealing(options.pins);
  const deviceCookies = createDeviceCookies(database, {
    secret: "known-office-device",
    name: officeDeviceCookie,
    write: (value) => officeDeviceCookieOf(value, secureCookies),
  });
  const deps = { ...options, limits, sealing, deviceCookies };

  /** The browser is signed in, and known from now on. */
  async function setCookies(token: string, staffId: number, call: { request: Request; headers: Headers }) {
    call.headers.append("set-cookie", officeCookieOf(token, secureCookies));
    await rememberDevice(deps, staffId, call);
  }

  return apiModule(signInContract, {
    async [calls.validateInvitation]({ input, now, address }) {
      return limits.guess(address, () => readInvitation(database, input.Token, now));
    },

    async [calls.acceptInvitation]({ input, now, address }) {
      return limits.guess(address, () => acceptInvitation(deps, input, now));
    },

    async [calls.confirmInvitation]({ input, headers, ...call }) {
      const { token, staffId } = await limits.guess(call.address, () => confirmInvitation(deps, input, call));
      await setCookies(token, staffId, { request: call.request, headers });
      return describeSession(database, { staffId, provedAt: call.now }, call.now);
    },

    async [calls.signIn]({ input: { Email: email, Password: password, Code: code }, headers, ...call }) {
      const { token, staffId } = await signIn(deps, { email, password, code }, call);
      await setCookies(token, staffId, { request: call.request, headers });
      return describeSession(database, { staffId, provedAt: call.now }, call.now);
    },

    async [calls.passkeyOptions]({ address }) {
      return signInOptions(deps, address);
    },

    async [calls.signInWithPasskey]({ input, headers, ...call }) {
      const { token, staffId } = await signInWithPasskey(deps, input.Response, call);
      await setCookies(token, staffId, { request: call.request, headers });
      return describeSession(database, { staffId, provedAt: call.now }, call.now);
    },

    async [calls.newPasskeyOptions]({ caller }) {
      return newPasskeyOptions(deps, caller);
    },

    async [calls.addPasskey]({ caller, input, ...call }) {
      await addPasskey(deps, caller, input, call);
      return {};
    },

    async [calls.listPasskeys]({ caller }) {
      return listPasskeys(database, caller);
    },

    async [calls.removePasskey]({ caller, input, ...call }) {
      await removePasskey(database, caller, input.IdPasskey, call);
      return {};
    },

    async [calls.prove]({ caller, input: { Password: password, Code: code, Response: response }, ...call }) {
      if (response !== undefined) await proveByPasskey(deps, caller, response, call);
      else {
        if (password === undefined) throw missing("Password");
        if (code === undefined) throw missing("Code");
        await proveByCode(deps, caller, { password, code }, call);
      }
      return { ProofEndsAt: proofEndsAt(call.now).toISOString() };
    },

    async [calls.companyLink]({ caller, headers, now, locale }) {
      if (!companyProvider) throw new Refusal("not_found");
      const { url, cookie } = await beginAtCompany(
        { provider: companyProvider, sealing, secureCookies, now: () => now },
        {
          ...{ purpose: "link", goTo: localePath(locale, myAccessPath), staffId: caller.staffId },
          tokenHash: caller.tokenHash.toString("base64url"),
        },
      );
      headers.append("set-cookie", cookie);
      return { Url: url };
    },

    async [calls.readSession]({ caller, queries, now }) {
      return describeSession(queries, caller, now);
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
