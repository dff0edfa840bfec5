import { resolve } from "node:path";
import { z } from "zod";

/** The names of this very machine. */
export const ownName = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

const onOff = z.enum(["on", "off"]).transform((word) => word === "on");
const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));
const port = z.coerce.number().int().min(0).max(65_535);

/** Every setting of the product, as the environment spells it. */
const Environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: address.optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATA_DIR: z.string().default("./var"),
  WORKERS: z.coerce.number().int().min(1).max(64).default(1),
  METRICS_PORT: port.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().optional(),
  SHOP_URL: address.optional(),
  GOOGLE_ISSUER: address.optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_SCRIPT_URL: address.optional(),
  FACEBOOK_APP_ID: z.string().optional(),
  FACEBOOK_APP_SECRET: z.string().optional(),
  FACEBOOK_SDK_URL: address.optional(),
  FACEBOOK_SDK_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/)
    .optional(),
  FACEBOOK_GRAPH_URL: address.optional(),
  GOOGLE_WALLET_ISSUER_ID: z.string().optional(),
  GOOGLE_WALLET_KEY_FILE: z.string().optional(),
  GOOGLE_WALLET_API_URL: address.optional(),
  GOOGLE_WALLET_TOKEN_URL: address.optional(),
  APPLE_WALLET_PASS_TYPE_ID: z.string().optional(),
  APPLE_WALLET_TEAM_ID: z.string().optional(),
  APPLE_WALLET_CERT_FILE: z.string().optional(),
  APPLE_WALLET_KEY_FILE: z.string().optional(),
  APPLE_WALLET_WWDR_FILE: z.string().optional(),
  SANDBOX: onOff.optional(),
  TRUST_PROXY: onOff.default(false),
  RATE_LIMITS: onOff.default(true),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});

type Given = Partial<z.output<typeof Environment>>;

/** A setting that cannot be used; its message is the one line the operator reads. */
export class BadSetting extends Error {}

/** Reads the settings. A command does not serve customers, so it needs neither mail server nor shop. */
export function readSettings(environment: Record<string, string | undefined>, { serves = true } = {}) {
  // An empty value in a .env file means "not set".
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const read = Environment.safeParse(given);
  if (!read.success) {
    const issue = read.error.issues[0];
    const name = String(issue?.path[0]);
    // The value is not repeated: it may be a secret.
    throw new BadSetting(`The setting ${name} cannot be used: ${issue?.message ?? "invalid"}.`);
  }
  const { PORT, HOST, PUBLIC_URL, DATABASE_URL, DATA_DIR, WORKERS, SANDBOX, ...rest } = read.data;
  const publicUrl = new URL(PUBLIC_URL ?? `http://localhost:${PORT}`);
  // Any of these says that others than this machine's owner may come: the sandbox then has to be asked for.
  const [forOthers] = [
    ...(ownName.test(HOST) ? [] : ["HOST"]),
    ...(ownName.test(publicUrl.hostname) ? [] : ["PUBLIC_URL"]),
    ...(DATABASE_URL ? ["DATABASE_URL"] : []),
    ...(rest.TRUST_PROXY ? ["TRUST_PROXY"] : []),
    ...(given["NODE_ENV"] === "production" ? ["NODE_ENV"] : []),
  ];
  const sandbox = SANDBOX ?? !forOthers;
  const noSandbox = `the sandbox is off because of ${SANDBOX === false ? "SANDBOX" : forOthers}; SANDBOX=on turns it on`;
  if (WORKERS > 1 && !DATABASE_URL)
    throw new BadSetting("The setting WORKERS needs DATABASE_URL: the embedded database serves one process.");
  if (serves && !sandbox && !rest.SMTP_URL)
    throw new BadSetting(`The setting SMTP_URL is missing: there is no mail server to send with (${noSandbox}).`);
  if (serves && !sandbox && !rest.SHOP_URL)
    throw new BadSetting(`The setting SHOP_URL is missing: nothing stands for the main web shop (${noSandbox}).`);
  if (rest.SMTP_URL && !rest.MAIL_FROM)
    throw new BadSetting("The setting MAIL_FROM is missing: SMTP_URL needs a sender.");
  if (rest.GOOGLE_WALLET_KEY_FILE && !rest.GOOGLE_WALLET_ISSUER_ID)
    throw new BadSetting("The setting GOOGLE_WALLET_ISSUER_ID is missing: GOOGLE_WALLET_KEY_FILE signs in its name.");
  const { origin } = publicUrl;
  const appleNames = ["PASS_TYPE_ID", "TEAM_ID", "CERT_FILE", "KEY_FILE", "WWDR_FILE"] as const;
  const appleMissing = appleNames.find((name) => !rest[`APPLE_WALLET_${name}`]);
  if (appleMissing && appleNames.some((name) => rest[`APPLE_WALLET_${name}`]))
    throw new BadSetting(`The setting APPLE_WALLET_${appleMissing} is missing: the five of Apple Wallet go together.`);
  return {
    port: PORT,
    host: HOST,
    publicUrl,
    databaseUrl: DATABASE_URL,
    dataDir: resolve(DATA_DIR),
    workers: WORKERS,
    metricsPort: rest.METRICS_PORT,
    smtpUrl: rest.SMTP_URL,
    mailFrom: rest.MAIL_FROM ?? "Cercle <club@cercle.example>",
    /** Where links to the main web shop lead; without one, the sandbox's stand-in on this site. */
    shopUrl: rest.SHOP_URL ?? "/sandbox/shop",
    google: googleOf(rest, sandbox ? origin : undefined),
    facebook: facebookOf(rest, sandbox ? origin : undefined),
    sandbox,
    /** A name the sandbox answers to besides this machine's own: the public one, once it was asked for. */
    sandboxName: SANDBOX ? publicUrl.hostname : undefined,
    googleWallet: {
      issuerId: rest.GOOGLE_WALLET_ISSUER_ID,
      keyFile: rest.GOOGLE_WALLET_KEY_FILE,
      apiUrl: rest.GOOGLE_WALLET_API_URL,
      tokenUrl: rest.GOOGLE_WALLET_TOKEN_URL,
    },
    appleWallet: appleMissing
      ? undefined
      : {
          passTypeId: rest.APPLE_WALLET_PASS_TYPE_ID ?? "",
          teamId: rest.APPLE_WALLET_TEAM_ID ?? "",
          certFile: rest.APPLE_WALLET_CERT_FILE ?? "",
          keyFile: rest.APPLE_WALLET_KEY_FILE ?? "",
          wwdrFile: rest.APPLE_WALLET_WWDR_FILE ?? "",
        },
    trustProxy: rest.TRUST_PROXY,
    rateLimits: rest.RATE_LIMITS,
    logLevel: rest.LOG_LEVEL,
    secureCookies: publicUrl.protocol === "https:",
  };
}

