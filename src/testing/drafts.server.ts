import { sql } from "drizzle-orm";
import { beforeEach } from "vitest";
import type { Rules } from "#loyalty/programme/rules.ts";
import * as calls from "#office/programme/calls.ts";
import { CallFailed } from "#platform/api/client/client.ts";
import { openTestOffice } from "./office.server.ts";

/** The back office, with two people who edit the programme. Each test begins without a draft. */
export async function openTestDrafts() {
  const office = await openTestOffice();
  const [marketing, owner] = [await office.openOffice("marketing"), await office.openOffice("owner")];
  beforeEach(async () => {
    await office.database.execute(sql`update loyalty_draft set state = 'discarded' where state in ('open', 'asked')`);
  });
  const today = async () => (await marketing.call(calls.readRules)).Current.Rules;
  return {
    ...office,
    marketing,
    owner,
    today,
    after: (seconds: number) => new Date(office.clock.now.getTime() + seconds * 1_000),
    /** Saves today's rules with changes as a draft's next revision. */
    async save(changes: (rules: Rules) => Partial<Rules>, { Revision = 0, by = marketing } = {}) {
      const rules = await today();
      const Rules = JSON.stringify({ ...rules, ...changes(rules) });
      return by.call(calls.saveDraft, { Revision: String(Revision), Label: "Printemps 2027", Rules });
    },
  };
}

/** The fields that a call was refused for, with their codes. */
export const fieldsOf = async (refused: Promise<unknown>) =>
  refused.then(
    () => undefined,
    (error: unknown) =>
      error instanceof CallFailed ? error.problem?.errors?.map(({ field, code }) => [field, code]) : undefined,
  );
