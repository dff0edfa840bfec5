import { apiModule } from "#platform/api/api-module.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import * as calls from "./calls.ts";
import { inboxContract } from "./contract.server.ts";
import { readInbox } from "./inbox.server.ts";

export const inboxModule = ({ database }: { database: Database }) =>
  apiModule(inboxContract, {
    [calls.readInbox]: ({ caller, now }) => readInbox(database, caller, now),
  });
