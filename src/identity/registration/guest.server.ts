import { customers } from "#identity/customer/customer.tables.server.ts";
import { postalAddresses } from "#identity/customer/postal-address.tables.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { type OpenedSession, openSessionForRequest } from "#identity/session/open-session.server.ts";
import type { Registration } from "./registration-form.server.ts";

/** Each time a new guest record: a returning shopper is not refused, and does not see an earlier record's address. */
export async function registerGuest(
  { database }: Dependencies,
  form: Registration,
  phone: string | null,
  call: RequestContext,
): Promise<OpenedSession> {
  return database.transaction(async (tx) => {
    const [guest] = await tx
      .insert(customers)
      .values({
        email: form.Email,
        firstname: form.Firstname,
        lastname: form.Lastname,
        civility: form.Civility ?? null,
        mobilePhone: phone,
        language: call.locale,
        guest: true,
        origin: "guest",
      })
      .returning({ id: customers.id });
    if (!guest) throw new Error("The guest was not stored.");
    await tx.insert(postalAddresses).values({
      customerId: guest.id,
      address1: form.Address1 ?? "",
      address2: form.Address2 ?? null,
      postcode: form.Postcode ?? "",
      city: form.City ?? "",
      country: form.CountryIsoCode,
      isInvoice: form.IsInvoice,
      isDelivery: form.IsDelivery,
    });
    return openSessionForRequest(tx, guest.id, call);
  });
}
