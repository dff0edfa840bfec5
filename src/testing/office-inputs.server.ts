import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import * as campaignsCalls from "#office/campaigns/calls.ts";
import * as clientsCalls from "#office/clients/calls.ts";
import * as customersCalls from "#office/customers/calls.ts";
import * as inboxCalls from "#office/inbox/calls.ts";
import * as metricsCalls from "#office/metrics/calls.ts";
import * as monthEndCalls from "#office/month-end/calls.ts";
import * as moveCalls from "#office/move/calls.ts";
import * as programmeCalls from "#office/programme/calls.ts";
import * as receiptsCalls from "#office/receipts/calls.ts";
import * as segmentsCalls from "#office/segments/calls.ts";
import * as shopsCalls from "#office/shops/calls.ts";
import * as signInCalls from "#office/sign-in/calls.ts";
import * as teamCalls from "#office/team/calls.ts";
import * as webhooksCalls from "#office/webhooks/calls.ts";

import { addClient } from "#oidc/clients.server.ts";
import { addEndpoint, pauseEndpoint, sendTest } from "#shop/webhooks/endpoints.server.ts";
import { createSecrets } from "#shop/webhooks/secrets.server.ts";
import { person as moved, writePackage } from "./move.server.ts";
import type { openTestOffice } from "./office.server.ts";
import { createAuthenticator } from "./services/authenticator.server.ts";

/** Every call of the back office. */
export const calls = {
  ...signInCalls,
  ...teamCalls,
  ...campaignsCalls,
  ...customersCalls,
  ...inboxCalls,
  ...metricsCalls,
  ...monthEndCalls,
  ...moveCalls,
  ...programmeCalls,
  ...receiptsCalls,
  ...segmentsCalls,
  ...shopsCalls,
  ...webhooksCalls,
  ...clientsCalls,
};

type TestOffice = Awaited<ReturnType<typeof openTestOffice>>;
type Office = Awaited<ReturnType<TestOffice["openOffice"]>>;

