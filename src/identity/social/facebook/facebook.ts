import type { SocialSettings } from "#identity/customer/social-providers.ts";
import { addScript, SocialFailure, scriptTimeoutMs, withTimeout } from "#identity/social/screen/provider-script.ts";
import type { AskAgain, OnProgress, SdkState } from "#identity/social/screen/social-state.ts";

interface Login {
  status: "connected" | "not_authorized" | "unknown";
  authResponse?: { accessToken: string; userID: string } | null;
}

/** The part of the provider's SDK that we use. */
interface FacebookSdk {
  init(options: { appId: string; version: string; cookie: boolean; xfbml: boolean }): void;
  AppEvents: { logPageView(): void };
  getLoginStatus(callback: (login: Login) => void): void;
  login(callback: (login: Login) => void, options: { scope: string; auth_type?: string }): void;
  logout(callback: () => void): void;
}

declare global {
  interface Window {
    FB?: FacebookSdk;
    /** The SDK calls it once it is ready. */
    fbAsyncInit?: () => void;
  }
}

type Facebook = NonNullable<SocialSettings["facebook"]>;

/** The timeout for asking whether a person is connected; a browser that blocks the question must not block the flow. */
const statusTimeoutMs = 3_000;
const regions: Record<string, string> = { fr: "fr_FR", en: "en_US", de: "de_DE" };

let sdk: SdkState | undefined;
let initialised: Promise<FacebookSdk> | undefined;
let loaded: FacebookSdk | undefined;
/** Set once the SDK is loaded and no one was connected: from then on a press opens the window without waiting. */
let ready: FacebookSdk | undefined;

/** Loads the SDK, once, and initialises it when it says that it is ready. */
async function loadFacebook(facebook: Facebook, locale: string, onProgress: OnProgress): Promise<FacebookSdk> {
  sdk ??= "loading";
  onProgress({ sdk });
  initialised ??= new Promise((resolve) => {
    const init = () => {
      const { FB } = window;
      if (!FB) return;
      FB.init({ appId: facebook.appId, version: facebook.sdkVersion, cookie: true, xfbml: false });
      FB.AppEvents.logPageView();
      sdk = "initialised";
      resolve(FB);
    };
    window.fbAsyncInit = init;
    // It may be loaded already.
    init();
  });
  const script = window.FB ? Promise.resolve() : addScript(inLanguage(facebook.sdkUrl, locale));
  const FB = await withTimeout(
    scriptTimeoutMs,
    script.then(() => initialised as Promise<FacebookSdk>),
  );
  onProgress({ sdk: "initialised" });
  sdk = "SDK Loaded!";
  onProgress({ sdk });
  loaded = FB;
  return FB;
}

/** The address of the SDK in a language. */
function inLanguage(url: string, locale: string): string {
  return url.replace(/\/[a-z]{2}_[A-Z]{2}\/(?=sdk\.js)/, `/${regions[locale] ?? "fr_FR"}/`);
}

/** Every address the SDK may be loaded from. */
export function sdkLanguages(url: string): string[] {
  return [...new Set(Object.keys(regions).map((locale) => inLanguage(url, locale)))];
}

function loginStatus(FB: FacebookSdk): Promise<Login> {
  const status = new Promise<Login>((resolve) => FB.getLoginStatus(resolve));
  return withTimeout(statusTimeoutMs, status).catch(() => ({ status: "unknown" }));
}

interface ProofOptions {
  locale: string;
  onProgress: OnProgress;
  askAgain: AskAgain | undefined;
  signal: AbortSignal;
}

/** Asks the provider who this is: a customer who is connected already gets no window, unless something is asked again. */
export async function requestFacebookProof(
  facebook: Facebook,
  options: ProofOptions,
): Promise<{ AccessToken: string; FacebookCustomerId: string }> {
  // No await before the window once the SDK is ready: WebKit opens it in the press alone.
  const FB = options.askAgain ? loaded : ready;
  const login = FB ? await openLogin(FB, options) : await loadAndLogIn(facebook, options);
  const connected = login.status === "connected";
  options.onProgress({ connected });
  // The next press asks for the status again: a connected person needs no window.
  if (connected) ready = undefined;
  if (!connected || !login.authResponse) throw new SocialFailure("cancelled");
  return { AccessToken: login.authResponse.accessToken, FacebookCustomerId: login.authResponse.userID };
}

async function loadAndLogIn(facebook: Facebook, options: ProofOptions): Promise<Login> {
  const FB = await loadFacebook(facebook, options.locale, options.onProgress);
  const known = options.askAgain ? undefined : await loginStatus(FB);
  if (known?.status === "connected") return known;
  ready = FB;
  return openLogin(FB, options);
}

function openLogin(FB: FacebookSdk, { askAgain, signal, onProgress }: ProofOptions): Promise<Login> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new SocialFailure("cancelled")));
    if (signal.aborted) return reject(new SocialFailure("cancelled"));
    const open = () => {
      let returned = false;
      // A response before `login` returns means a blocked window: the customer can press `open`.
      const onLogin = (login: Login) => (returned || login.status === "connected") && resolve(login);
      FB.login(onLogin, { scope: "public_profile,email", ...(askAgain && { auth_type: askAgain }) });
      returned = true;
    };
    onProgress({ sdk, opened: true, open });
    open();
  });
}

/** Ends the provider's own session, if there is one. */
export async function signOutOfFacebook(facebook: Facebook, locale: string): Promise<void> {
  const FB = await loadFacebook(facebook, locale, () => {});
  if ((await loginStatus(FB)).status === "connected") await new Promise<void>((resolve) => FB.logout(resolve));
}
