import { type RefObject, useCallback, useRef, useState } from "react";

/** A state whose latest value can also be read by what began before the last rendering: a call that waits for the server. */
export function useLatest<T>(
  initial: T,
): [value: T, change: (next: (known: T) => T) => void, latest: Readonly<RefObject<T>>] {
  const [value, show] = useState(initial);
  const latest = useRef(initial);
  const change = useCallback((next: (known: T) => T) => {
    latest.current = next(latest.current);
    show(latest.current);
  }, []);
  return [value, change, latest];
}
