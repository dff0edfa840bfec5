import type { SocialSettings } from "#identity/customer/social-providers.ts";
import { addScript, type Report, SocialTrouble, scriptMs, within } from "./provider-script.ts";

/** What became of a prompt; newer browsers tell less, so nothing here can be counted on. */
interface PromptMoment {
  isDismissedMoment?(): boolean;
  getDismissedReason?(): string;
}

/** The little we use of the provider's script. */
interface GoogleIdentity {
  initialize(options: {
    client_id: string;
    nonce: string;
    callback: (answer: { credential: string }) => void;
    auto_select: boolean;
    ux_mode: "popup";
    use_fedcm_for_prompt: boolean;
  }): void;
  renderButton(
    place: HTMLElement,
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
  await within(scriptMs, addScript(scriptUrl));
  const identity = window.google?.accounts?.id;
  // Something came, but not the provider's script.
  if (!identity) throw new SocialTrouble("failed");
  return identity;
}

/**
 * Asks the provider who this is. Its own prompt opens by itself; should the browser hold that back, the provider's own
 * button stands in `place`, and a press on it needs nobody's permission.
 */
export async function askGoogle(
  google: Google,
  asked: {
    nonce: Promise<string>;
    place: () => HTMLElement | null;
    locale: string;
    report: Report;
    signal: AbortSignal;
  },
): Promise<{ IdToken: string; GoogleCustomerId: string }> {
  const [identity, nonce] = await Promise.all([loadGoogle(google), asked.nonce]);
  const credential = await new Promise<string>((resolve, reject) => {
    const cancelled = () => reject(new SocialTrouble("cancelled"));
    asked.signal.addEventListener("abort", () => {
      identity.cancel();
      cancelled();
    });
    if (asked.signal.aborted) return cancelled();
    identity.initialize({
      client_id: google.clientId,
      nonce,
      callback: (answer) => resolve(answer.credential),
      auto_select: false,
      ux_mode: "popup",
      use_fedcm_for_prompt: true,
    });
    const place = asked.place();
    if (place)
      identity.renderButton(place, { type: "standard", theme: "outline", size: "large", locale: asked.locale });
    asked.report({ opened: true });
    identity.prompt((moment) => {
      const dismissed = moment.isDismissedMoment?.() && moment.getDismissedReason?.() !== "credential_returned";
      if (dismissed) cancelled();
    });
  });
  return { IdToken: credential, GoogleCustomerId: subjectOf(credential) };
}

/** The account's number, as the token says; only the server's reading of it counts. */
function subjectOf(token: string): string {
  const body = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    // Names may hold any letter; the number is plain digits, so the bytes need no decoding.
    return String(JSON.parse(atob(body)).sub ?? "");
  } catch {
    return "";
  }
}
