import { type ValueType, valueTypes } from "./values.server.ts";

interface Column {
  type: keyof typeof valueTypes;
  required?: boolean;
  /** A bad value is left out and reported; without it the whole row is. */
  optionalValue?: boolean;
}

interface PackageFile {
  columns: Record<string, Column>;
  /** What makes a row the only one of its kind. */
  key: string[];
  required?: boolean;
}

const sourceId: Column = { type: "id", required: true };
const must = (type: Column["type"]): Column => ({ type, required: true });
const may = (type: Column["type"]): Column => ({ type });
/** Worth less than the member: left out when it is bad. */
const spare = (type: Column["type"]): Column => ({ type, optionalValue: true });

/**
 * The files of a package and their columns. The reader, the staging tables, the export and the table of docs/moving.md
 * are made of this.
 */
const packageFiles = {
  members: {
    required: true,
    key: ["SourceId"],
    columns: {
      SourceId: sourceId,
      Email: may("email"),
      Firstname: may("name"),
      Lastname: may("name"),
      Civility: spare("civility"),
      Birthday: spare("birthday"),
      MobilePhone: spare("phone"),
      Language: spare("language"),
      CreatedAt: may("moment"),
      EmailVerified: may("since"),
      LastActiveAt: may("moment"),
      PasswordHash: may("text"),
      PasswordFormat: may("name"),
      PasswordSalt: may("text"),
      Newsletter: may("flag"),
      NewsletterAt: may("moment"),
      NewsletterSms: may("flag"),
      NewsletterSmsAt: may("moment"),
      ConsentText: may("text"),
      JoinedAt: may("moment"),
      LeftAt: may("moment"),
      Status: may("name"),
      StatusUntil: may("day"),
      WelcomeGiven: may("flag"),
      Blocked: may("since"),
    },
  },
  cards: {
    key: ["CardNumber"],
    columns: { SourceId: sourceId, CardNumber: must("card"), IssuedAt: may("moment"), Main: may("flag") },
  },
  lots: {
    key: ["SourceId", "LotId"],
    columns: {
      SourceId: sourceId,
      LotId: must("id"),
      Points: must("points"),
      EarnedAt: must("moment"),
      ExpiresAt: must("moment"),
      AvailableAt: may("moment"),
      PointsEarned: may("points"),
      Kind: may("text"),
    },
  },
  history: {
    key: ["SourceId", "EntryId"],
    columns: {
      SourceId: sourceId,
      EntryId: must("id"),
      At: must("moment"),
      Points: must("change"),
      Text: must("text"),
    },
  },
  vouchers: {
    key: ["Code"],
    columns: {
      SourceId: sourceId,
      Code: must("voucher"),
      Amount: must("amount"),
      IssuedAt: may("moment"),
      ExpiresAt: must("moment"),
      MinimumBasket: may("amount"),
    },
  },
  /** A row per line of a receipt; all rows of one say the same of the sale. */
  receipts: {
    key: ["Shop", "ReceiptNumber", "Line"],
    columns: {
      SourceId: may("id"),
      Shop: must("name"),
      ReceiptNumber: must("receipt"),
      SoldAt: must("moment"),
      Line: may("line"),
      Amount: must("amount"),
      Points: may("credited"),
      Earns: may("flag"),
      PriceType: may("priceType"),
      Rule: may("rule"),
    },
  },
  debts: {
    key: ["SourceId", "DebtId"],
    columns: { SourceId: sourceId, DebtId: must("id"), Points: must("points"), OwedAt: must("moment") },
  },
  "earned-days": {
    key: ["SourceId", "Day"],
    columns: { SourceId: sourceId, Day: must("day"), Points: must("points") },
  },
  consents: {
    key: ["SourceId", "Subject", "At"],
    columns: {
      SourceId: sourceId,
      Subject: must("subject"),
      Given: must("flag"),
      At: must("moment"),
      Source: may("name"),
      Text: may("text"),
    },
  },
  social: {
    key: ["SourceId", "Provider"],
    columns: { SourceId: sourceId, Provider: must("provider"), Subject: must("id") },
  },
} as const satisfies Record<string, PackageFile>;

export type FileName = keyof typeof packageFiles;
export const fileNames = Object.keys(packageFiles) as FileName[];

export const fileOf = (name: FileName): PackageFile => packageFiles[name];
export const typeOf = (column: Column): ValueType => valueTypes[column.type];

/** `SourceId` in a file is `source_id` in a table, where `line` is the line of the file. */
export const snake = (name: string): string =>
  name === "Line" ? "receipt_line" : name.replace(/(?<!^)([A-Z])/g, "_$1").toLowerCase();
export const tableOf = (file: FileName): string => `stage_${file.replace("-", "_")}`;
