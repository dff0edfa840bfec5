/** The back office's calls about campaigns, as method and path. */
export const listCampaigns = "GET office/campaign";
export const readResult = "GET office/campaign/result";
export const priceCampaign = "GET office/campaign/price";
export const addCampaign = "POST office/campaign";
export const approveCampaign = "POST office/campaign/approve";
export const endCampaign = "POST office/campaign/end";
/** A small part of all members whom no campaign reaches. */
export const readHoldOut = "GET office/hold-out";
export const startHoldOut = "POST office/hold-out";
export const endHoldOut = "POST office/hold-out/end";
