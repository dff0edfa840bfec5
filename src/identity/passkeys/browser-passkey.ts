/** Whether this browser can use passkeys. */
export function supportsPasskeys(): boolean {
  return typeof PublicKeyCredential !== "undefined";
}

/** Whether it offers them in the autofill of a field (conditional mediation). */
export async function supportsAutofill(): Promise<boolean> {
  return supportsPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

/** The options as the API returns them: the browser checks what it needs of them. */
type Options = { challenge: string };

/** Asks the customer for a passkey; returns the response as JSON. Fails when they cancel. */
export async function requestPasskey(
  options: Options,
  { mediation, signal }: { mediation: CredentialMediationRequirement; signal: AbortSignal },
): Promise<string> {
  // The API's options name no passkeys, so the challenge is all there is to convert.
  const publicKey = { ...options, challenge: bytesOf(options.challenge) };
  return responseJson(await navigator.credentials.get({ publicKey, mediation, signal }));
}

/** Makes a passkey on this device, or on one that the customer chooses. */
export async function makePasskey(options: Options): Promise<string> {
  const { challenge, user, excludeCredentials = [], ...rest } = options as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = {
    ...rest,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map((known) => ({ ...known, id: bytesOf(known.id) })),
  } as PublicKeyCredentialCreationOptions;
  return responseJson(await navigator.credentials.create({ publicKey }));
}

/*
 * Binary fields are base64url in JSON. They are converted here, because Safari before 18.4 has neither
 * `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` nor `toJSON`.
 */

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function base64urlOf(buffer: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const binaryFields = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"] as const;

function responseJson(credential: Credential | null): string {
  const made = credential as PublicKeyCredential;
  const { id, type, response, authenticatorAttachment } = made;
  const fields = response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse;
  const binary = binaryFields.flatMap((name) => (fields[name] ? [[name, base64urlOf(fields[name])]] : []));
  return JSON.stringify({
    ...{ id, rawId: id, type, authenticatorAttachment, clientExtensionResults: made.getClientExtensionResults() },
    response: { ...Object.fromEntries(binary), transports: fields.getTransports?.() },
  });
}