/** Of each writing call of the back office: an input that succeeds, for the person who sends it. */
export function createOfficeInputs(office: TestOffice) {
  const { addMember, addPerson, addTill, clock, database, openOffice, openShop, pairTill, settings } = office;
  let addresses = 0;
  let starts = 0;
  let chosenPercent = 50;
  const later = (minutes: number) => new Date(clock.now.getTime() + minutes * 60_000);
  const prefixOf = (cookies: Map<string, string>) => cookies.get("till.device")?.split(".")[0] ?? "";

  const newClient = async () => {
    const redirectUris = ["https://shop.example/callback"];
    const { id } = await addClient(database, { name: "Web shop", redirectUris, isPublic: false, firstParty: true });
    return { IdClient: id };
  };

  /** A passkey for the session, as a browser makes one. */
  const newPasskey = async ({ call }: Office) =>
    createAuthenticator({ origin: settings.publicUrl.origin }).create(await call(calls.newPasskeyOptions));

  async function proofBy(office: Office) {
    const phone = createAuthenticator({ origin: settings.publicUrl.origin });
    await office.call(calls.addPasskey, { Response: phone.create(await office.call(calls.newPasskeyOptions)) });
    return phone.get(await office.call(calls.passkeyOptions));
  }

  const newSegment = async () => {
    const segment = { Name: `S ${randomUUID()}`, Definition: '{"fact":"imported"}' };
    return { IdSegment: String((await (await openOffice("marketing")).call(calls.saveSegment, segment)).IdSegment) };
  };
  const shopOf = async ({ shopId }: Office) => shopId ?? (await openShop()).shopId;
  const newKey = async () => (await openShop()).key.split("_")[1] ?? "";
  const secrets = createSecrets(settings);
  const newEndpoint = async () => {
    const url = new URL("https://partner.example/hook");
    const { id } = await addEndpoint(database, secrets, { url, ownerEmail: "it@partner.example", now: clock.now });
    return { IdEndpoint: String(id) };
  };
  /** Fields of a decision about a receipt that waits for one. */
  async function waiting(office: Office, make: (till: Awaited<ReturnType<typeof addTill>>) => Promise<string>) {
    const shopId = await shopOf(office);
    return { IdShop: String(shopId), ReceiptNumber: await make(await addTill(shopId)), Reason: "Vu en caisse" };
  }

  /** A member, and why something is done to them. */
  const toMember = async () => ({ IdCustomer: String((await addMember(300)).id), Reason: "request" });

  /** What a colleague has asked for. */
  async function asked() {
    const { IdRequest } = await (await openOffice("service")).call(calls.eraseCustomer, {
      ...(await toMember()),
      Reason: "request",
    });
    return { IdRequest: String(IdRequest) };
  }

  /** A draft of the programme at its first revision; one that was open is given up. */
  async function drafted() {
    await database.execute(sql`update loyalty_draft set state = 'discarded' where state in ('open', 'asked')`);
    const author = await openOffice("marketing");
    const { Rules } = (await author.call(calls.readRules)).Current;
    const draft = { Label: "Printemps", Rules: JSON.stringify(Rules) };
    const { Revision } = await author.call(calls.saveDraft, { Revision: "0", ...draft });
    return { author, draft, Revision: String(Revision) };
  }

  /** A draft that waits for a second person. */
  async function askedFor() {
    const { author, Revision } = await drafted();
    // After those that other tests have scheduled.
    starts += 1;
    const asked = { Revision, StartsAt: later(60 + starts).toISOString() };
    await author.call(calls.askToPublish, asked);
    return asked;
  }
  /** A campaign that another person has launched. */
  async function launched() {
    const input = await inputs[calls.addCampaign]?.(await openOffice("owner"));
    const { IdCampaign } = await (await openOffice("owner")).call(calls.addCampaign, input as never);
    return { IdCampaign: String(IdCampaign) };
  }

  /** The month to be closed next, of more than a year of them. */
  async function endedMonth(office: Office) {
    const { id } = await addMember();
    const then = new Date("2025-01-15T10:00:00Z");
    const early = { points: 10, kind: "grant", cause: "grant:early", label: {}, now: then, earnedAt: then } as const;
    await credit(database, { customerId: id, ...early });
    return { Month: (await office.call(calls.readMonthEnd)).Next };
  }

  /** The same, with its draft. */
  async function draftedMonth() {
    const office = await openOffice("owner");
    const month = { Month: (await endedMonth(office)).Month ?? "" };
    await office.call(calls.draftMonth, month);
    return month;
  }

  const inputs: Record<string, (office: Office) => Promise<object>> = {
    [calls.addPasskey]: async (office) => ({ Response: await newPasskey(office) }),
    [calls.prove]: async (office) => ({ Response: await proofBy(office) }),
    [calls.removePasskey]: async (office) => {
      await office.call(calls.addPasskey, { Response: await newPasskey(office) });
      return { IdPasskey: (await office.call(calls.listPasskeys)).Passkeys[0]?.IdPasskey };
    },
    [calls.signOut]: async () => ({}),
    [calls.invitePerson]: async () => ({
      ...{ Email: `${randomUUID()}@cercle.example`, Firstname: "Nora", Lastname: "Petit", Role: "service" },
    }),
    [calls.changeRole]: async () => ({ IdStaff: String((await addPerson(null)).id), Role: "marketing" }),
    [calls.endPerson]: async (office) => ({ IdStaff: String((await addPerson(office.shopId)).id) }),
    [calls.unlockPerson]: async (office) => ({ IdStaff: String((await addPerson(office.shopId)).id) }),
    [calls.pairTill]: async (office) => ({ IdShop: String(await shopOf(office)), TillName: "Cabines" }),
    [calls.correctCustomer]: async () => ({
      ...(await toMember()),
      Firstname: "Camélia",
      MobilePhone: "06 12 34 56 78",
    }),
    [calls.attachReceipt]: async () => {
      const { shopId } = await openShop();
      const till = await addTill(shopId);
      const ReceiptNumber = till.newNumber();
      await till.sell({ ReceiptNumber, Amount: "20.00" });
      return { ...(await toMember()), IdShop: String(shopId), ReceiptNumber };
    },
    [calls.adjustPoints]: async () => ({ ...(await toMember()), Points: "-120", CustomerText: "Un geste" }),
    [calls.giveVoucher]: async () => ({ ...(await toMember()), IdLoyaltyReward: "1" }),
    [calls.sendEmail]: async () => ({ ...(await toMember()), EmailContent: "card" }),
    [calls.blockCustomer]: toMember,
    [calls.unblockCustomer]: async () => {
      const input = await toMember();
      await (await openOffice("owner")).call(calls.blockCustomer, { ...input, Reason: "request" });
      return input;
    },
    [calls.endSessions]: toMember,
    [calls.addNote]: async () => ({ IdCustomer: String((await addMember()).id), Note: "Préfère le téléphone" }),
    [calls.replaceCard]: toMember,
    [calls.exportCustomer]: toMember,
    [calls.eraseCustomer]: toMember,
    [calls.mergeCustomers]: async () => ({ ...(await toMember()), IdOther: String((await addMember()).id) }),
    [calls.approveRequest]: asked,
    [calls.withdrawRequest]: async ({ call }) => {
      const { IdRequest } = await call(calls.eraseCustomer, { ...(await toMember()), Reason: "request" });
      return { IdRequest: String(IdRequest) };
    },
    [calls.declineRequest]: asked,
    [calls.addCampaign]: async () => ({
      ...{ NameFr: "Soldes", NameEn: "Sale", NameDe: "Schlussverkauf", TextFr: "Plus", TextEn: "More", TextDe: "Mehr" },
      ...{ ExtraPoints: "5", From: "2026-06-01", To: "2026-06-02" },
    }),
    [calls.approveCampaign]: launched,
    [calls.endCampaign]: launched,
    [calls.startHoldOut]: async () => {
      await database.execute(sql`update campaign_hold_out set ended_at = starts_at`);
      return { Percent: "2" };
    },
    [calls.endHoldOut]: async () => {
      const [owner] = [await openOffice("owner")];
      await owner.call(calls.startHoldOut, { Percent: "2" }).catch(() => {});
      return {};
    },
    [calls.addShop]: async () => ({ Name: "Boutique Vaise", City: "Lyon" }),
    [calls.renameShop]: async (office) => ({
      ...{ IdShop: String(await shopOf(office)), Name: "Boutique Bellecour", City: "Lyon" },
    }),
    [calls.closeShop]: async (office) => ({ IdShop: String(await shopOf(office)) }),
    [calls.reopenShop]: async (office) => {
      const IdShop = String(await shopOf(office));
      await (await openOffice("owner")).call(calls.closeShop, { IdShop });
      return { IdShop };
    },
    [calls.addKey]: async (office) => ({ IdShop: String(await shopOf(office)), Name: "Caisse" }),
    [calls.rotateKey]: async () => ({ Prefix: await newKey() }),
    [calls.revokeKey]: async () => ({ Prefix: await newKey() }),
    [calls.addPerson]: async (office) => {
      addresses += 1;
      const names = { Firstname: "Ines", Lastname: "Roy", Email: `vente-${addresses}@cercle.example` };
      return { IdShop: String(await shopOf(office)), ...names };
    },
    [calls.renewPin]: async (office) => ({ IdStaff: String((await addPerson(office.shopId)).id) }),
    [calls.recordCard]: async (office) => ({
      IdStaff: String((await addPerson(office.shopId)).id),
      CardNumber: (await addMember()).card,
    }),
    [calls.decideReturn]: async (office) => ({
      ...(await waiting(office, async (till) => {
        const ReceiptNumber = till.newNumber();
        await till.takeBack("never-sold", undefined, { ReceiptNumber });
        return ReceiptNumber;
      })),
      Decision: "dismiss",
    }),
    [calls.decidePoints]: async (office) => ({
      ...(await waiting(office, async (till) => {
        const { card } = await addMember();
        const numbers = Array.from({ length: 6 }, till.newNumber);
        for (const ReceiptNumber of numbers) await till.sell({ ReceiptNumber, CardNumber: card, Amount: "10.00" });
        return numbers.at(-1) ?? "";
      })),
      Decision: "release",
    }),
    [calls.decideClock]: async (office) => ({
      ...(await waiting(office, async (till) => {
        const ReceiptNumber = till.newNumber();
        await till.sell({ ReceiptNumber, Amount: "10.00", SoldAt: later(20).toISOString() });
        return ReceiptNumber;
      })),
      Decision: "confirm",
    }),
    [calls.startMove]: async () => {
      await database.execute(sql`delete from move_run`);
      writePackage({ members: [moved("roles")] }, { folder: join(settings.moveDir, "roles") });
      return { Package: "roles", Step: "check" };
    },
    [calls.uploadPackage]: async () => ({
      ...{ Package: "club.tar.gz", Offset: "0", Part: Buffer.from("x").toString("base64"), Last: "true" },
    }),
    [calls.closeMoveCase]: async () => {
      const { rows } = await database.execute<{ id: string }>(sql`
      insert into move_case (customer_id, at, text) values (${(await addMember()).id}, now(), 'Un bon') returning id`);
      return { IdCase: String(rows[0]?.id) };
    },
    [calls.draftMonth]: endedMonth,
    // Another one each time: it is a change that the audit log tells.
    [calls.chooseRedemption]: async () => {
      chosenPercent += 1;
      return { ...(await draftedMonth()), Percent: String(chosenPercent) };
    },
    [calls.closeMonth]: async (office) => {
      const month = await draftedMonth();
      const { Book } = await office.call(calls.readMonthEnd, month);
      return { ...month, DraftedAt: Book?.DraftedAt };
    },
    [calls.addClient]: async () => ({ Name: "Web shop", RedirectUris: "https://shop.example/callback" }),
    [calls.rotateClient]: newClient,
    [calls.disableClient]: newClient,
    [calls.addEndpoint]: async () => ({ Url: "https://partner.example/hook", OwnerEmail: "it@partner.example" }),
    [calls.chooseEvents]: async () => ({ ...(await newEndpoint()), Events: "points.earned,points.taken" }),
    [calls.pauseEndpoint]: newEndpoint,
    [calls.resumeEndpoint]: async () => {
      const endpoint = await newEndpoint();
      await pauseEndpoint(database, Number(endpoint.IdEndpoint), clock.now);
      return endpoint;
    },
    [calls.removeEndpoint]: newEndpoint,
    [calls.rotateSecret]: newEndpoint,
    [calls.sendTest]: newEndpoint,
    [calls.resend]: async () => {
      await sendTest(database, Number((await newEndpoint()).IdEndpoint));
      const { rows } = await database.execute<{ id: string }>(sql`select max(id) as id from webhook_delivery`);
      return { IdDelivery: String(rows[0]?.id) };
    },
    [calls.saveSegment]: async () => ({ Name: `S ${randomUUID()}`, Definition: '{"fact":"imported"}' }),
    [calls.archiveSegment]: async () => newSegment(),
    [calls.exportSegment]: async () => ({ ...(await newSegment()), Channel: "email", Columns: "Email" }),
    [calls.saveDraft]: async () => {
      const { draft, Revision } = await drafted();
      return { ...draft, Revision };
    },
    [calls.discardDraft]: async () => ({ Revision: (await drafted()).Revision }),
    [calls.askToPublish]: async () => {
      starts += 1;
      return { Revision: (await drafted()).Revision, StartsAt: later(60 + starts).toISOString() };
    },
    [calls.startSimulation]: async () => ({ Revision: (await drafted()).Revision }),
    [calls.cancelSimulation]: async () => {
      const { author, Revision } = await drafted();
      return { IdSimulation: String((await author.call(calls.startSimulation, { Revision })).IdSimulation) };
    },
    [calls.sendBack]: async () => ({ Revision: (await askedFor()).Revision }),
    [calls.publish]: askedFor,
    [calls.withdraw]: async () => {
      const { Version } = await (await openOffice("owner")).call(calls.publish, await askedFor());
      return { Version: String(Version) };
    },
    [calls.revokeTill]: async (office) => ({ Till: prefixOf((await pairTill(await shopOf(office))).cookies) }),
  };
  return inputs;
}
