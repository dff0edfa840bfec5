/**
 * For browsers that do not know the name of <details> (Safari before 17.2): one that opens closes the others of its group.
 * Returns a function that ends it.
 */
export function closeOthersOfGroup(attribute = "name"): () => void {
  const onToggle = ({ target }: Event) => {
    if (!(target instanceof HTMLDetailsElement) || !target.open) return;
    const group = target.getAttribute(attribute);
    if (!group) return;
    for (const other of document.querySelectorAll<HTMLDetailsElement>(`details[open][${attribute}]`))
      if (other !== target && other.getAttribute(attribute) === group) other.open = false;
  };
  // The event does not bubble.
  document.addEventListener("toggle", onToggle, true);
  return () => document.removeEventListener("toggle", onToggle, true);
}
