import { sql } from "drizzle-orm";
import { createServer } from "#app/server.ts";
import type { Settings } from "#app/settings.server.ts";
import { amountOf } from "#brand/amounts.ts";
import { sandboxAddress } from "#brand/sandbox-address.server.ts";
import { clubDay } from "#i18n/club-day.ts";
import { defaultLocale } from "#i18n/locale.ts";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import * as campaigns from "#office/campaigns/calls.ts";
import * as customers from "#office/customers/calls.ts";
import { openSandboxOffice } from "#office/sandbox-office.server.ts";
import * as webhooks from "#office/webhooks/calls.ts";
import { createCall } from "#platform/api/client/client.ts";
import type { Database } from "#platform/database/database.server.ts";
import { createLog } from "#platform/log.server.ts";
import * as shop from "#shop/calls.ts";
import { sandboxKey } from "#shop/keys/keys.server.ts";
import { createPins } from "#staff/pins.server.ts";
import { readPopulation } from "./seed-people.server.ts";

const thirtyDaysMs = 30 * 24 * 3_600_000;

/** Why points are asked for: the note in the language of the team, and what the customer reads. */
const lateParcel = {
  fr: ["Colis W-220914 livré avec neuf jours de retard.", "Un geste pour votre livraison en retard"],
  en: ["Parcel W-220914 delivered nine days late.", "With our apologies for your late delivery"],
  de: ["Paket W-220914 neun Tage zu spät geliefert.", "Mit der Bitte um Entschuldigung für Ihre verspätete Lieferung"],
} as const;

/**
 * Something to look at on every screen of the back office, made by the calls that a shop and its people make: a request that
 * waits for a second person, a return without its sale, a day whose totals differ, an address for webhooks, a
 * campaign. Once.
 */
export async function seedOffice({ database, settings, now }: { database: Database; settings: Settings; now: Date }) {
  const { rows: asked } = await database.execute(sql`select from office_request limit 1`);
  if (asked.length > 0) return;
  const { origin } = settings.publicUrl;
  const none = { script: "", styles: [], preload: [], fonts: [] };
  const product = createServer({ settings, database, log: createLog("silent"), assetsOf: () => none, now: () => now });
  const callWith = (headers: Record<string, string>) =>
    createCall(async (path, init) =>
      product.fetch(new Request(origin + path, { ...init, headers: { ...init.headers, ...headers, origin } }), {
        address: "127.0.0.1",
      }),
    );
  const passwords = createPasswordHashes();
  const people = { database, passwords, pins: createPins(settings, passwords) };
  const office = async (email: string) =>
    callWith({ cookie: `staff.token=${await openSandboxOffice(people, email, new Request(origin), now)}` });
  const helene = await office(sandboxAddress("helene"));
  const paul = await office(sandboxAddress("paul"));
  const ines = await office(sandboxAddress("ines"));
  const till = callWith({ authorization: `Bearer ${await sandboxKey(database, now)}` });

  const found = async (search: string) => (await helene(customers.findCustomers, { Search: search })).Customers[0];
  // The first and the last of the brand's people are members.
  const [first, last] = [readPopulation().at(0), readPopulation().at(-1)];
  const [asking, buying] = [first && (await found(first.email)), last && (await found(last.email))];
  if (!first || !asking || !buying?.CardNumber) return;
  await helene(customers.adjustPoints, {
    ...{ IdCustomer: String(asking.IdCustomer), Points: "400", Reason: "complaint" },
    ...{ Note: lateParcel[defaultLocale()][0], CustomerText: lateParcel[first.language][1] },
  });

  const [Day, moment] = [clubDay(now), now.toISOString()];
  const times = { SoldAt: moment, SentAt: moment };
  await till(shop.postPurchase, {
    ReceiptNumber: "W-1001",
    CardNumber: buying.CardNumber,
    Amount: amountOf(6_400),
    ...times,
  });
  await till(shop.postReturn, {
    ReceiptNumber: "W-1002",
    OriginalReceiptNumber: "W-0990",
    Amount: amountOf(4_500),
    ...times,
  });
  await till(shop.closeDay, { Day, Count: "2", Amount: amountOf(10_900), VoucherAmount: amountOf(0) });

  const { IdCampaign } = await ines(campaigns.addCampaign, {
    ...{ NameFr: "Vous nous manquez", NameEn: "We miss you", NameDe: "Sie fehlen uns" },
    TextFr: "100 points offerts à votre prochain achat.",
    TextEn: "100 points with your next purchase.",
    TextDe: "100 Punkte bei Ihrem nächsten Einkauf.",
    ...{
      ExtraPoints: "100",
      IdleMonths: "6",
      From: clubDay(now),
      To: clubDay(new Date(now.getTime() + thirtyDaysMs)),
    },
  });
  await paul(campaigns.approveCampaign, { IdCampaign: String(IdCampaign) });

  const Url = `${origin}/sandbox/webhook`;
  const { IdEndpoint } = await paul(webhooks.addEndpoint, { Url, OwnerEmail: sandboxAddress("paul") });
  await paul(webhooks.sendTest, { IdEndpoint: String(IdEndpoint) });
}
