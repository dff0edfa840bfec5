import type { Locale } from "#i18n/locale.ts";
import { localePath } from "#i18n/locale.ts";
import { findRepeated, registerInShop, type ShopForm } from "#identity/address/shop-registration.server.ts";
import { shortName } from "#identity/customer/names.server.ts";
import { updateContact } from "#identity/profile/profile.server.ts";
import { qrSvg } from "#loyalty/card/barcode.server.ts";
import { findCardNumber, join } from "#loyalty/membership/membership.server.ts";
import { passPath, passTokenParameter } from "#loyalty/paths.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { countSuccesses, type Limit } from "#platform/limits/limits.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { countFailedAttempt, type KeyLimits, refuseGuessing } from "#shop/keys/keys.server.ts";
import { auditSale } from "#shop/sales/at-till.server.ts";

/** What the customer says at the till beside name and address; consents are recorded as given in the shop. */
type Contact = Parameters<typeof updateContact>[2];

/**
 * Registers a customer at a till and makes them a member at once. Each registration mails one email, so a key may do
 * so many an hour. A known address counts as a failed attempt: a key must not try out who is a customer.
 */
export async function joinInShop(
  deps: { database: Database; settings: Settings; limits: KeyLimits; joinLimit: Limit },
  caller: KeyCaller,
  form: ShopForm,
  contact: Contact,
  now: Date,
) {
  const { database, settings } = deps;
  refuseGuessing(caller, deps.limits, now);
  const repeated = async () => {
    const found = await findRepeated(database, form, caller.shopId, now);
    const after = { repeated: true };
    if (found) await auditSale(database, caller, now, { action: "join", customerId: found.customerId, after });
    return found;
  };
  const registered =
    (await repeated()) ??
    (await deps.joinLimit
      .attempt(caller.prefix, countSuccesses, () => register(database, settings, { form, contact }, caller, now))
      .catch(async (error: unknown) => {
        if (!(error instanceof Refusal) || error.code !== "email_taken") throw error;
        // Of two equal calls at once, the second was refused for the first.
        const first = await repeated();
        if (first) return first;
        await countFailedAttempt(database, caller);
        throw error;
      }));
  const url = passUrl(settings.publicUrl.origin, form.locale, registered.passToken);
  return {
    CardNumber: await findCardNumber(database, registered.customerId),
    Name: shortName(form.firstname, form.lastname),
    PassUrl: url,
    PassQrSvg: qrSvg(url),
  };
}

async function register(
  database: Database,
  settings: Settings,
  { form, contact }: { form: ShopForm; contact: Contact },
  caller: KeyCaller,
  now: Date,
) {
  const { locale } = form;
  const shop = { id: caller.shopId, name: caller.shopName };
  return database.transaction(async (tx) => {
    const registered = await registerInShop(tx, settings, form, shop, now);
    const context = { now, locale, publicUrl: settings.publicUrl.origin };
    await join(tx, registered.customerId, defaultProgrammeId, context);
    if (Object.keys(contact).length > 0) await updateContact(tx, registered.customerId, contact, locale);
    const { locale: _, ...person } = form;
    const personal = { ...person, ...contact };
    await auditSale(tx, caller, now, { action: "join", customerId: registered.customerId, personal });
    return registered;
  });
}

/** Where the QR code on the till's screen leads: the card for the customer's phone, without a session. */
function passUrl(publicUrl: string, locale: Locale, token: string): string {
  return `${publicUrl}${localePath(locale, passPath)}?${new URLSearchParams({ [passTokenParameter]: token })}`;
}
