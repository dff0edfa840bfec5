/** The closed list of what the API may refuse, with its HTTP status. Each has its text in the catalogue. */
export const refusals = {
  invalid: 400,
  unknown_field: 400,
  not_signed_in: 401,
  wrong_login: 401,
  wrong_office_login: 401,
  company_account_required: 403,
  proof_missing: 401,
  proof_invalid: 401,
  proof_needed: 401,
  code_invalid: 401,
  passkey_invalid: 401,
  key_invalid: 401,
  not_paired: 401,
  pin_required: 401,
  wrong_pin: 401,
  pin_last_try: 401,
  forbidden: 403,
  customer_blocked: 403,
  cross_site: 403,
  scope_missing: 403,
  not_found: 404,
  receipt_not_found: 404,
  too_slow: 408,
  other_customer: 409,
  email_taken: 409,
  link_expired: 409,
  confirmation_needed: 409,
  password_needed: 409,
  last_way_in: 409,
  already_linked: 409,
  passkey_known: 409,
  passkey_limit: 409,
  link_first: 409,
  email_not_shared: 409,
  not_enough_points: 409,
  already_obtained: 409,
  reward_changed: 409,
  not_a_member: 409,
  event_locked: 409,
  email_unconfirmed: 409,
  voucher_unknown: 409,
  voucher_of_another: 409,
  voucher_used: 409,
  voucher_expired: 409,
  voucher_held: 409,
  voucher_cancelled: 409,
  basket_too_small: 409,
  currency_mismatch: 409,
  receipt_known: 409,
  receipt_yours: 409,
  more_than_bought: 409,
  amendment_missing: 409,
  too_old: 409,
  not_same_day: 409,
  return_final: 409,
  sale_final: 409,
  own_card: 409,
  card_blocked: 409,
  card_needed: 409,
  till_code_invalid: 409,
  shop_closed: 409,
  pairing_invalid: 409,
  pin_locked: 409,
  not_yourself: 409,
  second_person: 409,
  already_asked: 409,
  already_decided: 409,
  no_member: 409,
  balance_too_low: 409,
  cannot_merge: 409,
  draft_changed: 409,
  month_busy: 409,
  month_changed: 409,
  month_not_next: 409,
  version_begun: 409,
  segment_too_slow: 409,
  too_large: 413,
  unsupported_body: 415,
  key_reused: 422,
  too_many: 429,
  broken: 500,
  unavailable: 503,
  not_configured: 503,
} as const;

export type RefusalCode = keyof typeof refusals;

/**
 * Whether sending a refused call of a shop again can help: never; unchanged, after a while or once something else has
 * happened; or only with other content.
 */
export const retries = {
  receipt_known: "never",
  too_old: "never",
  not_same_day: "never",
  own_card: "never",
  email_taken: "never",
  voucher_held: "after",
  amendment_missing: "after",
  email_unconfirmed: "after",
  card_blocked: "after",
  voucher_unknown: "changed",
  voucher_of_another: "changed",
  voucher_used: "changed",
  voucher_expired: "changed",
  voucher_cancelled: "changed",
  basket_too_small: "changed",
  currency_mismatch: "changed",
  more_than_bought: "changed",
} as const satisfies Partial<Record<RefusalCode, "never" | "after" | "changed">>;

/** Why one field was refused; each has its text in the catalogue under `field.`. */
export const fieldCodes = [
  "required",
  "invalid",
  "unknown",
  "twice",
  "file",
  "email",
  "date",
  "birthday",
  "birthday_future",
  "phone",
  "phone_needed",
  "password_length",
  "password_mismatch",
  "too_short",
  "too_long",
  "name_link",
  "currency",
  "under_age",
  "wrong_password",
  "same_email",
  "code",
  "wrong_code",
  "staff_password_length",
  "pin_easy",
  "pin_mismatch",
  "colleague",
  "above_zero",
  "ascending",
  "first_zero",
  "below_value",
  "too_soon",
  "after_scheduled",
  "after_end",
  "in_past",
  "in_future",
  "before_start",
  "hour",
  "hours_order",
  "no_such_day",
  "hours_over",
  "period_length",
  "extra_points",
  "multiplier",
  "voucher_amount",
  "below_voucher",
  "too_many_points",
  "pending_too_long",
  "below_pending",
  "amount",
  "time",
  "spread",
  "line_code",
  "unknown_code",
] as const;

export type FieldCode = (typeof fieldCodes)[number];

export interface FieldError {
  field: string;
  code: FieldCode;
}

/** An expected "no". Everything else that is thrown is a fault. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The voucher that it is about, as the call named it. */
  readonly voucherCode: string | undefined;
  /** The lines of a sale that it is about, each with a reason. */
  readonly lines: readonly { line: string; reason: string }[] | undefined;

  constructor(
    code: RefusalCode,
    more: Partial<Pick<Refusal, "errors" | "retryAfterSeconds" | "voucherCode" | "lines">> = {},
  ) {
    super(code);
    this.name = "Refusal";
    this.code = code;
    this.errors = more.errors;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.voucherCode = more.voucherCode;
    this.lines = more.lines;
  }

  get status(): number {
    return refusals[this.code];
  }
}

/** Refuses the value of one field. */
export function refuseField(field: string, code: FieldCode): never {
  throw new Refusal("invalid", { errors: [{ field, code }] });
}

/** RFC 9457, as it crosses the wire. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: RefusalCode;
  /** To show, in the language of the call. */
  detail: string;
  /** The request's id, for a question to the operator. */
  instance: string;
  /** How many seconds to wait before trying again; also in the header Retry-After. */
  retryAfter?: number;
  /** In the calls of shops: whether sending it again can help: never; unchanged, later; or only with other content. */
  Retry?: "never" | "after" | "changed";
  /** In the calls of shops: the voucher that cannot be used, as sent. */
  VoucherCode?: string;
  /** In the calls of shops: the lines that this voucher may not pay, and why. */
  Lines?: { Line: string; Reason: string }[];
  errors?: { field: string; code: FieldCode; message: string }[];
}
