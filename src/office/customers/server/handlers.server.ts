import type { Dependencies } from "#identity/dependencies.server.ts";
import { exportCustomer } from "#identity/privacy/export.server.ts";
import { noSession } from "#identity/session/session.server.ts";
import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import { type ActionContext, entryOf } from "#office/audit.server.ts";
import * as calls from "#office/customers/calls.ts";
import { type MergeChoices, type MergeField, mergeFields, type Reason } from "#office/customers/choices.ts";
import { adjustPoints, giveVoucherTo } from "#office/customers/server/adjustments/adjustments.server.ts";
import { askErasure, decide, listApprovals, withdraw } from "#office/customers/server/approvals/approvals.server.ts";
import { listDecided } from "#office/customers/server/approvals/decided.server.ts";
import { askMerge, previewMerge } from "#office/customers/server/merge/merge.server.ts";
import { readRecord } from "#office/customers/server/record/record.server.ts";
import { customersAsCsv, estimateCustomers, findCustomers } from "#office/customers/server/record/search.server.ts";
import { readTimeline } from "#office/customers/server/record/timeline.server.ts";
import { apiModule } from "#platform/api/api-module.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { ReadReplica } from "#platform/database/postgres/replica.server.ts";
import { type CreateLimit, countAll } from "#platform/limits/limits.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import {
  blockCustomer,
  endCustomerSessions,
  replaceLostCard,
  sendEmailAgain,
  unblockCustomer,
} from "./account-actions.server.ts";
import { actionsContract } from "./actions-contract.server.ts";
import { customersContract } from "./contract.server.ts";
import { correctDetails } from "./correction.server.ts";
import { auditAction, type CustomerActionContext, lockForAction } from "./customer-action.server.ts";
import { maskVoucherCodes } from "./privacy.server.ts";

interface ActionCall extends ActionContext {
  input: { Reason: Reason; Note?: string | undefined };
}

const actingOf = ({ caller, now, requestId, input }: ActionCall): CustomerActionContext => ({
  caller,
  now,
  requestId,
  reason: input.Reason,
  note: input.Note,
});

type MergeInput = { IdCustomer: number; IdOther: number } & {
  [Field in MergeField as `${Field}From`]?: MergeChoices[Field] | undefined;
};

const mergeOf = (input: MergeInput) => ({
  survivorId: input.IdCustomer,
  otherId: input.IdOther,
  chosen: Object.fromEntries(
    mergeFields.flatMap((field) => {
      const from = input[`${field}From`];
      return from ? [[field, from]] : [];
    }),
  ) as Partial<MergeChoices>,
});

