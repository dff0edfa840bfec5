import type { OfficeCaller } from "#platform/api/callers.server.ts";
import { type CreateLimit, clientNetwork, countAll, countRefusals } from "#platform/limits/limits.server.ts";

const minute = 60;
const hour = 60 * minute;
/** As for customers (src/identity/limits.server.ts). */
const waits = [minute, 4 * minute, 16 * minute, 64 * minute, 4 * hour];
const guesses = { points: 10, seconds: 15 * minute, waits };
/** A whole shop is behind one address: many failures, and a wait that does not grow. */
const networkGuesses = { points: 300, seconds: 15 * minute };

/** An attempt to sign in: to which account, and from where. */
interface Attempt {
  email: string;
  address: string;
  /** The key of a device on which this person has signed in before. */
  device: string | undefined;
}

/**
 * Wrong attempts to sign in to the back office, by account, by known device and by network; wrong proofs; uses of links and
 * passkeys; challenges.
 */
export function officeLimits(limit: CreateLimit) {
  const byAccount = limit("office-account", guesses);
  const byDevice = limit("office-device", guesses);
  const byPerson = limit("office-proof", guesses);
  const byNetwork = limit("office-network", networkGuesses);
  const tokensByNetwork = limit("office-token-network", networkGuesses);
  const challenges = limit("office-passkey-options", { points: 300, seconds: minute });
  return {
    /**
     * A known device has a counter of its own: strangers who guess from elsewhere, or from the same network, must not keep its
     * owner out. Otherwise the network is counted first: one that must wait must not use up the account's attempts.
     */
    async signIn<T>({ email, address, device }: Attempt, work: () => Promise<T>): Promise<T> {
      const [counter, key] = device ? [byDevice, device] : [byAccount, email];
      const attempt = () => counter.attempt(key, countRefusals, work);
      const value = await (device ? attempt() : byNetwork.attempt(clientNetwork(address), countRefusals, attempt));
      await counter.clear(key);
      return value;
    },
    /** A proof of who is signed in. By person alone: strangers who guess elsewhere must not keep them from it. */
    async proof<T>({ staffId }: OfficeCaller, work: () => Promise<T>): Promise<T> {
      const own = String(staffId);
      const value = await byPerson.attempt(own, countRefusals, work);
      await byPerson.clear(own);
      return value;
    },
    /** A token or a passkey, which name no account before they are found. Wrong passwords do not count for them. */
    guess: <T>(address: string, work: () => Promise<T>): Promise<T> =>
      tokensByNetwork.attempt(clientNetwork(address), countRefusals, work),
    challenge: <T>(address: string, work: () => Promise<T>): Promise<T> =>
      challenges.attempt(clientNetwork(address), countAll, work),
  };
}

export type OfficeLimits = ReturnType<typeof officeLimits>;
