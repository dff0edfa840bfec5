import { apiModule } from "#platform/api/api-module.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import {
  chooseEvents,
  disableEndpoint,
  pauseEndpoint,
  resendDeliveries,
  resumeEndpoint,
  rotateSecret,
  sendTest,
} from "#shop/webhooks/endpoints.server.ts";
import { createSecrets } from "#shop/webhooks/secrets.server.ts";
import type { WebhookSettings } from "#shop/webhooks/settings.server.ts";
import * as calls from "./calls.ts";
import { webhooksContract } from "./contract.server.ts";
import { deliveriesAsCsv, listDeliveries, readDelivery } from "./deliveries.server.ts";
import { addEndpoint, changeWebhook, listEndpoints } from "./endpoints.server.ts";

export function webhooksModule({ database, settings }: { database: Database; settings: WebhookSettings }) {
  const secrets = createSecrets(settings);
  return apiModule(webhooksContract, {
    async [calls.listEndpoints]({ now }) {
      return listEndpoints(database, now);
    },
    async [calls.addEndpoint]({ caller, input, ...call }) {
      return addEndpoint({ database, secrets, sandbox: settings.sandbox }, caller, input, call);
    },
    async [calls.chooseEvents]({ caller, input: { IdEndpoint: id, Events: events }, ...call }) {
      const entry = (chosen: { before: readonly string[] | null }) => ({
        action: "webhook_changed" as const,
        before: { events: chosen.before ?? "all" },
        after: { endpoint: id, events: events ?? "all" },
      });
      await changeWebhook(database, caller, entry, call, (tx) => chooseEvents(tx, id, events));
      return {};
    },
    async [calls.pauseEndpoint]({ caller, input: { IdEndpoint: id }, ...call }) {
      const entry = { action: "webhook_paused", after: { endpoint: id } } as const;
      await changeWebhook(database, caller, entry, call, (tx) => pauseEndpoint(tx, id, call.now));
      return {};
    },
    async [calls.resumeEndpoint]({ caller, input: { IdEndpoint: id }, ...call }) {
      const entry = { action: "webhook_resumed", after: { endpoint: id } } as const;
      await changeWebhook(database, caller, entry, call, (tx) => resumeEndpoint(tx, id));
      return {};
    },
    async [calls.removeEndpoint]({ caller, input: { IdEndpoint: id }, ...call }) {
      const entry = { action: "webhook_removed", after: { endpoint: id } } as const;
      await changeWebhook(database, caller, entry, call, (tx) => disableEndpoint(tx, id, "owner", call.now));
      return {};
    },
    async [calls.rotateSecret]({ caller, input: { IdEndpoint: id }, ...call }) {
      const entry = { action: "webhook_rotated", after: { endpoint: id } } as const;
      const secret = await changeWebhook(database, caller, entry, call, (tx) =>
        rotateSecret(tx, secrets, id, call.now),
      );
      return { Secret: secret };
    },
    async [calls.sendTest]({ caller, input: { IdEndpoint: id }, ...call }) {
      const entry = { action: "webhook_tested", after: { endpoint: id } } as const;
      return { IdEvent: await changeWebhook(database, caller, entry, call, (tx) => sendTest(tx, id)) };
    },

    async [calls.listDeliveries]({ input }) {
      return listDeliveries(database, input);
    },
    async [calls.deliveriesCsv]({ input, locale }) {
      return deliveriesAsCsv(database, input, locale);
    },
    async [calls.readDelivery]({ input }) {
      return readDelivery(database, input.IdDelivery);
    },
    async [calls.resend]({ caller, input: { IdDelivery, IdEndpoint }, ...call }) {
      if ((IdDelivery === undefined) === (IdEndpoint === undefined))
        throw new Refusal("invalid", { errors: [{ field: "IdDelivery", code: IdDelivery ? "invalid" : "required" }] });
      const which = IdDelivery === undefined ? { endpointId: IdEndpoint ?? 0 } : { deliveryId: IdDelivery };
      const entry = { action: "webhook_resent", after: which } as const;
      return { Sent: await changeWebhook(database, caller, entry, call, (tx) => resendDeliveries(tx, which)) };
    },
  });
}
