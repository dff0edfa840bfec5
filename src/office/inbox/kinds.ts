import { requestKinds } from "#office/customers/choices.ts";

/** What may wait for a person's decision: requests of colleagues, receipts of shops, campaigns and drafts, customers who miss something since their club moved. */
export const inboxKinds = [...requestKinds, "return", "review", "clock", "campaign", "draft", "moved"] as const;
export type InboxKind = (typeof inboxKinds)[number];
