/** Why a provider's part of a journey ended without a proof. */
export type Trouble = "failed" | "slow" | "cancelled";

export class SocialTrouble extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

/** News of a journey, as it happens. */
export type Report = (news: { opened?: boolean; sdk?: SdkState; connected?: boolean }) => void;

/** The states of the Facebook-type SDK, in the specification's words. */
export type SdkState = "loading" | "initialised" | "SDK Loaded!";

/** How long a provider's script may take before the page says so. */
export const scriptMs = 10_000;

const added = new Map<string, Promise<void>>();

/** Adds a provider's script to the page, once. One that failed is taken away, so that another press tries again. */
export function addScript(url: string): Promise<void> {
  const known = added.get(url);
  if (known) return known;
  const script = document.createElement("script");
  const loaded = new Promise<void>((resolve, reject) => {
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      added.delete(url);
      script.remove();
      reject(new SocialTrouble("failed"));
    });
  });
  added.set(url, loaded);
  script.src = url;
  script.async = true;
  document.head.append(script);
  return loaded;
}

/** The promise, or after the time given, a trouble; what comes later is not lost, only no longer waited for. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SocialTrouble("slow")), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
