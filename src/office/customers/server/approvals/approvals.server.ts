import { and, asc, eq, gt } from "drizzle-orm";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { emails } from "#identity/links/emails.server.ts";
import { eraseEverything } from "#identity/privacy/erasure.server.ts";
import type { RequestKind } from "#office/customers/choices.ts";
import {
  applyAdjustment,
  insertRequest,
  refuseTwice,
} from "#office/customers/server/adjustments/adjustments.server.ts";
import {
  auditAction,
  type CustomerActionContext,
  lockForAction,
} from "#office/customers/server/customer-action.server.ts";
import { lockBoth, merge } from "#office/customers/server/merge/merge.server.ts";
import { describeFields } from "#office/customers/server/merge/merge-fields.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { isOwnCard } from "#staff/own-card.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { describeRequest, others, requestColumns } from "./request-rows.server.ts";
import { requests } from "./requests.tables.server.ts";

const pageRows = 50;

/** What waits for a second person, the oldest first. */
export async function listApprovals(
  database: Database,
  caller: OfficeCaller,
  { kind, cursor }: { kind: RequestKind | undefined; cursor: number | undefined },
) {
  const rows = await database
    .select({
      ...requestColumns,
      choices: requests.choices,
      customer: { IdCustomer: customers.id, Firstname: customers.firstname, Lastname: customers.lastname },
      other: { IdCustomer: others.id, Firstname: others.firstname, Lastname: others.lastname, Email: others.email },
    })
    .from(requests)
    .innerJoin(customers, eq(customers.id, requests.customerId))
    .innerJoin(staff, eq(staff.id, requests.askedBy))
    .leftJoin(others, eq(others.id, requests.otherId))
    .where(and(eq(requests.state, "waiting"), gt(requests.id, cursor ?? 0), kind ? eq(requests.kind, kind) : undefined))
    .orderBy(asc(requests.id))
    .limit(pageRows + 1);
  const page = rows.slice(0, pageRows);
  return {
    Requests: page.map((row) => ({
      ...{ ...describeRequest(row, caller), ...row.customer, Other: row.other, Choices: row.choices },
    })),
    NextCursor: rows.length > pageRows ? (page.at(-1)?.id ?? null) : null,
  };
}

/** An erasure always waits for a second person. */
export async function askErasure(tx: Queries, customerId: number, context: CustomerActionContext) {
  const { caller, now, reason, note } = context;
  await lockForAction(tx, customerId);
  await refuseTwice(tx, { customerId, kind: "erase", points: 0, rewardId: null });
  const request = await insertRequest(tx, {
    ...{
      customerId,
      kind: "erase",
      state: "waiting",
      points: 0,
      cents: 0,
      rewardId: null,
      otherId: null,
      choices: null,
    },
    customerText: null,
    ...{ reason, note: note ?? null, askedBy: caller.staffId, askedAt: now, decidedBy: null, decidedAt: null },
  });
  await auditAction(tx, context, { action: "approval_asked", customerId, after: { request: request.id, erase: true } });
  return { IdRequest: request.id };
}

/** The person who asked takes it back, as long as no one has decided it. */
export async function withdraw(
  tx: Queries,
  id: number,
  call: Pick<CustomerActionContext, "caller" | "now" | "requestId">,
): Promise<void> {
  const [request] = await tx.select().from(requests).where(eq(requests.id, id)).for("update");
  if (!request) throw new Refusal("not_found");
  if (request.askedBy !== call.caller.staffId) throw new Refusal("forbidden");
  if (request.state !== "waiting") throw new Refusal("already_decided");
  const { customerId, kind, points, reason } = request;
  await tx
    .update(requests)
    .set({ state: "withdrawn", decidedAt: call.now })
    .where(and(eq(requests.customerId, customerId), eq(requests.id, id)));
  const entry = { action: "request_withdrawn", customerId, after: { request: id, kind, points } } as const;
  await auditAction(tx, { ...call, reason, note: undefined }, entry);
}

/**
 * The second person decides. The person who asked cannot, nor can whose own account it is, of a merge either of the two. The request
 * is read again under the customer's lock, so that it is decided once; what can no longer be done is refused, and the request
 * waits on.
 */
export async function decide(
  tx: Queries,
  deps: { club: ClubHooks; settings: Settings },
  { id, approve }: { id: number; approve: boolean },
  call: Pick<CustomerActionContext, "caller" | "now" | "requestId">,
): Promise<void> {
  const { caller, now } = call;
  const publicUrl = deps.settings.publicUrl.origin;
  const [found] = await tx
    .select({ customerId: requests.customerId, otherId: requests.otherId })
    .from(requests)
    .where(eq(requests.id, id));
  if (!found) throw new Refusal("not_found");
  const { customerId, otherId } = found;
  if (otherId !== null) await lockBoth(tx, { survivorId: customerId, otherId });
  const customer = await lockForAction(tx, customerId);
  const own = and(eq(requests.customerId, customerId), eq(requests.id, id));
  const [request] = await tx.select().from(requests).where(own).for("update");
  if (!request) throw new Refusal("not_found");
  if (request.state !== "waiting") throw new Refusal("already_decided");
  const isOwn = async (id: number | null) => isOwnCard(tx, [caller.staffId], id);
  if (request.askedBy === caller.staffId || (await isOwn(customerId)) || (await isOwn(otherId)))
    throw new Refusal("second_person");
  const state = approve ? ("approved" as const) : ("declined" as const);
  await tx.update(requests).set({ state, decidedBy: caller.staffId, decidedAt: now }).where(own);
  const { kind, points, reason, askedBy } = request;
  const after = { request: id, kind, points, askedBy };
  const log = (entry: Parameters<typeof auditAction>[2]) =>
    auditAction(tx, { ...call, reason, note: undefined }, entry);
  if (!approve) return log({ action: "request_declined", customerId, after });
  if (otherId !== null) {
    const pair = { survivorId: customerId, otherId };
    const { survivor, other, merged, choices } = await merge(tx, pair, request.choices ?? {}, { now, publicUrl });
    const { email, firstname, lastname } = other;
    return log({
      ...{ action: "customers_merged", customerId, before: { other: otherId } },
      after: { request: id, askedBy, ...merged, choices },
      personal: { email, firstname, lastname, fields: describeFields(survivor, other, choices) },
    });
  }
  if (kind === "erase") {
    await eraseEverything(tx, deps.club, customer, "staff");
    // Without a customer id, which would delete the mail by cascade before it is sent.
    await queueMail(tx, {
      cause: `erased:${customerId}`,
      to: customer.email,
      locale: customer.language,
      content: emails.erased(deps.settings, customer.language, customer.firstname),
    });
  } else {
    await applyAdjustment(tx, request, { publicUrl, locale: customer.language, now });
  }
  await log({ action: "request_approved", customerId, after });
}
