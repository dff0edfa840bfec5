import { expect, test } from "vitest";
import type { z } from "zod";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import { openTestClub } from "#testing/club.server.ts";
import type { passToApple, passToGoogle, readPass, reportMissing, saveToApple } from "./calls.ts";
import { loyaltyContract } from "./contract.server.ts";

const { addCustomer, fetch } = await openTestClub();

/** The fields sent to each call: all but the Apple pass, which is not JSON, the calls for whom a shop registered, and what only a moved customer can miss. */
type Apart = typeof saveToApple | typeof readPass | typeof passToGoogle | typeof passToApple | typeof reportMissing;
const sent: Record<Exclude<keyof typeof loyaltyContract, Apart>, Record<string, string>> = {
  "GET loyalty/programme": {},
  "GET loyalty/event/list": {},
  "GET loyalty/tier/list": {},
  "GET loyalty/customer": {},
  "POST loyalty/subscribe": {
    CustomerBirthday: "1990-01-01",
    LoyaltyCustomerState: "true",
    IdLoyaltyProgram: String(defaultProgrammeId),
  },
  "POST loyalty/event/obtain": { IdLoyaltyProgramEvent: "4" },
  "GET loyalty/reward": { IdLoyaltyProgram: String(defaultProgrammeId) },
  "POST loyalty/reward/1/obtain": { IdLoyaltyReward: "1" },
  "POST loyalty/till-code": {},
  "GET loyalty/reward/1/customerReward": { LoyaltyRewardState: "all" },
  "GET loyalty/history": { Limit: "2" },
  "GET loyalty/moved": {},
  "POST loyalty/moved/close": {},
  "GET loyalty/wallet": {},
  "GET loyalty/wallet/google": {},
  "POST loyalty/unsubscribe": {},
};

test("every response is 200, has the schema of the contract, and is not cached if it is personal", async () => {
  const { token } = await addCustomer({ newsletter: true, birthday: null });
  // Object.keys is typed as strings; these are the contract's keys.
  for (const line of Object.keys(sent) as (keyof typeof sent)[]) {
    const fields = sent[line];
    const [method = "", path] = line.split(" ");
    const query = new URLSearchParams({ ...fields, LanguageIsoCode: "de-DE", CurrencyIsoCode: "EUR" });
    const response = await fetch(`/api/${path}${method === "GET" ? `?${query}` : ""}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(method === "POST" && { body: query }),
    });
    expect(response.status, line).toBe(200);
    expect(response.headers.get("content-language")).toBe("de");
    const isPublic = ["GET loyalty/programme", "GET loyalty/wallet"].includes(line);
    const cacheControl = isPublic ? "public, max-age=60" : "no-store";
    expect(response.headers.get("cache-control")).toBe(cacheControl);
    const schema: z.ZodType = loyaltyContract[line].response;
    const body = await response.json();
    expect(schema.parse(body), line).toEqual(body);
  }
});
