import type { AuthDataResponse } from "#identity/customer/responses.server.ts";
import { form, freshEmail } from "#testing/people.server.ts";

interface Product {
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

export interface Person {
  Email: string;
  Firstname: string;
  Lastname: string;
}

export const freshPerson = (changes: Partial<Person> = {}): Person => ({
  Email: freshEmail("alix"),
  Firstname: "Alix",
  Lastname: "Moreau",
  ...changes,
});

/** Social sign-ins without a browser: our nonce, a token of the sandbox's provider, our API call. */
export function socialTools({ fetch }: Product) {
  const post = async (path: string, fields: object) => (await fetch(path, form(fields))).json();

  /** A nonce, and the cookie of the browser it was given to. */
  async function askNonce(): Promise<{ Nonce: string; cookie: string }> {
    const response = await fetch("/api/customer/social/nonce", form({}));
    const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    return { Nonce: (await response.json()).Nonce, cookie };
  }

  /** What a browser holds after choosing an account at the Google-type provider. */
  async function googleProof(
    person: object = freshPerson(),
  ): Promise<{ fields: Record<string, string>; cookie: string }> {
    const { Nonce, cookie } = await askNonce();
    return { fields: await post("/sandbox/google/token", { Nonce, ...person }), cookie };
  }

  const facebookProof = (person: object = freshPerson()): Promise<Record<string, string>> =>
    post("/sandbox/facebook/token", person);

  const signInGoogle = ({ fields, cookie }: { fields: object; cookie: string }, headers: Record<string, string> = {}) =>
    fetch("/api/authentification/google", { ...form(fields), headers: { cookie, ...headers } });

  const signInFacebook = (fields: object, headers: Record<string, string> = {}) =>
    fetch("/api/authentification/facebook", { ...form(fields), headers });

  /** Signs in and returns AuthData; anything but 200 fails the test. */
  async function enterGoogle(person?: object) {
    return authData(await signInGoogle(await googleProof(person)));
  }
  async function enterFacebook(person?: object) {
    return authData(await signInFacebook(await facebookProof(person)));
  }

  return { askNonce, googleProof, facebookProof, signInGoogle, signInFacebook, enterGoogle, enterFacebook };
}

async function authData(response: Response) {
  const body = await response.json();
  if (response.status !== 200) throw new Error(`Refused: ${JSON.stringify(body)}`);
  return body.AuthData as AuthDataResponse["AuthData"];
}
