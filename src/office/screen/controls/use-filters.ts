import { useEffect, useRef } from "react";

/**
 * A form whose values stand in the address. It is the same form after each search, so that the focus stays where it was,
 * and shows the values of the new address. The first field that was refused takes the focus.
 */
export function useFilters(address: string) {
  const ref = useRef<HTMLFormElement>(null);
  const shown = useRef(address);
  useEffect(() => {
    ref.current?.reset();
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    // A link that was pressed may be gone at the new address.
    const lost = shown.current !== address && document.activeElement === document.body;
    if (lost) ref.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
    shown.current = address;
  }, [address]);
  return ref;
}
