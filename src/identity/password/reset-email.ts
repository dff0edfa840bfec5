import { maskEmail } from "#identity/customer/email-mask.ts";
import { emailStore } from "#identity/fields/email-store.ts";
import { shopDevice } from "#identity/session/shop-device.ts";

/**
 * The address for which this browser asked a reset link, kept as long as the link is good: the letter opens in another tab,
 * and the link itself names the address only in part.
 */
const place = "cercle.reset-email";
const keptMs = 30 * 60_000;

export function keepResetEmail(email: string): void {
  if (shopDevice.get()) return;
  try {
    localStorage.setItem(place, `${Date.now()} ${email.trim().toLowerCase()}`);
  } catch {
    // Storage may be full or forbidden; then the sign-in starts empty.
  }
}

/** Once the link is open the address goes to the sign-in, if it is the one the link was made for, and is kept no longer. */
export function takeResetEmail(masked: string): void {
  try {
    const [savedAt, email = ""] = localStorage.getItem(place)?.split(" ") ?? [];
    if (maskEmail(email) === masked && Date.now() - Number(savedAt) < keptMs) emailStore.set(email);
    localStorage.removeItem(place);
  } catch {
    // Nothing was kept, so there is nothing to hand on.
  }
}
