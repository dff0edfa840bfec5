/** Runs `act` in a browser that has no `Element.checkVisibility`. */
export async function withoutCheckVisibility(act: () => Promise<void>): Promise<void> {
  const { checkVisibility } = Element.prototype;
  Reflect.deleteProperty(Element.prototype, "checkVisibility");
  try {
    await act();
  } finally {
    Element.prototype.checkVisibility = checkVisibility;
  }
}