export type Settings = ReturnType<typeof readSettings>;

/** The app by which the sandbox's own providers know us. */
export const sandboxApp = {
  google: { clientId: "cercle.sandbox" },
  facebook: { appId: "100000000000004", appSecret: "sandbox" },
};

/** A Google-type provider; the sandbox's where none is named, and nothing where there is no sandbox either. */
function googleOf(given: Given, sandboxOrigin: string | undefined) {
  const named = {
    ...(given.GOOGLE_ISSUER && { issuer: given.GOOGLE_ISSUER }),
    ...(given.GOOGLE_SCRIPT_URL && { scriptUrl: given.GOOGLE_SCRIPT_URL }),
  };
  if (given.GOOGLE_CLIENT_ID)
    return {
      issuer: "https://accounts.google.com",
      clientId: given.GOOGLE_CLIENT_ID,
      scriptUrl: "https://accounts.google.com/gsi/client",
      ...named,
    };
  if (sandboxOrigin !== undefined)
    return {
      issuer: `${sandboxOrigin}/sandbox/google`,
      ...sandboxApp.google,
      // Without a host: it works at whichever of this machine's names the visitor typed.
      scriptUrl: "/sandbox/google/client.js",
      ...named,
    };
  refuseHalf(given, ["GOOGLE_ISSUER", "GOOGLE_SCRIPT_URL"], "GOOGLE_CLIENT_ID");
  return undefined;
}

/** A Facebook-type provider, by the same rules. */
function facebookOf(given: Given, sandboxOrigin: string | undefined) {
  const named = {
    sdkVersion: given.FACEBOOK_SDK_VERSION ?? "v2.10",
    ...(given.FACEBOOK_SDK_URL && { sdkUrl: given.FACEBOOK_SDK_URL }),
    ...(given.FACEBOOK_GRAPH_URL && { graphUrl: given.FACEBOOK_GRAPH_URL }),
  };
  if (given.FACEBOOK_APP_ID && given.FACEBOOK_APP_SECRET)
    return {
      appId: given.FACEBOOK_APP_ID,
      appSecret: given.FACEBOOK_APP_SECRET,
      sdkUrl: "https://connect.facebook.net/fr_FR/sdk.js",
      graphUrl: "https://graph.facebook.com",
      ...named,
    };
  // An app of one's own without its secret is a mistake, sandbox or not.
  refuseHalf(given, ["FACEBOOK_APP_ID"], "FACEBOOK_APP_SECRET");
  refuseHalf(given, ["FACEBOOK_APP_SECRET"], "FACEBOOK_APP_ID");
  if (sandboxOrigin !== undefined)
    return {
      ...sandboxApp.facebook,
      sdkUrl: "/sandbox/facebook/sdk.js",
      graphUrl: `${sandboxOrigin}/sandbox/facebook`,
      ...named,
    };
  refuseHalf(given, ["FACEBOOK_SDK_URL", "FACEBOOK_GRAPH_URL"], "FACEBOOK_APP_ID");
  return undefined;
}

/** Half a provider is a mistake that would otherwise only show as missing buttons. */
function refuseHalf(given: Given, names: (keyof Given)[], missing: string): void {
  const named = names.find((name) => given[name] !== undefined);
  if (named) throw new BadSetting(`The setting ${missing} is missing: ${named} needs it.`);
}

/** Names for `.env.example` and the test that keeps it whole. */
export const settingNames = Object.keys(Environment.shape);
