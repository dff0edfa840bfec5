import { resolve } from "node:path";
import { z } from "zod";
import { installedBrand } from "#brand/brand.server.ts";

/** The names of this very machine. */
export const ownName = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

const onOff = z.enum(["on", "off"]).transform((word) => word === "on");
const port = z.coerce.number().int().min(0).max(65_535);
/** An address without a slash at its end. */
export const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));
const originAlone = "it must be a scheme and a host, without a path";
/** An address, or a name and an address between angle brackets. */
const sender = /^(?:[^<>@\r\n]*<)?[^\s<>@,;]+@[^\s<>@,;]+>?$/;

const postgres = z.url({ protocol: /^postgres(ql)?$/ });

/** Where the process listens and what it connects to, as the environment spells it. */
export const placeEnvironment = {
  PORT: port.default(3000),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: address.refine((url) => new URL(url).href === `${new URL(url).origin}/`, originAlone).optional(),
  DATABASE_URL: postgres.optional(),
  /** A standby of that database, for what may be some seconds old. */
  REPLICA_URL: postgres.optional(),
  /** A role that may change the schema; only the command `migrate` uses it. */
  MIGRATION_DATABASE_URL: postgres.optional(),
  DATABASE_POOL: z.coerce.number().int().min(4).max(200).default(10),
  DATA_DIR: z.string().default("./var"),
  /** The folder of the retailer's brand; without it, the default one. Read by src/brand/brand.server.ts. */
  BRAND_DIR: z.string().optional(),
  WORKERS: z.coerce.number().int().min(1).max(64).default(1),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default("127.0.0.1"),
  ASSETS_DIR: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().regex(sender, "it must hold one mail address").optional(),
  SHOP_URL: address.optional(),
};

/** How it behaves. */
export const behaviourEnvironment = {
  SANDBOX: onOff.optional(),
  TRUST_PROXY: onOff.default(false),
  RATE_LIMITS: onOff.default(true),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
};

type Given = z.output<z.ZodObject<typeof placeEnvironment & typeof behaviourEnvironment>>;

/** A setting that cannot be used; its message is the one line the operator reads. */
export class BadSetting extends Error {}

/** Settings that are secrets or hold one. Each may be in a file instead, whose path is the setting with `_FILE` behind its name. */
export const secretNames = [
  ...["DATABASE_URL", "REPLICA_URL", "MIGRATION_DATABASE_URL", "SMTP_URL"],
  ...["FACEBOOK_APP_SECRET", "WEBHOOK_KEY", "PIN_KEY", "OIDC_KEY", "STAFF_SSO_CLIENT_SECRET"],
] as const;

/** The settings that belong to no module. `production`: the operator says that customers use this process. */
export function generalSettings(given: Given, { serves, production }: { serves: boolean; production: boolean }) {
  const { PORT, HOST, PUBLIC_URL, DATABASE_URL, DATA_DIR, WORKERS, SANDBOX, ...rest } = given;
  const publicUrl = new URL(PUBLIC_URL ?? `http://localhost:${PORT}`);
  // Any of these means that others than this machine's owner may connect: the sandbox must then be turned on explicitly.
  const [forOthers] = [
    ...(ownName.test(HOST) ? [] : ["HOST"]),
    ...(ownName.test(publicUrl.hostname) ? [] : ["PUBLIC_URL"]),
    ...(DATABASE_URL ? ["DATABASE_URL"] : []),
    ...(rest.TRUST_PROXY ? ["TRUST_PROXY"] : []),
    ...(production ? ["NODE_ENV"] : []),
  ];
  const sandbox = SANDBOX ?? !forOthers;
  const noSandbox = `the sandbox is off because of ${SANDBOX === false ? "SANDBOX" : forOthers}; SANDBOX=on turns it on`;
  if (WORKERS > 1 && !DATABASE_URL)
    throw new BadSetting("The setting WORKERS needs DATABASE_URL: the embedded database serves one process.");
  if (rest.REPLICA_URL && !DATABASE_URL)
    throw new BadSetting("The setting REPLICA_URL needs DATABASE_URL: the embedded database has no replica.");
  if (serves && !sandbox && !rest.SMTP_URL)
    throw new BadSetting(`The setting SMTP_URL is missing: there is no mail server to send with (${noSandbox}).`);
  if (serves && !sandbox && !rest.SHOP_URL)
    throw new BadSetting(`The setting SHOP_URL is missing: nothing stands for the main web shop (${noSandbox}).`);
  if (rest.SMTP_URL && !rest.MAIL_FROM)
    throw new BadSetting("The setting MAIL_FROM is missing: SMTP_URL needs a sender.");
  return {
    port: PORT,
    host: HOST,
    publicUrl,
    databaseUrl: DATABASE_URL,
    replicaUrl: rest.REPLICA_URL,
    dataDir: resolve(DATA_DIR),
    workers: WORKERS,
    migrationUrl: rest.MIGRATION_DATABASE_URL,
    connections: rest.DATABASE_POOL,
    metricsPort: rest.METRICS_PORT,
    metricsHost: rest.METRICS_HOST,
    otlpEndpoint: rest.OTEL_EXPORTER_OTLP_ENDPOINT,
    /** Built files of other releases, which pages of theirs still ask for. */
    assetsDir: rest.ASSETS_DIR && resolve(rest.ASSETS_DIR),
    smtpUrl: rest.SMTP_URL,
    mailFrom: rest.MAIL_FROM ?? installedBrand().Sender,
    /** The address of the main web shop; without one, the sandbox's own shop on this site. */
    shopUrl: rest.SHOP_URL ?? "/sandbox/shop",
    sandbox,
    /** The host name under which the sandbox works besides this machine's own: the public one, when it was turned on explicitly. */
    sandboxName: SANDBOX ? publicUrl.hostname : undefined,
    trustProxy: rest.TRUST_PROXY,
    rateLimits: rest.RATE_LIMITS,
    logLevel: rest.LOG_LEVEL,
    secureCookies: publicUrl.protocol === "https:",
  };
}

export type Settings = ReturnType<typeof generalSettings>;
