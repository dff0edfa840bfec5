import { useEffect, useState } from "react";

/** What shows that something is loading is shown at least this long. */
const minimumMs = 200;

/** True as long as `on` is, and at least 200 ms from its beginning: a label that flickers cannot be read. */
export function useMinimumDisplayTime(on: boolean): boolean {
  const [since, setSince] = useState<number | undefined>();
  if (on && since === undefined) setSince(Date.now());
  useEffect(() => {
    if (on || since === undefined) return;
    const timer = setTimeout(() => setSince(undefined), Math.max(0, minimumMs - (Date.now() - since)));
    return () => clearTimeout(timer);
  }, [on, since]);
  return on || since !== undefined;
}
