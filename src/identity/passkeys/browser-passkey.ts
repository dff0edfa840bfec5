/** Whether this browser can use passkeys as the API's JSON describes them. */
export function supportsPasskeys(): boolean {
  return typeof PublicKeyCredential !== "undefined" && "parseRequestOptionsFromJSON" in PublicKeyCredential;
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
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return JSON.stringify(await navigator.credentials.get({ publicKey, mediation, signal }));
}

/** Makes a passkey on this device, or on one that the customer chooses. */
export async function makePasskey(options: Options): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return JSON.stringify(await navigator.credentials.create({ publicKey }));
}
