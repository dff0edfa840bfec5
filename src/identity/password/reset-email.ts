import { maskEmail } from "#identity/customer/email/email-mask.ts";
import { emailStore } from "#identity/fields/email-store.ts";
import { resetLinkMinutes } from "#identity/fields/password-rule.ts";
import { shopDevice } from "#identity/session/device/shop-device.ts";

/**
 * The address for which this browser requested a reset link, stored as long as the link is valid: the mail opens in
 * another tab, and the link itself names the address only in part.
 */
const storageKey = "cercle.reset-email";

export function storeResetEmail(email: string): void {
  if (shopDevice.get()) return;
  try {
    localStorage.setItem(storageKey, `${Date.now()} ${email.trim().toLowerCase()}`);
  } catch {
    // Storage may be full or forbidden; then the sign-in starts empty.
  }
}

/** Once the link is open, the address prefills the sign-in if the link was made for it, and is removed from storage. */
export function restoreResetEmail(masked: string): void {
  try {
    const [savedAt, email = ""] = localStorage.getItem(storageKey)?.split(" ") ?? [];
    const isValid = Date.now() - Number(savedAt) < resetLinkMinutes * 60_000;
    if (maskEmail(email) === masked && isValid) emailStore.set(email);
    localStorage.removeItem(storageKey);
  } catch {
    // Storage may be forbidden; then there is no address to restore.
  }
}
