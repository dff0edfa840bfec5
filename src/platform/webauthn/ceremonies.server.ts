import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { challengeMinutes, consumeChallenge, issueChallenge } from "./challenges.server.ts";

/*
 * The two ceremonies of WebAuthn, for customers and for staff: options with a challenge, and the check of what the browser
 * returned. Whose passkeys they are, and where those are stored, is the caller's concern.
 */

/** Who asks for a passkey: the site. Passkeys belong to its host name. */
export interface RelyingParty {
  name: string;
  publicUrl: URL;
}

/** What is stored of a passkey. */
export interface Credential {
  /** base64url. */
  id: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
}

const timeout = challengeMinutes * 60_000;

/** Loaded by the first ceremony: the library takes as long to load as the rest of the server. */
async function loadLibrary() {
  const library = await import("@simplewebauthn/server");
  // No attestation is asked for. Without root certificates none is checked either: that could fetch addresses out of a
  // certificate that a stranger has sent.
  for (const identifier of ["android-key", "android-safetynet", "apple"] as const)
    library.SettingsService.setRootCertificates({ identifier, certificates: [] });
  return library;
}
let loaded: ReturnType<typeof loadLibrary> | undefined;
const library = () => {
  loaded ??= loadLibrary();
  return loaded;
};

/** Options to create a passkey; `user.id` is opaque, and the same for all passkeys of one person. */
export async function registrationOptions(
  queries: Queries,
  { name, publicUrl }: RelyingParty,
  subject: string,
  user: {
    id: Uint8Array<ArrayBuffer>;
    name: string;
    displayName: string;
    known: Pick<Credential, "id" | "transports">[];
  },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: name,
    rpID: publicUrl.hostname,
    userID: user.id,
    userName: user.name,
    userDisplayName: user.displayName,
    challenge: await issueChallenge(queries, subject),
    timeout,
    attestationType: "none",
    excludeCredentials: user.known.map(({ id, transports }) => ({ id, transports })),
    // A passkey replaces address and password: it must know whose it is, and ask for a finger, a face or a PIN.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** Options to sign in. They name no passkey, so they tell nothing about anybody. */
export async function authenticationOptions(
  queries: Queries,
  { publicUrl }: RelyingParty,
  subject: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: publicUrl.hostname,
    challenge: await issueChallenge(queries, subject),
    timeout,
    userVerification: "required",
  });
}

/** The new passkey in a browser's response; refused when anything about it is wrong. */
export async function verifyRegistration(
  queries: Queries,
  party: RelyingParty,
  subject: string,
  text: string,
): Promise<Credential> {
  const { response, ...expected } = await openResponse<RegistrationResponseJSON>(queries, party, subject, text);
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await refuseErrors(verifyRegistrationResponse({ response, ...expected }));
  if (!registrationInfo) throw new Refusal("passkey_invalid");
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  const listed = Array.isArray(transports) ? transports : [];
  return { id, publicKey: Buffer.from(publicKey), counter, transports: listed.filter(isTransport).slice(0, 8) };
}

const isTransport = (text: unknown) => typeof text === "string" && /^[a-z-]{1,20}$/.test(text);

/** Checks a sign-in; `find` returns the stored passkey of an id. Returns it with its new counter. */
export async function verifyAuthentication<Found extends Credential>(
  queries: Queries,
  party: RelyingParty,
  subject: string,
  text: string,
  find: (credentialId: string) => Promise<Found | undefined>,
): Promise<Found> {
  const { response, ...expected } = await openResponse<AuthenticationResponseJSON>(queries, party, subject, text);
  const found = typeof response.id === "string" ? await find(response.id) : undefined;
  if (!found) throw new Refusal("passkey_invalid");
  const { verifyAuthenticationResponse } = await library();
  const credential = { id: found.id, publicKey: new Uint8Array(found.publicKey), counter: found.counter };
  const { verified, authenticationInfo } = await refuseErrors(
    verifyAuthenticationResponse({ response, credential, ...expected }),
  );
  if (!verified) throw new Refusal("passkey_invalid");
  return { ...found, counter: authenticationInfo.newCounter };
}

/** Reads a response as far as its challenge, and uses that up before anything else is looked at. */
async function openResponse<Response extends RegistrationResponseJSON | AuthenticationResponseJSON>(
  queries: Queries,
  { publicUrl }: RelyingParty,
  subject: string,
  text: string,
) {
  const { response, challenge } = parseResponse<Response>(text);
  if (!(await consumeChallenge(queries, subject, challenge))) throw new Refusal("passkey_invalid");
  return {
    response,
    expectedChallenge: challenge,
    expectedOrigin: publicUrl.origin,
    expectedRPID: publicUrl.hostname,
    requireUserVerification: true,
  };
}

function parseResponse<Response>(text: string): { response: Response; challenge: string } {
  try {
    const response = JSON.parse(text);
    const client = JSON.parse(Buffer.from(String(response.response.clientDataJSON), "base64url").toString());
    // The library looks at every other part of it, and throws at what it does not expect.
    return { response, challenge: String(client.challenge) };
  } catch {
    throw new Refusal("passkey_invalid");
  }
}

/** The library throws plain errors at a response that is malformed or does not verify. It asks no network and no database. */
async function refuseErrors<T>(verification: Promise<T>): Promise<T> {
  return verification.catch(() => {
    throw new Refusal("passkey_invalid");
  });
}
