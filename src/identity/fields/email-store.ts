import { type FormEvent, useState } from "react";
import { shopDevice } from "#identity/session/shop-device.ts";
import { createStore } from "#ui/store.ts";

/** The one address typed at the door: login, registration and the forgotten password share it. It lives as long as the tab's page. */
export const emailStore = createStore("");

/** Starts a field with the address typed on the page before, and hands on what is typed here. */
export function useCarriedEmail() {
  const [initial] = useState(emailStore.get);
  const onInput = (event: FormEvent<HTMLInputElement>) => {
    // On the shop's device the next page may be the next customer's.
    if (!shopDevice.get()) emailStore.set(event.currentTarget.value);
  };
  return { initial, onInput };
}
