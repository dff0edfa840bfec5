import type { FailureReason } from "./social-state.ts";

export class SocialFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason) {
    super(reason);
    this.reason = reason;
  }
}

/** The timeout for loading a provider's script. */
export const scriptTimeoutMs = 10_000;

const added = new Map<string, Promise<void>>();

/** Adds a provider's script to the page, once. One that failed is removed, so that another click tries again. */
export function addScript(url: string): Promise<void> {
  const known = added.get(url);
  if (known) return known;
  const script = document.createElement("script");
  const loaded = new Promise<void>((resolve, reject) => {
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      added.delete(url);
      script.remove();
      reject(new SocialFailure("failed"));
    });
  });
  added.set(url, loaded);
  script.src = url;
  script.async = true;
  document.head.append(script);
  return loaded;
}

/** The promise, or a failure after the timeout. The promise itself goes on. */
export async function withTimeout<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SocialFailure("slow")), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
