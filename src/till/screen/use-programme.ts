import { useEffect, useState } from "react";
import { readProgramme } from "#loyalty/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";

export type Programme = ResponseBody<typeof readProgramme>;

/** The club's statuses and what they bring, for the panel beside the sale; read again with each sale, as it may change. */
export function useProgramme(online: boolean, selling: boolean): Programme | undefined {
  const [programme, setProgramme] = useState<Programme>();
  useEffect(() => {
    if (!online || programme) return;
    // Without it the panel shows less, and the next return of the network asks again.
    browserCall(readProgramme).then(setProgramme, () => undefined);
  }, [online, programme]);
  useEffect(() => {
    if (online && selling) browserCall(readProgramme).then(setProgramme, () => undefined);
  }, [online, selling]);
  return programme;
}
