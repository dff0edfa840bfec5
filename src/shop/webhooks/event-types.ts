/** What a webhook may tell of. */
export const eventTypes = [
  "member.joined",
  "member.imported",
  "member.left",
  "member.erased",
  "member.merged",
  "consent.withdrawn",
  "points.pending",
  "points.earned",
  "points.taken",
  "points.expiring",
  "status.changed",
  "voucher.obtained",
  "voucher.used",
  "voucher.reissued",
  "voucher.expired",
  "voucher.cancelled",
  "purchase.posted",
  "purchase.returned",
  "purchase.return_undone",
  "segment.joined",
  "segment.left",
  "programme.changed",
] as const;
export type EventType = (typeof eventTypes)[number];

/** An event that an owner sends to one endpoint to see whether it arrives. */
export const testEvent = "webhook.test";