export function customersModule(deps: {
  database: Database;
  settings: Settings;
  identity: Dependencies;
  findProgramme: FindProgramme;
  readReplica: ReadReplica;
  createLimit: CreateLimit;
}) {
  const { database, settings, identity, readReplica, createLimit } = deps;
  // Per person, far above a day's work: reading the customers page by page must take long enough to be noticed.
  const listLimit = createLimit("office-customers", { points: 300, seconds: 3_600 });
  const mergePreviewLimit = createLimit("office-merge-preview", { points: 60, seconds: 3_600 });
  const publicUrl = settings.publicUrl.origin;
  return apiModule(
    { ...customersContract, ...actionsContract },
    {
      async [calls.findCustomers]({ caller, input, ...call }) {
        return listLimit.attempt(String(caller.staffId), countAll, async () => {
          const found = await readReplica((from) => findCustomers(from, input, call));
          // Not what was typed, which may name a person and would outlive their erasure.
          const after = { rows: found.Customers.length, searched: Boolean(input.Search) };
          const { now: at, requestId } = call;
          await writeAudit(database, entryOf(caller, { action: "customers_viewed", after, requestId, at }));
          return found;
        });
      },

      async [calls.customersCsv]({ caller, input, now, locale, requestId }) {
        const { Search = "", Wide: wide = false } = input;
        return readReplica(async (from) => {
          const estimatedRows = await estimateCustomers(from, Search, locale);
          const after = { estimatedRows, searched: Search !== "" };
          await writeAudit(database, entryOf(caller, { action: "customers_listed", after, requestId, at: now }));
          return customersAsCsv(from, Search, { wide, estimatedRows, locale, now });
        });
      },

      async [calls.readCustomer]({ caller, input, ...call }) {
        return readRecord(database, caller, input.IdCustomer, call);
      },

      async [calls.readTimeline]({ caller, input, ...call }) {
        const programme = await deps.findProgramme(defaultProgrammeId, call.now);
        const asked = { customerId: input.IdCustomer, filter: input.Show, cursor: input.Cursor };
        return readTimeline(database, caller, asked, programme, call);
      },

      async [calls.correctCustomer]({ queries, ...call }) {
        const { IdCustomer, ...correction } = call.input;
        return correctDetails(queries, { settings, club: identity.club }, IdCustomer, correction, actingOf(call));
      },

      async [calls.addNote]({ queries, input, caller, now: at, requestId }) {
        const { IdCustomer: customerId, Note: note } = input;
        await lockForAction(queries, customerId);
        const entry = { action: "note_added", customerId, personal: { note }, requestId, at } as const;
        await writeAudit(queries, entryOf(caller, entry));
        return {};
      },

      async [calls.adjustPoints]({ queries, ...call }) {
        const { IdCustomer: customerId, Points: points, CustomerText: customerText } = call.input;
        return adjustPoints(queries, publicUrl, { customerId, points, customerText }, actingOf(call));
      },

      async [calls.giveVoucher]({ queries, ...call }) {
        const { IdCustomer: customerId, IdLoyaltyReward: rewardId } = call.input;
        return giveVoucherTo(queries, publicUrl, { customerId, rewardId }, actingOf(call));
      },

      async [calls.sendEmail]({ queries, ...call }) {
        const { IdCustomer: customerId, EmailContent: kind, IdCustomerReward: voucherId } = call.input;
        await sendEmailAgain(queries, settings, { customerId, kind, voucherId }, actingOf(call));
        return {};
      },

      async [calls.blockCustomer]({ queries, ...call }) {
        await blockCustomer(queries, call.input.IdCustomer, actingOf(call));
        return {};
      },

      async [calls.unblockCustomer]({ queries, ...call }) {
        await unblockCustomer(queries, call.input.IdCustomer, actingOf(call));
        return {};
      },

      async [calls.replaceCard]({ queries, ...call }) {
        const { IdCustomer: customerId, PhoneLost: phoneLost = false } = call.input;
        return replaceLostCard(queries, settings, { customerId, phoneLost }, actingOf(call));
      },

      async [calls.endSessions]({ queries, ...call }) {
        return endCustomerSessions(queries, call.input.IdCustomer, actingOf(call));
      },

      async [calls.exportCustomer](call) {
        const { IdCustomer: customerId } = call.input;
        await database.transaction(async (tx) => {
          await lockForAction(tx, customerId);
          await auditAction(tx, actingOf(call), { action: "customer_exported", customerId });
        });
        return maskVoucherCodes(
          database,
          customerId,
          await exportCustomer(identity, { customerId, sessionId: noSession }),
        );
      },

      async [calls.eraseCustomer]({ queries, ...call }) {
        return askErasure(queries, call.input.IdCustomer, actingOf(call));
      },

      async [calls.previewMerge]({ input, ...call }) {
        return mergePreviewLimit.attempt(String(call.caller.staffId), countAll, () =>
          previewMerge(database, mergeOf(input), call, publicUrl),
        );
      },

      async [calls.mergeCustomers]({ queries, ...call }) {
        return askMerge(queries, mergeOf(call.input), actingOf(call), publicUrl);
      },

      async [calls.listApprovals]({ caller, input }) {
        return listApprovals(database, caller, { kind: input.Kind, cursor: input.Cursor });
      },

      async [calls.listDecided]({ caller, input }) {
        return listDecided(database, caller, input.Cursor);
      },

      async [calls.approveRequest]({ queries, input, ...call }) {
        await decide(queries, { club: identity.club, settings }, { id: input.IdRequest, approve: true }, call);
        return {};
      },

      async [calls.withdrawRequest]({ queries, input, ...call }) {
        await withdraw(queries, input.IdRequest, call);
        return {};
      },

      async [calls.declineRequest]({ queries, input, ...call }) {
        await decide(queries, { club: identity.club, settings }, { id: input.IdRequest, approve: false }, call);
        return {};
      },
    },
  );
}
