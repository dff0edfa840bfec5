import type { OfficeCaller } from "#platform/api/callers.server.ts";
import { type CreateLimit, clientNetwork, countAll, countRefusals } from "#platform/limits/limits.server.ts";

const minute = 60;
const hour = 60 * minute;
/** As for customers (src/identity/limits.server.ts). */
const waits = [minute, 4 * minute, 16 * minute, 64 * minute, 4 * hour];

/** Wrong attempts to sign in to the back office, by account and by network; wrong proofs; uses of links; challenges. */
export function officeLimits(limit: CreateLimit) {
  const byAccount = limit("office-account", { points: 10, seconds: 15 * minute, waits });
  const byPerson = limit("office-proof", { points: 10, seconds: 15 * minute, waits });
  const byNetwork = limit("office-network", { points: 100, seconds: hour, waits });
  const challenges = limit("office-passkey-options", { points: 300, seconds: minute });
  return {
    /** The network is counted first: one that must wait must not use up the account's attempts. */
    async signIn<T>(email: string, address: string, work: () => Promise<T>): Promise<T> {
      const value = await byNetwork.attempt(clientNetwork(address), countRefusals, () =>
        byAccount.attempt(email, countRefusals, work),
      );
      await byAccount.clear(email);
      return value;
    },
    /** A proof of who is signed in. Not counted by account: strangers who guess there must not keep them from it. */
    async proof<T>({ staffId }: OfficeCaller, address: string, work: () => Promise<T>): Promise<T> {
      const own = String(staffId);
      const value = await byNetwork.attempt(clientNetwork(address), countRefusals, () =>
        byPerson.attempt(own, countRefusals, work),
      );
      await byPerson.clear(own);
      return value;
    },
    /** A token or a passkey, which name no account before they are found. */
    guess: <T>(address: string, work: () => Promise<T>): Promise<T> =>
      byNetwork.attempt(clientNetwork(address), countRefusals, work),
    challenge: <T>(address: string, work: () => Promise<T>): Promise<T> =>
      challenges.attempt(clientNetwork(address), countAll, work),
  };
}

export type OfficeLimits = ReturnType<typeof officeLimits>;
