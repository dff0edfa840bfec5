import { cancelSimulation, readSimulation, startSimulation } from "#office/programme/simulator/simulate.server.ts";
import { apiModule } from "#platform/api/api-module.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import * as calls from "./calls.ts";
import { programmeContract } from "./contract.server.ts";
import { askToPublish, discardDraft, publish, saveDraft, sendBack, withdraw } from "./draft.server.ts";
import { previewOf, type RenderPreview } from "./preview.server.ts";
import { readProgrammePage, readVersion, rulesToPreview } from "./read.server.ts";

export function programmeModule(deps: { database: Database; settings: Settings; renderPreview: RenderPreview }) {
  const { database, renderPreview } = deps;
  const publicUrl = deps.settings.publicUrl.origin;
  return apiModule(programmeContract, {
    async [calls.readRules]({ caller, ...call }) {
      return readProgrammePage(database, caller, call);
    },

    async [calls.readVersion]({ input, now }) {
      return readVersion(database, input.Version, now);
    },

    async [calls.previewRules]({ input, locale, now }) {
      const { Show: preview, Version: version, IdLoyaltyTier: tierId } = input;
      const rules = await rulesToPreview(database, version, now);
      return previewOf({ renderPreview, publicUrl }, rules, { preview, tierId, locale, now });
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
      return publish(database, input.Revision, input.StartsAt, call);
    },

    async [calls.startSimulation]({ input, ...call }) {
      return startSimulation(database, input.Revision, call);
    },

    async [calls.readSimulation]() {
      return readSimulation(database);
    },

    async [calls.cancelSimulation]({ input, ...call }) {
      await cancelSimulation(database, input.IdSimulation, call);
      return {};
    },

    async [calls.withdraw]({ input, ...call }) {
      await withdraw(database, input.Version, call);
      return {};
    },
  });
}
