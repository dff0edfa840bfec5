import { bigint, boolean, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, customerId, moment } from "#platform/database/columns.server.ts";

/** Web shops and apps at which customers sign in with their account here. */
export const oidcClients = pgTable("oidc_client", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  /** The retailer's own: customers are not asked for consent. */
  firstParty: boolean("first_party").notNull(),
  /** By the names of RFC 7591, without the secret. */
  metadata: jsonb("metadata").$type<ClientMetadata>().notNull(),
  secretHash: bytes("secret_hash"),
  createdAt: moment("created_at").notNull().defaultNow(),
  disabledAt: moment("disabled_at"),
});

export interface ClientMetadata {
  redirect_uris: string[];
  post_logout_redirect_uris: string[];
  backchannel_logout_uri?: string;
  application_type: "web" | "native";
  token_endpoint_auth_method: "client_secret_basic" | "none";
}

/** Keys that sign tokens: the next one is published before it signs, retired ones for old tokens. */
export const oidcSigningKeys = pgTable("oidc_signing_key", {
  kid: text("kid").primaryKey(),
  sealedJwk: bytes("sealed_jwk").notNull(),
  state: text("state", { enum: ["next", "current", "retired"] }).notNull(),
  since: moment("since").notNull().defaultNow(),
});

/** Everything that the library stores. Codes, tokens and cookies only as their hash. */
export const oidcArtifacts = pgTable(
  "oidc_artifact",
  {
    model: text("model").notNull(),
    idHash: bytes("id_hash").notNull(),
    payload: jsonb("payload").$type<Record<string, unknown>>().notNull(),
    customerId: bigint("customer_id", { mode: "number" }),
    grantId: text("grant_id"),
    uid: text("uid"),
    createdAt: moment("created_at").notNull().defaultNow(),
    consumedAt: moment("consumed_at"),
    expiresAt: moment("expires_at"),
  },
  (table) => [primaryKey({ columns: [table.model, table.idHash] })],
);

/** At which clients a session has signed in (db/functions/oidc_login_ended.sql ends them with it). */
export const oidcLogins = pgTable(
  "oidc_login",
  {
    /** Of the library's own session. */
    uid: text("uid").notNull(),
    clientId: text("client_id").notNull(),
    /** What the client's tokens call this sign-in. */
    sid: text("sid").notNull(),
    grantId: text("grant_id").notNull(),
    subject: uuid("subject").notNull(),
    outlivesSession: boolean("outlives_session").notNull(),
    customerId: customerId(),
    sessionId: bigint("session_id", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.uid, table.clientId] })],
);
