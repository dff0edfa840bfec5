import { type CreateLimit, type Limit, networkOf } from "#platform/limits.server.ts";
import { Refusal } from "#platform/refusal.ts";

const minute = 60;
const hour = 60 * minute;
/** After ten failures: a minute, then four times as long each time, never more than four hours. */
const signIn = {
  points: 10,
  seconds: 15 * minute,
  waits: [minute, 4 * minute, 16 * minute, 64 * minute, 4 * hour],
};

/** Identity's limits; the numbers are the contract's. */
export function identityLimits(limit: CreateLimit) {
  const signInByNetwork = limit("sign-in-network", signIn);
  const signInByAccount = limit("sign-in-account", signIn);
  const forgetByNetwork = limit("forget-network", { points: 5, seconds: hour });
  const forgetByAccount = limit("forget-account", { points: 5, seconds: hour });
  const links = limit("link", { points: 30, seconds: 15 * minute });
  const proofs = limit("social-proof", { points: 30, seconds: 15 * minute });

  return {
    /** A guess at a password: only failures count, and they count before they are judged. */
    async passwordGuess(email: string, address: string, isRight: () => Promise<boolean>): Promise<boolean> {
      const network = networkOf(address);
      // The network first: one that is shut out must not use up the account's attempts.
      await signInByNetwork.take(network);
      await signInByAccount.take(email);
      const right = await isRight().catch(async (error) => {
        // Nothing was judged, so nothing was guessed.
        await Promise.all([signInByNetwork.giveBack(network), signInByAccount.giveBack(email)]);
        throw error;
      });
      // The account starts afresh; the network does not, or one account of one's own would pay for guesses at others.
      if (right) await Promise.all([signInByNetwork.giveBack(network), signInByAccount.clear(email)]);
      return right;
    },
    /** Whoever has proved to own the address by other means may try again at once. */
    forgive: (email: string) => signInByAccount.clear(email),
    async forget(email: string, address: string): Promise<void> {
      await forgetByNetwork.take(networkOf(address));
      await forgetByAccount.take(email);
    },
    /** A guess at a link's token; a good one costs nothing. */
    async linkGuess<T>(address: string, follow: () => Promise<T>): Promise<T> {
      const network = networkOf(address);
      await links.take(network);
      const followed = await follow();
      await links.giveBack(network);
      return followed;
    },
    /** A proof of a provider, which costs a question to them; only a bad one counts. */
    async socialProof<T>(address: string, check: () => Promise<T>): Promise<T> {
      const network = networkOf(address);
      await proofs.take(network);
      const checked = await check().catch(async (error) => {
        // The provider is away: nothing was judged.
        if (error instanceof Refusal && error.code === "unavailable") await proofs.giveBack(network);
        throw error;
      });
      await proofs.giveBack(network);
      return checked;
    },
    nonce: byNetwork(limit("social-nonce", { points: 60, seconds: minute })),
    emailAvailable: byNetwork(limit("email-available", { points: 60, seconds: minute })),
    registration: byNetwork(limit("registration", { points: 20, seconds: hour })),
    /** Each linked login is a letter. */
    linking: byCustomer(limit("social-link", { points: 5, seconds: hour })),
    resend: byCustomer(limit("resend", { points: 5, seconds: hour })),
  };
}

export type IdentityLimits = ReturnType<typeof identityLimits>;

const byNetwork = (limit: Limit) => (address: string) => limit.take(networkOf(address));
const byCustomer = (limit: Limit) => (customerId: number) => limit.take(String(customerId));
