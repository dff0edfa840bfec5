import {
  type CreateLimit,
  clientNetwork,
  countAll,
  countRefusals,
  countSuccesses,
  type Limit,
  type Outcome,
} from "#platform/limits/limits.server.ts";
import { Refusal } from "#platform/refusal.ts";

const minute = 60;
const hour = 60 * minute;
/** After too many failures: a minute, then four times as long each time, never more than four hours. */
const waits = [minute, 4 * minute, 16 * minute, 64 * minute, 4 * hour];
const guesses = { points: 10, seconds: 15 * minute, waits };

const whenWrong = (outcome: Outcome<boolean>) => !("value" in outcome && outcome.value);

/** Whose password is guessed, and from where. */
interface Guess {
  email: string;
  address: string;
  /** Set for a device that has signed in to this account before. */
  device: string | undefined;
}

/**
 * Identity's rate limits; the numbers are the contract's. The account comes first: a whole shop or a carrier's
 * customers may share one client address, so per address only failures count, or the bound is far above what people do.
 */
export function identityLimits(limit: CreateLimit) {
  const signInByAccount = limit("sign-in-account", guesses);
  const signInByDevice = limit("sign-in-device", guesses);
  const signInByNetwork = limit("sign-in-network", { points: 100, seconds: hour, waits });
  const forgetByAccount = limit("forget-account", { points: 5, seconds: hour });
  // Bounds how many letters one client can cause; an unknown account gets none, so nobody needs as many.
  const forgetByNetwork = limit("forget-network", { points: 200, seconds: hour });
  const registrationByNetwork = limit("registration", { points: 200, seconds: hour });
  const registrationByAccount = limit("registration-account", { points: 5, seconds: hour });
  const guestsByAddress = limit("guest-address", { points: 20, seconds: hour });
  const resends = limit("resend", { points: 5, seconds: hour });
  const unconfirmedLetters = limit("unconfirmed-letter", { points: 5, seconds: hour });

  return {
    /**
     * A guess at a password; only a wrong one counts. A known device has a counter of its own: strangers who guess
     * from elsewhere must not lock its owner out, and its owner's sign-ins must not give them new guesses.
     */
    async passwordGuess({ email, address, device }: Guess, isRight: () => Promise<boolean>): Promise<boolean> {
      const [counter, key] = device ? [signInByDevice, device] : [signInByAccount, email];
      const guess = () => counter.attempt(key, whenWrong, isRight);
      // The address is counted first: one that must wait must not use up the account's attempts.
      const right = await (device ? guess() : signInByNetwork.attempt(clientNetwork(address), whenWrong, guess));
      // The account starts afresh; the address does not, or one account of one's own would pay for guesses at others.
      if (right) await counter.clear(key);
      return right;
    },
    /** Whoever has proved to own the address by other means may try again at once. */
    forgive: (email: string) => signInByAccount.clear(email),
    forget: <T>(email: string, address: string, work: () => Promise<T>): Promise<T> =>
      forgetByNetwork.attempt(clientNetwork(address), countAll, () => forgetByAccount.attempt(email, countAll, work)),
    /**
     * A registration, or a guest. Both are counted by the address too: registering and erasing in a loop must not flood a
     * stranger's mailbox, nor guests made in a loop the account of whoever owns the address.
     */
    registration: <T>(
      { email, guest }: { email: string | undefined; guest: boolean },
      address: string,
      work: () => Promise<T>,
    ): Promise<T> =>
      registrationByNetwork.attempt(clientNetwork(address), countAll, () =>
        email === undefined
          ? work()
          : (guest ? guestsByAddress : registrationByAccount).attempt(email, countSuccesses, work),
      ),
    /** Work that writes to a customer; to an address nobody has confirmed only so often, past that without the letter. */
    async letterTo<T>(
      { Email, EmailVerified }: { Email: string; EmailVerified: boolean },
      work: (maySend: boolean) => Promise<T>,
    ): Promise<T> {
      if (EmailVerified) return work(true);
      try {
        return await unconfirmedLetters.attempt(Email, countAll, () => work(true));
      } catch (error) {
        if (error instanceof Refusal && error.code === "too_many") return work(false);
        throw error;
      }
    },
    /** A guess at a link's token. */
    linkGuess: failuresOf(limit("link", { points: 100, seconds: 15 * minute })),
    /** A proof of a provider, which costs a question to them. */
    socialProof: failuresOf(limit("social-proof", { points: 100, seconds: 15 * minute })),
    nonce: callsOf(limit("social-nonce", { points: 300, seconds: minute })),
    emailAvailable: callsOf(limit("email-available", { points: 60, seconds: minute })),
    /** By the address that is written to: a stranger can make any number of guests with it. */
    resend: <T>(email: string, work: () => Promise<T>) => resends.attempt(email, countAll, work),
    passwordChange: changesOf(limit("password-change", { points: 5, seconds: hour })),
    socialLink: changesOf(limit("social-link", { points: 10, seconds: hour })),
  };
}

export type IdentityLimits = ReturnType<typeof identityLimits>;

/** By client address. */
const callsOf =
  (limit: Limit) =>
  <T>(address: string, work: () => Promise<T>): Promise<T> =>
    limit.attempt(clientNetwork(address), countAll, work);
const failuresOf =
  (limit: Limit) =>
  <T>(address: string, work: () => Promise<T>): Promise<T> =>
    limit.attempt(clientNetwork(address), countRefusals, work);
/** By customer: a refused change is none. */
const changesOf =
  (limit: Limit) =>
  <T>(customerId: number, work: () => Promise<T>): Promise<T> =>
    limit.attempt(String(customerId), countSuccesses, work);
