import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { detailTexts } from "#office/team/screen/details.ts";
import { addClient } from "#oidc/clients.server.ts";
import { staffRoles } from "#platform/api/endpoint.server.ts";
import { addEndpoint, pauseEndpoint, sendTest } from "#shop/webhooks/endpoints.server.ts";
import { createSecrets } from "#shop/webhooks/secrets.server.ts";
import { person as moved, writePackage } from "#testing/move.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { createAuthenticator } from "#testing/services/authenticator.server.ts";
import * as campaignsCalls from "./campaigns/calls.ts";
import * as clientsCalls from "./clients/calls.ts";
import * as customersCalls from "./customers/calls.ts";
import * as inboxCalls from "./inbox/calls.ts";
import * as metricsCalls from "./metrics/calls.ts";
import * as monthEndCalls from "./month-end/calls.ts";
import * as moveCalls from "./move/calls.ts";
import * as programmeCalls from "./programme/calls.ts";
import * as receiptsCalls from "./receipts/calls.ts";
import * as segmentsCalls from "./segments/calls.ts";
import * as shopsCalls from "./shops/calls.ts";
import * as signInCalls from "./sign-in/calls.ts";
import * as teamCalls from "./team/calls.ts";
import * as webhooksCalls from "./webhooks/calls.ts";

const calls = {
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

const office = await openTestOffice({
  WEBHOOK_KEY: Buffer.alloc(32, 7).toString("base64"),
  MOVE_DIR: mkdtempSync(join(tmpdir(), "packages-")),
});
const { addMember, addPerson, addTill, clock, database, openOffice, openShop } = office;
const { pairTill, product, settings } = office;
type Office = Awaited<ReturnType<typeof openOffice>>;

const contract = Object.assign({}, ...product.contracts) as (typeof product.contracts)[number];
const officeCalls = Object.entries(contract).filter(([, { access }]) => access === "staff");
const later = (minutes: number) => new Date(clock.now.getTime() + minutes * 60_000);
const prefixOf = (cookies: Map<string, string>) => cookies.get("till.device")?.split(".")[0] ?? "";

const send = (office: Office, line: string, input: object) => {
  const [method = "", path = ""] = line.split(" ");
  const fields = new URLSearchParams({ ...input });
  return method === "GET"
    ? office.browse(`/api/${path}?${fields}`)
    : office.browse(`/api/${path}`, { method, body: fields });
};

const newClient = async () => {
  const redirectUris = ["https://shop.example/callback"];
  const { id } = await addClient(database, { name: "Web shop", redirectUris, isPublic: false, firstParty: true });
  return { IdClient: id };
};

/** A person of each role: opening one for each call took longer than the calls. */
const offices = Object.fromEntries(
  await Promise.all(staffRoles.map(async (role) => [role, await openOffice(role)] as const)),
) as Record<(typeof staffRoles)[number], Office>;

test.each(officeCalls.flatMap(([line, endpoint]) => staffRoles.map((role) => [line, role, endpoint] as const)))(
  "%s by the role %s is let in or refused as the contract says",
  async (line, role, { roles = [], fresh = false }) => {
    const start = clock.now;
    const proofNeeded = fresh && roles.includes(role);
    const office = proofNeeded || line === calls.signOut ? await openOffice(role) : offices[role];
    // Who may not ask is refused before what is asked: an input that succeeds is for the proof alone.
    const input = (proofNeeded && (await writing[line]?.(office))) || {};
    if (proofNeeded) {
      clock.now = later(6);
      expect((await (await send(office, line, input)).json()).code).toBe("proof_needed");
      clock.now = start;
    }
    const { status } = await send(office, line, input);
    if (roles.includes(role)) expect(status).not.toBe(403);
    else expect(status).toBe(403);
  },
);

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
  return { IdSegment: String((await offices.marketing.call(calls.saveSegment, segment)).IdSegment) };
};
const shopOf = async ({ shopId }: Office) => shopId ?? (await openShop()).shopId;
const newKey = async () => (await openShop()).key.split("_")[1] ?? "";
const secrets = createSecrets(settings);
const newEndpoint = async () => {
  const url = new URL("https://partner.example/hook");
  const { id } = await addEndpoint(database, secrets, { url, ownerEmail: "it@partner.example", now: clock.now });
  return { IdEndpoint: String(id) };
};
let addresses = 0;
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
let starts = 0;

/** A campaign that another person has launched. */
async function launched() {
  const input = await writing[calls.addCampaign]?.(await openOffice("owner"));
  const { IdCampaign } = await (await openOffice("owner")).call(calls.addCampaign, input as never);
  return { IdCampaign: String(IdCampaign) };
}

/** The month to be closed next, of more than a year of them. */
async function endedMonth(office: Office) {
  const { id } = await addMember();
  const then = "2025-01-15T10:00:00Z";
  await database.execute(sql`select loyalty_credit(${id}, 10, 'grant', 'grant:early', '{}', ${then}, ${then})`);
  return { Month: (await office.call(calls.readMonthEnd)).Next };
}

