import { entryOf } from "#office/audit.server.ts";
import { addClient, disableClient, listClients, rotateClientSecret } from "#oidc/clients.server.ts";
import { apiModule } from "#platform/api/api-module.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";
import * as calls from "./calls.ts";
import { clientsContract } from "./contract.server.ts";

export function clientsModule({ database }: { database: Database }) {
  return apiModule(clientsContract, {
    async [calls.listClients]() {
      const clients = await listClients(database);
      return {
        Clients: clients.map(({ id, name, firstParty, metadata, secretHash, createdAt, disabledAt }) => ({
          ...{ IdClient: id, Name: name, RedirectUris: metadata.redirect_uris, FirstParty: firstParty },
          Public: secretHash === null,
          CreatedAt: createdAt.toISOString(),
          DisabledAt: disabledAt?.toISOString() ?? null,
        })),
      };
    },
    async [calls.addClient]({ caller, input, now, requestId }) {
      const client = {
        ...{ name: input.Name, redirectUris: input.RedirectUris, logoutUris: input.LogoutUris },
        ...{ backChannelLogoutUri: input.BackChannelLogoutUri, firstParty: input.FirstParty, isPublic: input.Public },
      };
      return database.transaction(async (tx) => {
        const { id, secret } = await addClient(tx, client);
        const after = { client: id, name: input.Name, redirectUris: input.RedirectUris };
        await writeAudit(tx, entryOf(caller, { action: "client_added", after, requestId, at: now }));
        return { IdClient: id, Secret: secret ?? null };
      });
    },
    async [calls.rotateClient]({ caller, input: { IdClient: id }, now, requestId }) {
      return database.transaction(async (tx) => {
        const secret = await rotateClientSecret(tx, id);
        if (secret === undefined) throw new Refusal("not_found");
        await writeAudit(tx, entryOf(caller, { action: "client_rotated", after: { client: id }, requestId, at: now }));
        return { Secret: secret };
      });
    },
    async [calls.disableClient]({ caller, input: { IdClient: id }, now, requestId }) {
      await database.transaction(async (tx) => {
        if (!(await disableClient(tx, id))) throw new Refusal("not_found");
        await writeAudit(tx, entryOf(caller, { action: "client_disabled", after: { client: id }, requestId, at: now }));
      });
      return {};
    },
  });
}
