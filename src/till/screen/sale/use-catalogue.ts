import { useEffect, useState } from "react";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { readCatalogue } from "#till/calls.ts";

export type Catalogue = ResponseBody<typeof readCatalogue>;

/** What lines may say of themselves; undefined while no rule of the programme asks for it. */
export function useCatalogue(online: boolean): Catalogue | undefined {
  const [catalogue, setCatalogue] = useState<Catalogue>();
  useEffect(() => {
    if (!online || catalogue) return;
    // Without it lines are sent as before, and the next return of the network asks again.
    browserCall(readCatalogue).then(setCatalogue, () => undefined);
  }, [online, catalogue]);
  return catalogue?.UsedByRules ? catalogue : undefined;
}
