/** The back office's calls about campaigns, as method and path. */
export const listCampaigns = "GET office/campaign";
export const readResult = "GET office/campaign/result";
export const addCampaign = "POST office/campaign";
export const approveCampaign = "POST office/campaign/approve";
export const endCampaign = "POST office/campaign/end";
