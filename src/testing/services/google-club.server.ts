import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeEach } from "vitest";
import { subscribe } from "#loyalty/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { googlePasses } from "#loyalty/wallet/wallet.tables.server.ts";
import { openTestClub } from "#testing/club.server.ts";
import { openTestGoogle } from "./google.server.ts";

/** The club with a service account at a Google Wallet that runs in the test. Each test starts without passes and updates. */
export async function openTestGoogleClub() {
  const google = await openTestGoogle();
  const folder = mkdtempSync(join(tmpdir(), "cercle-wallet-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const keyFile = join(folder, "key.json");
  writeFileSync(keyFile, google.keyFile);
  const issuer = "3388000000012345678";
  const club = await openTestClub({
    GOOGLE_WALLET_ISSUER_ID: issuer,
    GOOGLE_WALLET_KEY_FILE: keyFile,
    GOOGLE_WALLET_API_URL: google.url,
    GOOGLE_WALLET_TOKEN_URL: `${google.url}/token`,
  });
  const { addCustomer, database, clock } = club;
  const start = clock.now;

  beforeEach(async () => {
    clock.now = start;
    google.answerWith(200);
    await database.delete(googlePasses);
    google.updates.length = 0;
  });

  return {
    ...club,
    google,
    issuer,
    start,
    async addMember(facts: Parameters<typeof addCustomer>[0] = {}) {
      const member = await addCustomer(facts);
      await member.call(subscribe);
      return member;
    },
    earn: (customerId: number, points: number, cause = String(Math.random())) =>
      credit(database, { customerId, points, kind: "grant", cause, label: {}, now: clock.now }),
    passOf: async (customerId: number) =>
      (await database.select().from(googlePasses).where(eq(googlePasses.customerId, customerId)))[0],
  };
}

/** The part of a pass that shows the balance. */
export const pointsOfPass = (balance: number) => ({ loyaltyPoints: { balance: { int: balance } } });
