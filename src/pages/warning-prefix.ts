import { identityWarningPrefix } from "#identity/calls.ts";
import { loyaltyWarningPrefix } from "#loyalty/calls.ts";

/** How the modules word the failures of their calls for the log. */
export const warningPrefix = (line: string): string | undefined =>
  identityWarningPrefix(line) ?? loyaltyWarningPrefix(line);
