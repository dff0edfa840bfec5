import { z } from "zod";
import { centsOf, isAmount } from "#brand/amounts.ts";
import { locales } from "#i18n/locale.ts";
import { normaliseEmail } from "#identity/customer/email/email.server.ts";
import { normalisePhone } from "#identity/customer/phone.server.ts";
import type { Reason } from "./reasons.ts";

/** A value that cannot be taken as it is. */
export class BadValue extends Error {
  readonly reason: Reason;
  constructor(reason: Reason) {
    super(reason);
    this.reason = reason;
  }
}

/** What a value is read with: the moment of the package. */
export interface ReadContext {
  takenAt: string;
  today: string;
}

/** How values of a column are read: the text that PostgreSQL takes, or a `BadValue`. Empty values are never read. */
export interface ValueType {
  sql: string;
  describe: string;
  read(text: string, context: ReadContext): string | null;
}

const isoMoment =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;
const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

function isDay(year: string, month: string, day: string): boolean {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  return y >= 1900 && y <= 2200 && m >= 1 && m <= 12 && d >= 1 && d <= daysIn(y, m);
}

function readMoment(text: string): string {
  const found = isoMoment.exec(text);
  if (!found || !isDay(found[1] ?? "", found[2] ?? "", found[3] ?? "")) throw new BadValue("date");
  return text;
}

function readDay(text: string): string {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (!isDay(year, month, day)) throw new BadValue("date");
  return text;
}

const flags: Record<string, boolean> = { "1": true, "0": false, true: true, false: false, yes: true, no: false };

function readFlag(text: string): boolean {
  const flag = flags[text.toLowerCase()];
  if (flag === undefined) throw new BadValue("invalid");
  return flag;
}

function readInteger(text: string, least: number): string {
  // A spreadsheet writes thousands with a space and large numbers with an exponent.
  if (/^-?\d+([.,]\d+)?E\+?\d+$/i.test(text)) throw new BadValue("spreadsheet");
  if (!/^-?\d{1,9}$/.test(text) || Number(text) < least) throw new BadValue("number");
  return text;
}

/** A number that a spreadsheet has rounded: the digits are lost. */
const roundedNumber = /^\d+([.,]\d+)?E\+?\d+$/i;

const text = (max: number): ValueType => ({
  sql: "text",
  describe: `text, at most ${max} characters`,
  read(value) {
    if (value.length > max) throw new BadValue("too_long");
    return value;
  },
});

function code(describe: string, pattern: RegExp, change = (value: string) => value): ValueType {
  return {
    sql: "text",
    describe,
    read(value) {
      if (roundedNumber.test(value)) throw new BadValue("spreadsheet");
      if (!pattern.test(value)) throw new BadValue("invalid");
      return change(value);
    },
  };
}

const positive = z.int().min(1).max(1_000_000_000);
/** How a sale earned its points, as it is stored with the sale (src/shop/sales/sales.tables.server.ts). */
const Rule = z.strictObject({
  PointsPerEuro: positive,
  MultiplierHundredths: positive,
  CampaignMultiplierHundredths: positive.optional(),
  CampaignExtraPoints: positive.optional(),
  CampaignMinimumCents: positive.optional(),
  CampaignCapPoints: positive.optional(),
  CampaignLines: z.array(z.string().max(20)).optional(),
});

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new BadValue("invalid");
  }
}

export const valueTypes = {
  id: code("1 to 64 letters, digits and . _ : / -", /^[\w.:/-]{1,64}$/),
  name: text(100),
  text: text(500),
  email: {
    sql: "text",
    describe: "an email address",
    read(value) {
      const email = normaliseEmail(value.normalize("NFC"));
      if (!email) throw new BadValue("email");
      return email;
    },
  },
  phone: {
    sql: "text",
    describe: "a mobile number, best as +33612345678",
    read(value) {
      if (roundedNumber.test(value)) throw new BadValue("spreadsheet");
      const phone = /^\+[1-9]\d{7,14}$/.test(value) ? value : normalisePhone(value, "fr");
      if (!phone) throw new BadValue("phone");
      return phone;
    },
  },
  civility: {
    sql: "text",
    describe: "M or Mme",
    read(value) {
      if (value !== "M" && value !== "Mme") throw new BadValue("invalid");
      return value;
    },
  },
  language: {
    sql: "text",
    describe: locales.join(", "),
    read(value) {
      const found = locales.find((locale) => value.toLowerCase().startsWith(locale));
      if (!found) throw new BadValue("invalid");
      return found;
    },
  },
  day: { sql: "date", describe: "2026-11-16", read: readDay },
  birthday: {
    sql: "date",
    describe: "1986-11-16, not to come",
    read(value, { today }) {
      if (readDay(value) > today) throw new BadValue("future");
      return value;
    },
  },
  moment: { sql: "timestamptz", describe: "2026-11-16T21:00:00+01:00", read: readMoment },
  flag: { sql: "boolean", describe: "1 or 0", read: (value) => String(readFlag(value)) },
  /** A flag, or since when. */
  since: {
    sql: "timestamptz",
    describe: "1, 0, or since when",
    read(value, { takenAt }) {
      if (value.length > 5) return readMoment(value);
      return readFlag(value) ? takenAt : null;
    },
  },
  points: { sql: "integer", describe: "a whole number from 1", read: (value) => readInteger(value, 1) },
  credited: { sql: "integer", describe: "a whole number from 0", read: (value) => readInteger(value, 0) },
  change: {
    sql: "integer",
    describe: "a whole number, also below 0",
    read: (value) => readInteger(value, -999_999_999),
  },
  amount: {
    sql: "integer",
    describe: "a decimal number, 10.00",
    read(value) {
      if (!isAmount(value)) throw new BadValue(roundedNumber.test(value) ? "spreadsheet" : "amount");
      return String(centsOf(value));
    },
  },
  card: code("6 to 32 of A–Z a–z 0–9 -", /^[A-Za-z0-9-]{6,32}$/),
  /** Tills send codes of vouchers in capital letters. */
  voucher: code("4 to 32 of A–Z 0–9 - _", /^[\w-]{4,32}$/, (value) => value.toUpperCase()),
  /** As tills send them; what an amendment added to a sale has a tilde and a number behind. */
  receipt: code("1 to 64 letters, digits and . _ / # -", /^[\w./#-]{1,64}(~\d{1,4})?$/),
  line: code("1 to 200, the position on the receipt", /^([1-9]\d?|1\d\d|200)$/),
  priceType: code("full, sale, outlet, service or giftcard", /^(full|sale|outlet|service|giftcard)$/),
  rule: {
    sql: "jsonb",
    describe: "JSON, as an export of this product writes it",
    read(value) {
      const rule = Rule.safeParse(parsed(value));
      if (!rule.success) throw new BadValue("invalid");
      return JSON.stringify(rule.data);
    },
  },
  subject: code("newsletter, sms or loyalty", /^(newsletter|sms|loyalty)$/),
  provider: code("google or facebook", /^(google|facebook)$/),
} satisfies Record<string, ValueType>;

/** A cell that a spreadsheet would compute, where a value belongs. */
export const formula = /^=.*[(!]|^=[A-Z]{1,3}\d+$/;