/** The same, with its draft. */
async function draftedMonth() {
  const office = await openOffice("owner");
  const month = { Month: (await endedMonth(office)).Month ?? "" };
  await office.call(calls.draftMonth, month);
  return month;
}

/** Each writing call, and the input of one that succeeds. */
let chosenPercent = 50;
const writing: Record<string, (office: Office) => Promise<object>> = {
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
  [calls.correctCustomer]: async () => ({ ...(await toMember()), Firstname: "Camélia", MobilePhone: "06 12 34 56 78" }),
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
  [calls.addShop]: async () => ({ Name: "Cercle Vaise", City: "Lyon" }),
  [calls.renameShop]: async (office) => ({
    ...{ IdShop: String(await shopOf(office)), Name: "Cercle Bellecour", City: "Lyon" },
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
/** Those that change what was there: their row says what it was and what it is, of a customer's own values beside the log. */
const changing: string[] = [
  ...[calls.changeRole, calls.recordCard, calls.renameShop, calls.closeShop, calls.reopenShop, calls.chooseEvents],
  ...[calls.correctCustomer, calls.adjustPoints, calls.blockCustomer, calls.unblockCustomer, calls.endSessions],
  ...[calls.replaceCard, calls.chooseRedemption],
];
/** About the person who makes them alone. */
const ownAccess: string[] = [calls.signOut, calls.addPasskey, calls.removePasskey];
/** Writes a challenge alone. */
const reading: string[] = [calls.newPasskeyOptions];
/** Whether a value of the row is another afterwards. */
async function changeOf(requestId: string | undefined): Promise<boolean> {
  const { rows } = await database.execute(sql`
    select from audit_log l left join audit_personal beside on beside.audit_id = l.id,
      jsonb_each(coalesce(beside.personal -> 'before', l.before)) was
    where l.request_id = ${requestId} and coalesce(beside.personal -> 'after', l.after) -> was.key <> was.value`);
  return rows.length > 0;
}
const lines = officeCalls.filter(([line]) => !line.startsWith("GET ") && !reading.includes(line));

test.each(lines)(
  "%s writes exactly one row of the audit log, with its request and values that have words; refused it writes none",
  async (line, { roles }) => {
    const office = await openOffice(roles?.[0] ?? "owner");
    const input = await writing[line]?.(office);
    expect(input, "an input for the new call").toBeDefined();
    const rows = async () =>
      (
        await database.execute<{ request_id: string; before: object | null; after: object | null; about: boolean }>(sql`
          select request_id, before, after, before is not null or after is not null or customer_id is not null
            or shop_id is not null or key_prefix is not null as about
          from audit_log where staff_id = ${office.id} order by id`)
      ).rows;
    const before = (await rows()).length;
    if (Object.keys(input ?? {}).length > 0) {
      const bad = Object.fromEntries(Object.keys(input ?? {}).map((name) => [name, "\u0001"]));
      expect((await send(office, line, bad)).status).toBeGreaterThanOrEqual(400);
      expect(await rows()).toHaveLength(before);
    }
    const response = await send(office, line, input ?? {});
    expect(response.status).toBe(200);
    const [written, ...more] = (await rows()).slice(before);
    expect([written?.request_id, ...more]).toEqual([response.headers.get("x-request-id")]);
    expect(written?.about || ownAccess.includes(line)).toBe(true);
    if (changing.includes(line)) expect(await changeOf(written?.request_id)).toBe(true);
    const named = Object.keys({ ...written?.before, ...written?.after });
    expect(named.filter((name) => !detailTexts[name])).toEqual([]);
  },
);

test("a cursor whose moment does not exist is no fault", async () => {
  const owner = await openOffice("owner");
  const { id } = await addMember();
  const cursor = (place: unknown) => Buffer.from(JSON.stringify(place)).toString("base64url");
  for (const day of ["2026-02-31", "2026-13-01", "0000-01-01"])
    for (const [time, zone] of [
      ["10:00:00", "+00:00"],
      ["10:00:00", "+20:00"],
      ["24:00:00", "+00:00"],
    ]) {
      const at = `${time}${zone}`;
      const Timeline = cursor([`${day}T${at}`, 1, "1"]);
      const ofTimeline = await send(owner, calls.readTimeline, { IdCustomer: String(id), Cursor: Timeline });
      const Cursor = cursor({ at: `${day} ${at}`, shopId: 1, number: "1", subject: "points" });
      const ofConflicts = await send(owner, calls.listConflicts, { Cursor });
      expect({ day, at, timeline: ofTimeline.status, conflicts: ofConflicts.status }).toEqual({
        ...{ day, at, timeline: 200, conflicts: 400 },
      });
    }
});

test("a malformed id is refused", async () => {
  const owner = await openOffice("owner");
  for (const id of ["0", "-1", "4.0", "9223372036854775808", "1e9", "４"])
    for (const [line, field] of [
      [calls.endPerson, "IdStaff"],
      [calls.unlockPerson, "IdStaff"],
      [calls.pairTill, "IdShop"],
      [calls.readAudit, "IdStaff"],
    ] as const)
      expect({ id, line, status: (await send(owner, line, { [field]: id })).status }).toEqual({
        id,
        line,
        status: 400,
      });
});
