import { saveToGoogle } from "#loyalty/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall, CallFailed } from "#platform/api/client.ts";
import { createStore, useStore } from "#ui/store.ts";

interface WalletState {
  /** True until the call has ended, whether it has begun or not. */
  loading: boolean;
  /** What may be shown of a failure; empty when no answer came at all. */
  error: { detail?: string } | undefined;
  data: ResponseBody<typeof saveToGoogle> | undefined;
}

const untouched: WalletState = { loading: true, error: undefined, data: undefined };

/** The specification's client state of that name. */
const walletStore = createStore(untouched);

export function useWallet(): WalletState {
  return useStore(walletStore, (state) => state);
}

/** Asks for the link that puts the customer's card into the wallet. */
export async function askForWallet(forCustomer: string | undefined): Promise<void> {
  walletStore.set(untouched);
  try {
    const data = await browserCall(saveToGoogle, {}, { forCustomer });
    walletStore.set({ ...untouched, loading: false, data });
  } catch (error) {
    const detail = error instanceof CallFailed ? error.problem?.detail : undefined;
    walletStore.set({ ...untouched, loading: false, error: detail === undefined ? {} : { detail } });
  }
}
