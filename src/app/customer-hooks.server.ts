import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { readBalance } from "#loyalty/ledger/ledger.server.ts";
import { eraseFromMove, exportOfMove } from "#move/privacy.server.ts";
import { eraseFromOffice, exportOfOffice } from "#office/customers/server/privacy.server.ts";
import { exportOfShops, hasBoughtSince } from "#shop/privacy.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { deletePersonal, eraseFromStaff, exportOfStaff } from "#staff/privacy.server.ts";

/** The club's functions that identity calls, with what shops, staff and the back office know of a customer. */
export function customerHooks(options: Parameters<typeof clubHooks>[0]): ClubHooks {
  const club = clubHooks(options);
  return {
    ...club,
    isUsedSince: async (queries, customerId, since) =>
      (await club.isUsedSince(queries, customerId, since)) || hasBoughtSince(queries, customerId, since),
    exportOf: async (queries, customerId) => ({
      ...(await club.exportOf(queries, customerId)),
      shops: await exportOfShops(queries, customerId),
      staff: await exportOfStaff(queries, customerId),
      office: await exportOfOffice(queries, customerId),
      move: await exportOfMove(queries, customerId),
    }),
    startClean: async (queries, customerId) => {
      await club.startClean(queries, customerId);
      await deletePersonal(queries, customerId);
      await eraseFromOffice(queries, customerId);
    },
    erase: async (queries, customerId, by = "customer") => {
      const at = options.now();
      const { debt } = await readBalance(queries, customerId, at);
      await club.erase(queries, customerId);
      // Erasing is the customer's right also with a debt; head office reads in the log how often, and how much.
      if (debt)
        await writeAudit(queries, {
          ...{ madeBy: by, action: "erased_with_debt", customerId, at },
          ...{ before: { debt }, after: { debt: 0 } },
        });
      await eraseFromStaff(queries, customerId);
      await eraseFromMove(queries, customerId);
      await eraseFromOffice(queries, customerId);
    },
  };
}
