import type { SocialSettings } from "#identity/customer/social-providers.ts";
import { addScript, SocialFailure, scriptTimeoutMs, withTimeout } from "#identity/social/screen/provider-script.ts";
import type { OnProgress } from "#identity/social/screen/social-state.ts";

/** The outcome of a prompt. Newer browsers report less, so every part is optional. */
interface PromptMoment {
  isDismissedMoment?(): boolean;
  getDismissedReason?(): string;
}

/** The part of the provider's script that we use. */
interface GoogleIdentity {
  initialize(options: {
    client_id: string;
    nonce: string;
    callback: (response: { credential: string }) => void;
    auto_select: boolean;
    ux_mode: "popup";
    use_fedcm_for_prompt: boolean;
  }): void;
  renderButton(
    container: HTMLElement,
    options: { type: "standard"; theme: "outline"; size: "large"; locale: string },
  ): void;
  prompt(listener: (moment: PromptMoment) => void): void;
  cancel(): void;
  disableAutoSelect(): void;
}

declare global {
  interface Window {
    google?: { accounts?: { id?: GoogleIdentity } };
  }
}

type Google = NonNullable<SocialSettings["google"]>;

export async function loadGoogle({ scriptUrl }: Pick<Google, "scriptUrl">): Promise<GoogleIdentity> {
  await withTimeout(scriptTimeoutMs, addScript(scriptUrl));
  const identity = window.google?.accounts?.id;
  // The address answered with something else than the provider's script.
  if (!identity) throw new SocialFailure("failed");
  return identity;
}

/**
 * Asks the provider who this is. Its prompt opens by itself; if the browser blocks that, the provider's own button in
 * `container` opens it with a click, which no popup blocker stops.
 */
export async function requestGoogleProof(
  google: Google,
  options: {
    nonce: Promise<string>;
    container: () => HTMLElement | null;
    locale: string;
    onProgress: OnProgress;
    signal: AbortSignal;
  },
): Promise<{ IdToken: string; GoogleCustomerId: string }> {
  const [identity, nonce] = await Promise.all([loadGoogle(google), options.nonce]);
  const credential = await new Promise<string>((resolve, reject) => {
    const cancelled = () => reject(new SocialFailure("cancelled"));
    options.signal.addEventListener("abort", () => {
      identity.cancel();
      cancelled();
    });
    if (options.signal.aborted) return cancelled();
    identity.initialize({
      client_id: google.clientId,
      nonce,
      callback: (response) => resolve(response.credential),
      auto_select: false,
      ux_mode: "popup",
      use_fedcm_for_prompt: true,
    });
    const container = options.container();
    if (container)
      identity.renderButton(container, { type: "standard", theme: "outline", size: "large", locale: options.locale });
    options.onProgress({ opened: true });
    identity.prompt((moment) => {
      const dismissed = moment.isDismissedMoment?.() && moment.getDismissedReason?.() !== "credential_returned";
      if (dismissed) cancelled();
    });
  });
  return { IdToken: credential, GoogleCustomerId: subjectOf(credential) };
}

/** The account's id, as the token says; the server verifies it. */
function subjectOf(token: string): string {
  const body = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    // Names may hold any letter and would need UTF-8 decoding; the id is plain digits and needs none.
    return String(JSON.parse(atob(body)).sub ?? "");
  } catch {
    return "";
  }
}
