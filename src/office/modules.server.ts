import { customersModule } from "#office/customers/server/handlers.server.ts";
import { campaignsModule } from "./campaigns/handlers.server.ts";
import { clientsModule } from "./clients/handlers.server.ts";
import { inboxModule } from "./inbox/handlers.server.ts";
import { metricsModule } from "./metrics/handlers.server.ts";
import { monthEndModule } from "./month-end/handlers.server.ts";
import { moveModule } from "./move/handlers.server.ts";
import { programmeModule } from "./programme/handlers.server.ts";
import { receiptsModule } from "./receipts/handlers.server.ts";
import { segmentsModule } from "./segments/handlers.server.ts";
import { shopsModule } from "./shops/handlers.server.ts";
import { signInModule } from "./sign-in/handlers.server.ts";
import { teamModule } from "./team/handlers.server.ts";
import { webhooksModule } from "./webhooks/handlers.server.ts";

type Dependencies = Parameters<typeof signInModule>[0] &
  Parameters<typeof customersModule>[0] &
  Parameters<typeof campaignsModule>[0] &
  Parameters<typeof inboxModule>[0] &
  Parameters<typeof metricsModule>[0] &
  Parameters<typeof monthEndModule>[0] &
  Parameters<typeof moveModule>[0] &
  Parameters<typeof programmeModule>[0] &
  Parameters<typeof receiptsModule>[0] &
  Parameters<typeof segmentsModule>[0] &
  Parameters<typeof shopsModule>[0] &
  Parameters<typeof teamModule>[0] &
  Parameters<typeof webhooksModule>[0];

/** The parts of the back office. */
export const officeModules = (deps: Dependencies) => [
  signInModule(deps),
  teamModule(deps),
  customersModule(deps),
  campaignsModule(deps),
  inboxModule(deps),
  metricsModule(deps),
  monthEndModule(deps),
  moveModule(deps),
  receiptsModule(deps),
  segmentsModule(deps),
  shopsModule(deps),
  programmeModule(deps),
  webhooksModule(deps),
  clientsModule(deps),
];
