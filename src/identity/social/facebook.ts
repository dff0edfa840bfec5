import type { SocialSettings } from "#identity/customer/social-providers.ts";
import { addScript, type Report, type SdkState, SocialTrouble, scriptMs, within } from "./provider-script.ts";

interface Login {
  status: "connected" | "not_authorized" | "unknown";
  authResponse?: { accessToken: string; userID: string } | null;
}

/** The little we use of the provider's SDK. */
interface FacebookSdk {
  init(options: { appId: string; version: string; cookie: boolean; xfbml: boolean }): void;
  AppEvents: { logPageView(): void };
  getLoginStatus(answered: (login: Login) => void): void;
  login(answered: (login: Login) => void, options: { scope: string; auth_type?: string }): void;
  logout(answered: () => void): void;
}

declare global {
  interface Window {
    FB?: FacebookSdk;
    /** The SDK calls it once it is ready. */
    fbAsyncInit?: () => void;
  }
}

type Facebook = NonNullable<SocialSettings["facebook"]>;

/** Asking whether somebody is connected is a courtesy; a browser that blocks it must not hold the journey up. */
const statusMs = 3_000;
const regions: Record<string, string> = { fr: "fr_FR", en: "en_US", de: "de_DE" };

let sdk: SdkState | undefined;
let initialised: Promise<FacebookSdk> | undefined;

/** Brings the SDK in, once, and initialises it when it announces that it is ready. */
async function loadFacebook(facebook: Facebook, locale: string, report: Report): Promise<FacebookSdk> {
  sdk ??= "loading";
  report({ sdk });
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
    // Another part of the page may have brought it already.
    init();
  });
  const script = window.FB ? Promise.resolve() : addScript(inLanguage(facebook.sdkUrl, locale));
  const FB = await within(
    scriptMs,
    script.then(() => initialised as Promise<FacebookSdk>),
  );
  report({ sdk: "initialised" });
  sdk = "SDK Loaded!";
  report({ sdk });
  return FB;
}

/** The provider serves its SDK in each language under an address of its own. */
function inLanguage(url: string, locale: string): string {
  return url.replace(/\/[a-z]{2}_[A-Z]{2}\/(?=sdk\.js)/, `/${regions[locale] ?? "fr_FR"}/`);
}

/** Every address the SDK may be loaded from. */
export function sdkLanguages(url: string): string[] {
  return [...new Set(Object.keys(regions).map((locale) => inLanguage(url, locale)))];
}

function loginStatus(FB: FacebookSdk): Promise<Login> {
  const asked = new Promise<Login>((resolve) => FB.getLoginStatus(resolve));
  return within(statusMs, asked).catch(() => ({ status: "unknown" }));
}

/** Asks the provider who this is: whoever is connected already, unless the proof must be a fresh one. */
export async function askFacebook(
  facebook: Facebook,
  asked: { locale: string; report: Report; fresh: boolean; signal: AbortSignal },
): Promise<{ AccessToken: string; FacebookCustomerId: string }> {
  const FB = await loadFacebook(facebook, asked.locale, asked.report);
  const known = asked.fresh ? undefined : await loginStatus(FB);
  const login = known?.status === "connected" ? known : await openLogin(FB, asked);
  asked.report({ connected: login.status === "connected" });
  if (login.status !== "connected" || !login.authResponse) throw new SocialTrouble("cancelled");
  return { AccessToken: login.authResponse.accessToken, FacebookCustomerId: login.authResponse.userID };
}

function openLogin(
  FB: FacebookSdk,
  { fresh, signal, report }: { fresh: boolean; signal: AbortSignal; report: Report },
): Promise<Login> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new SocialTrouble("cancelled")));
    if (signal.aborted) return reject(new SocialTrouble("cancelled"));
    report({ opened: true });
    FB.login(resolve, { scope: "public_profile,email", ...(fresh && { auth_type: "reauthenticate" }) });
  });
}

/** Ends the provider's own session, if there is one. */
export async function leaveFacebook(facebook: Facebook, locale: string): Promise<void> {
  const FB = await loadFacebook(facebook, locale, () => {});
  if ((await loginStatus(FB)).status === "connected") await new Promise<void>((resolve) => FB.logout(resolve));
}
