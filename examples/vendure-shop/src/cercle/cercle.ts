import { createClient } from "@cercle/client";
import { settings } from "../settings.ts";

/** One attempt: customers do not wait, and jobs are repeated by Vendure's queue. */
export const cercle = createClient({
  url: settings.cercleUrl,
  key: settings.cercleKey,
  timeoutMs: 5_000,
  attempts: 1,
});
