/** The back office's calls about webhooks, as method and path. */
export const listEndpoints = "GET office/webhook";
export const addEndpoint = "POST office/webhook";
export const chooseEvents = "POST office/webhook/events";
export const pauseEndpoint = "POST office/webhook/pause";
export const resumeEndpoint = "POST office/webhook/resume";
export const removeEndpoint = "POST office/webhook/remove";
export const rotateSecret = "POST office/webhook/rotate";
export const sendTest = "POST office/webhook/test";
export const listDeliveries = "GET office/webhook/delivery";
export const deliveriesCsv = "GET office/webhook/delivery/csv";
export const readDelivery = "GET office/webhook/attempt";
export const resend = "POST office/webhook/resend";
