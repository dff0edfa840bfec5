/** The back office's calls about the programme, as method and path. */
export const readRules = "GET office/programme";
export const readVersion = "GET office/programme/version";
export const previewRules = "GET office/programme/preview";
export const saveDraft = "POST office/programme/draft";
export const discardDraft = "POST office/programme/draft/discard";
export const askToPublish = "POST office/programme/ask";
export const sendBack = "POST office/programme/back";
export const publish = "POST office/programme/publish";
export const startSimulation = "POST office/programme/simulation";
export const readSimulation = "GET office/programme/simulation";
export const cancelSimulation = "POST office/programme/simulation/cancel";
export const withdraw = "POST office/programme/withdraw";
