import { installedBrand } from "#brand/brand.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { storedKey } from "#platform/database/keys/stored-keys.server.ts";
import { addClient, type NewClient } from "./clients.server.ts";

/** A shop of the sandbox, made when first asked for. */
export function sandboxClient(
  database: Database,
  addresses: Pick<NewClient, "redirectUris" | "logoutUris" | "backChannelLogoutUri">,
): Promise<{ id: string; secret: string }> {
  return storedKey(database, `sandbox-client ${addresses.redirectUris}`, async () => {
    const { id, secret = "" } = await addClient(database, {
      ...{ name: `${installedBrand().Name} Sandbox`, isPublic: false, firstParty: true },
      ...addresses,
    });
    return { id, secret };
  });
}
