import { sendConfirmation } from "#identity/address/email-confirmation.server.ts";
import { recordConsent } from "#identity/customer/consent/consent.server.ts";
import { optInErrors, recordOptIns } from "#identity/customer/consent/opt-ins.server.ts";
import { claimEmail, findRegistered } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { normalisePhone } from "#identity/customer/phone.server.ts";
import type { AuthDataResponse } from "#identity/customer/responses.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { isDeviceOf } from "#identity/session/device/device-cookie.server.ts";
import { openSessionForRequest, signInResponse } from "#identity/session/open-session.server.ts";
import { type FieldError, Refusal } from "#platform/refusal.ts";
import { registerGuest } from "./guest.server.ts";
import { isGuestForm, type Registration } from "./registration-form.server.ts";

/** The two forms of `POST customer`. */
export async function register(
  deps: Dependencies,
  form: Registration,
  call: RequestContext,
): Promise<AuthDataResponse> {
  const guest = isGuestForm(form);
  const phone = parsePhone(form, call, guest);
  return deps.limits.registration({ email: form.Email, guest }, call.address, async () => {
    // Refuse a taken address before the costly hash; the unique row decides in the end (customer.server.ts#claimEmail).
    if (await findRegistered(deps.database, form.Email)) throw new Refusal("email_taken");
    if (guest) return signInResponse(deps, call, await registerGuest(deps, form, phone, call));
    const passwordHash = await deps.passwords.hash(form.Password ?? "");
    const referredBy = await deps.club.findReferrer(
      deps.database,
      form.ReferralCode,
      isDeviceOf(deps.deviceCookies, call),
    );
    const opened = await registerCustomer(deps, form, { phone, passwordHash, referredBy }, call);
    const response = await signInResponse(deps, call, opened);
    // It may be the shop's own device, which everybody uses, so no device cookie is issued there.
    if (form.Origin !== "store") await deps.deviceCookies.issue(call, { id: opened.customerId, passwordHash });
    return response;
  });
}

/** Parses the phone, and refuses all fields that do not fit together at once. */
function parsePhone(form: Registration, call: RequestContext, guest: boolean): string | null {
  const errors: FieldError[] = [];
  const phone =
    form.MobilePhone && normalisePhone(form.MobilePhone, call.locale, guest ? form.CountryIsoCode : undefined);
  if (form.MobilePhone && !phone) errors.push({ field: "MobilePhone", code: "phone" });
  if (!guest) {
    const asked = { newsletter: form.NewletterActive, sms: form.NewsletterSmsSubscribe };
    const person = { birthday: form.Birthday, phone: form.MobilePhone };
    errors.push(...optInErrors(asked, person, "NewletterActive"));
  }
  if (errors.length > 0) throw new Refusal("invalid", { errors });
  return phone ?? null;
}

async function registerCustomer(
  deps: Dependencies,
  form: Registration,
  { phone, passwordHash, referredBy }: { phone: string | null; passwordHash: string; referredBy: number | undefined },
  call: RequestContext,
) {
  const { database, club, settings } = deps;
  const { locale } = call;
  return database.transaction(async (tx) => {
    const [customer] = await tx
      .insert(customers)
      .values({
        email: form.Email,
        firstname: form.Firstname,
        lastname: form.Lastname,
        civility: form.Civility ?? null,
        birthday: form.Birthday ?? null,
        mobilePhone: phone,
        language: locale,
        passwordHash,
        newsletter: form.NewletterActive,
        newsletterSms: form.NewsletterSmsSubscribe,
        origin: form.Origin,
      })
      .returning({ id: customers.id, email: customers.email, firstname: customers.firstname });
    if (!customer) throw new Error("The customer was not stored.");
    await claimEmail(tx, customer);
    const source = form.Origin === "store" ? "store" : "registration";
    await recordOptIns(tx, {
      customerId: customer.id,
      from: { newsletter: false, sms: false },
      to: { newsletter: form.NewletterActive, sms: form.NewsletterSmsSubscribe },
      source,
      locale,
    });
    if (form.LoyaltySubscribe) {
      await recordConsent(tx, { customerId: customer.id, subject: "loyalty", given: true, source, locale });
      await club.join(tx, customer.id, { locale, address: call.address, referredBy });
    }
    await sendConfirmation(tx, settings, customer, locale);
    return openSessionForRequest(tx, customer.id, call, { authenticated: true });
  });
}
