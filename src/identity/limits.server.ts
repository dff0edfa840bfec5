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

/** A guess at a password: of which account, and from where. */
interface Guess {
  email: string;
  address: string;
  /** The key of a device that has signed in to this account before. */
  device: string | undefined;
}

/**
 * Identity's rate limits, with the contract's numbers. They count by account above all: a whole shop or a carrier's
 * customers may share one client address, so by address only failures count, or the limit is far above normal use.
 */
export function identityLimits(limit: CreateLimit) {
  const signInByAccount = limit("sign-in-account", guesses);
  const signInByDevice = limit("sign-in-device", guesses);
  // Hundreds of people may be behind one address: many failures, and a wait that does not grow.
  const signInByNetwork = limit("sign-in-network", { points: 300, seconds: 15 * minute });
  const codeGuessByNetwork = limit("code-guess-network", { points: 300, seconds: hour });
  const forgetByAccount = limit("forget-account", { points: 5, seconds: hour });
  // Limits how many mails one client can cause.
  const forgetByNetwork = limit("forget-network", { points: 200, seconds: hour });
  const codeByAccount = limit("code-account", { points: 5, seconds: hour });
  const codeByNetwork = limit("code-network", { points: 200, seconds: hour });
  const registrationByNetwork = limit("registration", { points: 200, seconds: hour });
  const registrationByAccount = limit("registration-account", { points: 5, seconds: hour });
  const guestsByAddress = limit("guest-address", { points: 20, seconds: hour });
  const resends = limit("resend", { points: 5, seconds: hour });
  const unconfirmedEmails = limit("unconfirmed-letter", { points: 5, seconds: hour });

  return {
    /**
     * A guess at a password; only a wrong one counts. A device with a device cookie has a counter of its own: strangers
     * who guess from elsewhere must not lock its owner out, and its owner's sign-ins must not give them new guesses.
     */
    async passwordGuess({ email, address, device }: Guess, isRight: () => Promise<boolean>): Promise<boolean> {
      const [counter, key] = device ? [signInByDevice, device] : [signInByAccount, email];
      const guess = () => counter.attempt(key, whenWrong, isRight);
      // The address is counted first: one that must wait must not use up the account's attempts.
      const right = await (device ? guess() : signInByNetwork.attempt(clientNetwork(address), whenWrong, guess));
      // Clear the account's counter and not the address's: a guesser could clear that one by signing in to an own account.
      if (right) await counter.clear(key);
      return right;
    },
    /** For a person who has verified the address by other means: they may sign in at once. */
    clearGuesses: (email: string) => signInByAccount.clear(email),
    forget: <T>(email: string, address: string, work: () => Promise<T>): Promise<T> =>
      forgetByNetwork.attempt(clientNetwork(address), countAll, () => forgetByAccount.attempt(email, countAll, work)),
    /** A code that is mailed. Five codes of five tries each are all the guesses that an account gets in an hour. */
    codeSent: <T>(email: string, address: string, work: () => Promise<T>): Promise<T> =>
      codeByNetwork.attempt(clientNetwork(address), countAll, () => codeByAccount.attempt(email, countAll, work)),
    /** A use of a code. By network alone: counted by account, strangers could lock its owner out. */
    codeGuess: <T>(address: string, work: () => Promise<T>): Promise<T> =>
      codeGuessByNetwork.attempt(clientNetwork(address), countRefusals, work),
    /**
     * A registration, or a guest. Both are counted by email address too: registering and erasing in a loop must not flood
     * a stranger's mailbox, and guests made in a loop must not fill the account of the address's owner.
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
    /** Work that mails a customer. To an unverified address only so many mails are sent; past that the work runs without. */
    async emailTo<T>(
      { Email, EmailVerified }: { Email: string; EmailVerified: boolean },
      work: (maySend: boolean) => Promise<T>,
    ): Promise<T> {
      if (EmailVerified) return work(true);
      try {
        return await unconfirmedEmails.attempt(Email, countAll, () => work(true));
      } catch (error) {
        if (error instanceof Refusal && error.code === "too_many") return work(false);
        throw error;
      }
    },
    /** A use of a link's token; only a failed one counts. */
    linkGuess: failuresOf(limit("link", { points: 100, seconds: 15 * minute })),
    /** A check of a provider's proof, which costs a request to the provider; only a failed one counts. */
    socialProof: failuresOf(limit("social-proof", { points: 100, seconds: 15 * minute })),
    passkeyOptions: callsOf(limit("passkey-options", { points: 300, seconds: minute })),
    passkeyGuess: failuresOf(limit("passkey", { points: 100, seconds: 15 * minute })),
    nonce: callsOf(limit("social-nonce", { points: 300, seconds: minute })),
    emailAvailable: callsOf(limit("email-available", { points: 60, seconds: minute })),
    /** By the address that is mailed: a stranger can register any number of guests with it. */
    resend: <T>(email: string, work: () => Promise<T>) => resends.attempt(email, countAll, work),
    passwordChange: changesOf(limit("password-change", { points: 5, seconds: hour })),
    emailChange: changesOf(limit("email-change", { points: 5, seconds: hour })),
    passkeyAdded: changesOf(limit("passkey-added", { points: 10, seconds: hour })),
    socialLink: changesOf(limit("social-link", { points: 10, seconds: hour })),
  };
}

export type IdentityLimits = ReturnType<typeof identityLimits>;

/** By client network. */
const callsOf =
  (limit: Limit) =>
  <T>(address: string, work: () => Promise<T>): Promise<T> =>
    limit.attempt(clientNetwork(address), countAll, work);
const failuresOf =
  (limit: Limit) =>
  <T>(address: string, work: () => Promise<T>): Promise<T> =>
    limit.attempt(clientNetwork(address), countRefusals, work);
/** By customer; a refused change does not count. */
const changesOf =
  (limit: Limit) =>
  <T>(customerId: number, work: () => Promise<T>): Promise<T> =>
    limit.attempt(String(customerId), countSuccesses, work);
