import type { Endpoint, StaffRole } from "./endpoint.server.ts";
import type { Caller } from "./reads.server.ts";

/** Who makes a call, by its access. */
export type CallerOf<E extends Endpoint> = E["access"] extends "customer"
  ? Caller
  : E["access"] extends "key"
    ? KeyCaller
    : E["access"] extends "till"
      ? TillCaller
      : E["access"] extends "till staff"
        ? StaffCaller
        : E["access"] extends "staff"
          ? OfficeCaller
          : E["access"] extends "unchecked key"
            ? undefined
            : Caller | undefined;

/** Who calls with a key: a till or a server of a shop. */
export interface KeyCaller {
  prefix: string;
  shopId: number;
  shopName: string;
  scopes: readonly string[];
  /** The key of a web shop: it holds vouchers for longer, and may make more calls. */
  web: boolean;
  /** The version of the API that the key was made for (src/shop/keys/shops.tables.server.ts). */
  api: 1 | 2;
  /** How many unknown codes the key has sent in this minute. */
  failedAttempts: number;
  /** Who sells, at a till where a person has signed in. */
  staff?: StaffAtTill | undefined;
}

/** Who has signed in at a till. */
interface StaffAtTill {
  id: number;
  /** For the audit log. */
  requestId: string;
  /** Who made a sale that waited on the till, where another person sends it. */
  soldBy?: { id: number } | undefined;
}

/** A paired device: it stands for one till, as a key does. */
export interface TillCaller extends KeyCaller {
  tillName: string;
  shopCity: string;
  /** How many customers it has looked up by address or phone in this minute. */
  byContact: number;
}

export interface StaffCaller extends TillCaller {
  staff: StaffAtTill;
}

/** A person signed in to the back office. */
export interface OfficeCaller {
  staffId: number;
  role: StaffRole;
  /** Of the role "shop": the shop they may act for. */
  shopId: number | null;
  /** Which session it is. */
  tokenHash: Buffer;
  /** When they last proved who they are. */
  provedAt: Date;
  /** For which kind of act, and which this one is: as paths. */
  provedFor: string | null;
  act: string;
}

/** Checks the key of a request and counts the call; throws a Refusal. */
export type OpenKey = (request: Request, scopes: readonly string[], now: Date) => Promise<KeyCaller>;

/** Checks the cookies of a paired device, and of the person where one is needed; counts the call. Throws a Refusal. */
export type OpenTill = (
  request: Request,
  call: { access: "till" | "till staff"; requestId: string; now: Date },
) => Promise<TillCaller>;

/** Checks the cookie of the back office, the role and, where asked for, the recent proof. Throws a Refusal. */
export type OpenOffice = (
  request: Request,
  call: { roles: readonly StaffRole[]; fresh: boolean; now: Date },
) => Promise<OfficeCaller>;
