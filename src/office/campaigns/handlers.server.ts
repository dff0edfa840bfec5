import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import { room } from "#platform/api/api.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import * as calls from "./calls.ts";
import { addCampaign, approveCampaign, endCampaign, listCampaigns } from "./campaigns.server.ts";
import { campaignsContract } from "./contract.server.ts";

export function campaignsRoom(parts: { database: Database; findProgramme: FindProgramme }) {
  return room(campaignsContract, {
    async [calls.listCampaigns]({ caller, now, locale }) {
      return listCampaigns(parts, caller, now, locale);
    },

    async [calls.addCampaign]({ caller, input, ...call }) {
      return addCampaign(parts, caller, input, call);
    },

    async [calls.approveCampaign]({ caller, input, ...call }) {
      await approveCampaign(parts, caller, input.IdCampaign, call);
      return {};
    },

    async [calls.endCampaign]({ caller, input, ...call }) {
      await endCampaign(parts, caller, input.IdCampaign, call);
      return {};
    },
  });
}
