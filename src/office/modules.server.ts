import { customersRoom } from "#office/customers/server/handlers.server.ts";
import { campaignsRoom } from "./campaigns/handlers.server.ts";
import { figuresRoom } from "./figures/handlers.server.ts";
import { programmeRoom } from "./programme/handlers.server.ts";
import { shopsRoom } from "./shops/handlers.server.ts";
import { signInRoom } from "./sign-in/handlers.server.ts";
import { teamRoom } from "./team/handlers.server.ts";
import { webhooksRoom } from "./webhooks/handlers.server.ts";

type Dependencies = Parameters<typeof signInRoom>[0] &
  Parameters<typeof customersRoom>[0] &
  Parameters<typeof campaignsRoom>[0] &
  Parameters<typeof figuresRoom>[0] &
  Parameters<typeof programmeRoom>[0] &
  Parameters<typeof shopsRoom>[0] &
  Parameters<typeof teamRoom>[0] &
  Parameters<typeof webhooksRoom>[0];

/** The parts of the back office. */
export const officeRooms = (deps: Dependencies) => [
  signInRoom(deps),
  teamRoom(deps),
  customersRoom(deps),
  campaignsRoom(deps),
  figuresRoom(deps),
  shopsRoom(deps),
  programmeRoom(deps),
  webhooksRoom(deps),
];
