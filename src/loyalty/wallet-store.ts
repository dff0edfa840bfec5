import type { Answer } from "#platform/api.ts";
import { browserCall, CallFailed } from "#platform/client.ts";
import { createStore } from "#ui/store.ts";
import { saveToGoogle } from "./calls.ts";

interface WalletState {
  /** True until the call has ended, whether it has begun or not. */
  loading: boolean;
  /** What may be shown of a failure; empty when no answer came at all. */
  error: { detail?: string } | undefined;
  data: Answer<typeof saveToGoogle> | undefined;
}

/** The specification's client state of that name. */
export const walletStore = createStore<WalletState>({ loading: true, error: undefined, data: undefined });

/** Asks for the link that puts the card into the wallet. */
export async function askForWallet(): Promise<void> {
  walletStore.set(walletStore.initial);
  try {
    walletStore.set({ loading: false, error: undefined, data: await browserCall(saveToGoogle) });
  } catch (error) {
    const detail = error instanceof CallFailed ? error.problem?.detail : undefined;
    walletStore.set({ loading: false, error: detail === undefined ? {} : { detail }, data: undefined });
  }
}
