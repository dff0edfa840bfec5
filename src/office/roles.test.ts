import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { monthEndCallJobs } from "#office/month-end/jobs.server.ts";
import { detailTexts } from "#office/team/screen/details.ts";
import { staffRoles } from "#platform/api/endpoint.server.ts";
import { startJobs } from "#platform/jobs/jobs.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { calls, createOfficeInputs } from "#testing/office-inputs.server.ts";

const office = await openTestOffice({
  WEBHOOK_KEY: Buffer.alloc(32, 7).toString("base64"),
  MOVE_DIR: mkdtempSync(join(tmpdir(), "packages-")),
});
const { addMember, clock, database, log, openOffice, product } = office;
// Their calls wait for them.
const runner = await startJobs({ database, jobs: monthEndCallJobs({ now: () => clock.now }), log });
afterAll(() => runner.stop());
const inputs = createOfficeInputs(office);
type Office = Awaited<ReturnType<typeof openOffice>>;

const contract = Object.assign({}, ...product.contracts) as (typeof product.contracts)[number];
const officeCalls = Object.entries(contract).filter(([, { access }]) => access === "staff");
const later = (minutes: number) => new Date(clock.now.getTime() + minutes * 60_000);

const send = (office: Office, line: string, input: object) => {
  const [method = "", path = ""] = line.split(" ");
  const fields = new URLSearchParams({ ...input });
  return method === "GET"
    ? office.browse(`/api/${path}?${fields}`)
    : office.browse(`/api/${path}`, { method, body: fields });
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
    const input = (proofNeeded && (await inputs[line]?.(office))) || {};
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
    const input = await inputs[line]?.(office);
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
