/** The fields of a provider's proof, as the API takes them. */
export type ProofFields = Record<string, string>;

/** The states of the Facebook-type SDK, in the specification's words. */
export type SdkState = "loading" | "initialised" | "SDK Loaded!";

/** What a provider's button shows of the flow it has started. */
export interface SocialState {
  working: boolean;
  /** Of the Facebook-type provider alone: its SDK, and whether a person is connected there. */
  sdk?: SdkState | undefined;
  connected: boolean;
}

/**
 * What a provider asks again of a customer who is connected there already: to reauthenticate, or to share the address
 * that was withheld.
 */
export type AskAgain = "reauthenticate" | "rerequest";

/** Called as a flow advances. `open` opens the provider's window in a press, should the browser have blocked it. */
export type OnProgress = (progress: {
  opened?: boolean;
  open?: () => void;
  sdk?: SdkState | undefined;
  connected?: boolean;
}) => void;

/** Why a provider's flow ended without a proof. */
export type FailureReason = "failed" | "slow" | "cancelled";
