import { z } from "zod";
import { locales } from "#i18n/locale.ts";
import { civilities } from "./customer-fields.ts";
import { socialProviders } from "./social-providers.ts";

const moment = z.iso.datetime();
const provider = z.enum(socialProviders);

export const nothing = z.object({});

export const customer = z.object({
  IdCustomer: z.int(),
  Email: z.string(),
  Firstname: z.string(),
  Lastname: z.string(),
  Civility: z.enum(civilities).nullable(),
  Birthday: z.iso.date().nullable(),
  MobilePhone: z.string().nullable(),
  LanguageIsoCode: z.enum(locales),
  CurrencyIsoCode: z.string().meta({ format: "currency" }),
  Guest: z.boolean(),
  Active: z.boolean(),
  EmailVerified: z.boolean(),
  HasPassword: z.boolean(),
  NewsletterSubscribe: z.boolean(),
  NewsletterSmsSubscribe: z.boolean(),
  LoyaltySubscribe: z.boolean(),
  SocialLogins: z.array(provider),
});

export type CustomerResponse = z.output<typeof customer>;

export const authData = z.object({
  AuthData: z.object({ Customer: customer, Token: z.string(), TokenType: z.literal("Bearer"), ExpiresAt: moment }),
});

export const resetLink = z.object({
  Email: z.string().describe("c•••@exemple.fr"),
  SocialLogins: z
    .array(provider)
    .optional()
    .describe("What else opens the account, if anything, and outlives the reset"),
  Passkeys: z.int().optional().describe("How many passkeys do so, if any"),
  WalletPass: z.boolean().optional().describe("The card is in a phone's wallet: the reset ends it there"),
  AsksForDetails: z
    .boolean()
    .optional()
    .describe("Asked for with WithDetails: after the reset the customer says whether the account's details are theirs"),
});

const passkey = z.object({
  IdPasskey: z.int(),
  Name: z.string(),
  CreatedAt: moment,
  LastUsedAt: moment.nullable(),
});

export const passkeyList = z.object({ Passkeys: z.array(passkey) });

export const pendingEmail = z.object({ Pending: z.object({ Email: z.string(), ExpiresAt: moment }).nullable() });

export type ResetResponse = z.output<typeof resetLink>;

export type AuthDataResponse = z.output<typeof authData>;

const session = z.object({
  IdSession: z.int(),
  Current: z.boolean(),
  Device: z.string().nullable(),
  Network: z
    .string()
    .nullable()
    .describe("Where it signed in from, without the part that names one home; null: not known"),
  SocialProvider: provider.nullable(),
  CreatedAt: moment,
  LastSeenAt: moment,
  ExpiresAt: moment,
});

export const sessionList = z.object({
  Sessions: z.array(session),
  ProofNeeded: z
    .boolean()
    .describe("This session's sign-in is older than five minutes: adding a way to sign in asks for the password again"),
});

const application = z.object({
  IdApplication: z.string(),
  Name: z.string(),
  Scopes: z.array(z.string()).describe("What it may read: openid, email, profile, loyalty"),
  Since: moment,
});

export const applicationList = z.object({ Applications: z.array(application) });

const previousDetails = customer.pick({
  Firstname: true,
  Lastname: true,
  Civility: true,
  Birthday: true,
  MobilePhone: true,
  NewsletterSubscribe: true,
  NewsletterSmsSubscribe: true,
});

export type PreviousDetails = z.output<typeof previousDetails>;

export const offeredDetails = z.object({ Details: previousDetails.nullable() });

export const exported = z.object({
  ExportedAt: moment,
  Customer: customer.extend({
    Origin: z.string(),
    CreatedAt: moment,
    UpdatedAt: moment,
    LastSeenAt: moment,
    EmailVerifiedAt: moment.nullable(),
    BirthdayChangedAt: moment.nullable(),
    BlockedAt: moment.nullable(),
    IdsAtApplications: z
      .array(z.string())
      .describe("By which web shops and apps know the customer (sub), those of merged accounts too"),
  }),
  PreviousDetails: previousDetails
    .nullable()
    .describe("Entered before the address was confirmed, neither kept nor discarded"),
  Addresses: z.array(
    z.object({
      Address1: z.string(),
      Address2: z.string().nullable(),
      Postcode: z.string(),
      City: z.string(),
      CountryIsoCode: z.string(),
      IsInvoice: z.boolean(),
      IsDelivery: z.boolean(),
      CreatedAt: moment,
    }),
  ),
  Sessions: z.array(session),
  PendingLinks: z.array(z.object({ Purpose: z.string(), Email: z.string(), CreatedAt: moment, ExpiresAt: moment })),
  HeldEmails: z.array(z.object({ Email: z.string(), Until: moment })),
  SocialLogins: z.array(z.object({ Provider: provider, IdAtProvider: z.string(), LinkedAt: moment })),
  Passkeys: z.array(passkey),
  Applications: z.array(application),
  Consents: z.array(
    z.object({ Subject: z.string(), Given: z.boolean(), TextVersion: z.string(), Source: z.string(), At: moment }),
  ),
  Letters: z.array(
    z.object({ Kind: z.string(), QueuedAt: moment, SentAt: moment.nullable(), RefusedAt: moment.nullable() }),
  ),
  Loyalty: z.record(z.string(), z.unknown()),
});
