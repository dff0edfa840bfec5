/** Why a person of the back office acts; what else there is to say stands in the note. */
export const reasons = ["gesture", "complaint", "correction", "request", "fraud", "other"] as const;
export type Reason = (typeof reasons)[number];

/** What staff ask of a second person. */
export const requestKinds = ["points", "voucher", "erase", "merge"] as const;
export type RequestKind = (typeof requestKinds)[number];

/** Emails that can be sent again. Links in them are always new. */
export const emailKinds = ["confirmation", "password", "card", "voucher"] as const;

/** What of the timeline is shown. */
export const timelineFilters = ["all", "points", "sales", "letters", "team", "notes"] as const;
export type TimelineFilter = (typeof timelineFilters)[number];

export const timelineTypes = ["points", "sale", "return", "letter", "consent", "session", "team"] as const;

/** The most characters of the text that the customer reads. */
export const customerTextLength = 80;

/** Of a merge: each of these stays as it is on one of the two accounts. */
export const mergeFields = ["Name", "Email", "MobilePhone", "Birthday", "Consent", "Language"] as const;
export type MergeField = (typeof mergeFields)[number];
export const mergeSides = ["survivor", "other"] as const;
export type MergeChoices = Record<MergeField, (typeof mergeSides)[number]>;

/** What of a customer staff may correct or replace, as the record and the audit log name it. */
export const correctedFields = [
  "Firstname",
  "Lastname",
  "Email",
  "MobilePhone",
  "Birthday",
  "CardNumber",
  "Newsletter",
  "Sms",
] as const;
/** How a customer has given a consent that staff record. */
export const consentSources = ["paper", "phone", "email"] as const;
