import { saveToGoogle } from "#loyalty/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall, CallFailed } from "#platform/api/client/client.ts";
import { createStore, useStore } from "#ui/browser/store.ts";

interface WalletState {
  /** True until the call has ended, also before it has started. */
  loading: boolean;
  /** The error text to show; empty when there was no response. */
  error: { detail?: string } | undefined;
  data: ResponseBody<typeof saveToGoogle> | undefined;
}

const untouched: WalletState = { loading: true, error: undefined, data: undefined };

/** The client state that the specification calls `wallet`. */
const walletStore = createStore(untouched);

export function useWallet(): WalletState {
  return useStore(walletStore, (state) => state);
}

/** Requests the link that saves the customer's card to Google Wallet. */
export async function requestWalletLink(forCustomer: string | undefined): Promise<void> {
  walletStore.set(untouched);
  try {
    const data = await browserCall(saveToGoogle, {}, { forCustomer });
    walletStore.set({ ...untouched, loading: false, data });
  } catch (error) {
    const detail = error instanceof CallFailed ? error.problem?.detail : undefined;
    walletStore.set({ ...untouched, loading: false, error: detail === undefined ? {} : { detail } });
  }
}
