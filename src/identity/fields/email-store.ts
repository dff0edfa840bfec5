import { type FormEvent, useState } from "react";
import { shopDevice } from "#identity/session/device/shop-device.ts";
import { createStore } from "#ui/browser/store.ts";

/** The email address typed so far; sign-in, registration and the forgotten password share it until the document is left. */
export const emailStore = createStore("");

/** Prefills a field with the address typed on the page before, and stores what is typed here. */
export function useSharedEmail() {
  const [initial] = useState(emailStore.get);
  const onInput = (event: FormEvent<HTMLInputElement>) => {
    // On the shop's device the next page may belong to the next customer.
    if (!shopDevice.get()) emailStore.set(event.currentTarget.value);
  };
  return { initial, onInput };
}
