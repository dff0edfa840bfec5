import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import { apiModule } from "#platform/api/api-module.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { addCampaign, priceCampaign } from "./add-campaign.server.ts";
import * as calls from "./calls.ts";
import { approveCampaign, endCampaign, listCampaigns } from "./campaigns.server.ts";
import { campaignsContract } from "./contract.server.ts";
import { endHoldOut, readHoldOut, startHoldOut } from "./hold-out/hold-out.server.ts";
import { readResult } from "./results/results.server.ts";

export function campaignsModule(deps: { database: Database; findProgramme: FindProgramme }) {
  return apiModule(campaignsContract, {
    async [calls.listCampaigns]({ caller, now, locale }) {
      return listCampaigns(deps, caller, now, locale);
    },

    async [calls.readResult]({ input, now, locale }) {
      return readResult(deps, input.IdCampaign, { now, locale });
    },

    async [calls.priceCampaign]({ caller, input, now }) {
      return { Price: await priceCampaign(deps, caller, input, now) };
    },

    async [calls.addCampaign]({ caller, input, ...call }) {
      return addCampaign(deps, caller, input, call);
    },

    async [calls.approveCampaign]({ caller, input, ...call }) {
      await approveCampaign(deps, caller, input.IdCampaign, call);
      return {};
    },

    async [calls.readHoldOut]({ now, locale }) {
      return readHoldOut(deps, { now, locale });
    },

    async [calls.startHoldOut]({ caller, input, ...call }) {
      await startHoldOut(deps.database, caller, input.Percent, call);
      return {};
    },

    async [calls.endHoldOut]({ caller, ...call }) {
      await endHoldOut(deps.database, caller, call);
      return {};
    },

    async [calls.endCampaign]({ caller, input, ...call }) {
      await endCampaign(deps, caller, input.IdCampaign, call);
      return {};
    },
  });
}
