import { room } from "#platform/api/api.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import * as calls from "./calls.ts";
import { programmeContract } from "./contract.server.ts";
import { askToPublish, discardDraft, publish, saveDraft, sendBack, withdraw } from "./draft.server.ts";
import { readProgrammePage, readVersion } from "./read.server.ts";

export function programmeRoom({ database }: { database: Database }) {
  return room(programmeContract, {
    async [calls.readRules]({ caller, ...call }) {
      return readProgrammePage(database, caller, call);
    },

    async [calls.readVersion]({ input, now }) {
      return readVersion(database, input.Version, now);
    },

    async [calls.saveDraft]({ input, ...call }) {
      return saveDraft(database, input, call);
    },

    async [calls.discardDraft]({ input, ...call }) {
      await discardDraft(database, input.Revision, call);
      return {};
    },

    async [calls.askToPublish]({ input, ...call }) {
      await askToPublish(database, input.Revision, input.StartsAt, call);
      return {};
    },

    async [calls.sendBack]({ input, ...call }) {
      await sendBack(database, input.Revision, call);
      return {};
    },

    async [calls.publish]({ input, ...call }) {
      return publish(database, input.Revision, call);
    },

    async [calls.withdraw]({ input, ...call }) {
      await withdraw(database, input.Version, call);
      return {};
    },
  });
}
