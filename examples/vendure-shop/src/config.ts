import {
  DefaultJobQueuePlugin,
  DefaultLogger,
  defaultOrderProcess,
  LanguageCode,
  LogLevel,
  PaymentMethodHandler,
  type VendureConfig,
} from "@vendure/core";
import { CerclePlugin } from "./cercle/plugin.ts";
import { settings } from "./settings.ts";

/** Stands in for a provider of payments: authorises at once, captures and refunds when staff ask for it. */
const testCard = new PaymentMethodHandler({
  code: "test-card",
  description: [{ languageCode: LanguageCode.en, value: "Test card" }],
  args: {},
  createPayment: async (_ctx, _order, amount, _args, metadata) =>
    metadata["decline"] ? { amount, state: "Declined" } : { amount, state: "Authorized", transactionId: "test" },
  settlePayment: async () => ({ success: true }),
  createRefund: async () => ({ state: "Settled", transactionId: "test" }),
});

export const administrator = { identifier: "admin", password: settings.adminPassword };

const firstWaitMs = 500;
const longestWaitMs = 5 * 60_000;

export const config: VendureConfig = {
  apiOptions: {
    hostname: "127.0.0.1",
    port: settings.vendurePort,
    shopApiPath: "shop-api",
    adminApiPath: "admin-api",
  },
  authOptions: {
    tokenMethod: "bearer",
    superadminCredentials: administrator,
    // Customers sign in with Cercle alone: the plugin adds it.
    shopAuthenticationStrategy: [],
  },
  dbConnectionOptions: {
    type: "postgres",
    host: settings.databaseSocket,
    username: "shop",
    database: "shop",
    synchronize: true,
  },
  orderOptions: { process: [defaultOrderProcess] },
  paymentOptions: { paymentMethodHandlers: [testCard] },
  promotionOptions: { promotionConditions: [], promotionActions: [] },
  logger: new DefaultLogger({ level: LogLevel.Warn, timestamp: false }),
  plugins: [
    DefaultJobQueuePlugin.init({
      pollInterval: 200,
      // A restart of Cercle is over in a minute; a fault may take days.
      backoffStrategy: (_queue, attempts) => Math.min(longestWaitMs, firstWaitMs * 2 ** attempts),
    }),
    CerclePlugin,
  ],
};
