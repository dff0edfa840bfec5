import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportPKCS8, generateKeyPair, jwtVerify } from "jose";
import { afterAll } from "vitest";

interface Update {
  objectId: string;
  body: Record<string, unknown>;
}

/**
 * A fake Google Wallet over real HTTP: has the service account's public key alone, issues a token for a valid assertion,
 * and accepts updates with that token. For tests.
 */
export async function openTestGoogle() {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const account = { client_email: "wallet@club.iam.example", private_key_id: "key-1" };
  const updates: Update[] = [];
  const assertions: object[] = [];
  let status = 200;
  let held: Promise<void> | undefined;
  let waiting = 0;

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const respond = (code: number, json: object) => {
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(json));
    };
    if (request.method === "POST" && request.url === "/token") {
      const form = new URLSearchParams(body);
      const read = await jwtVerify(form.get("assertion") ?? "", publicKey, {
        issuer: account.client_email,
        audience: `${url}/token`,
        algorithms: ["RS256"],
        requiredClaims: ["exp", "iat"],
      }).catch(() => undefined);
      const granted = form.get("grant_type") === "urn:ietf:params:oauth:grant-type:jwt-bearer" && read;
      if (!granted) return respond(400, { error: "invalid_grant" });
      assertions.push({ ...read.payload, kid: read.protectedHeader.kid });
      return respond(200, { access_token: "token-1", expires_in: 3_599, token_type: "Bearer" });
    }
    const [, id] = /^\/walletobjects\/v1\/loyaltyObject\/(.+)$/.exec(request.url ?? "") ?? [];
    if (request.method !== "PATCH" || !id) return respond(404, {});
    if (request.headers.authorization !== "Bearer token-1") return respond(401, {});
    waiting += 1;
    await held;
    waiting -= 1;
    if (status === 200) updates.push({ objectId: decodeURIComponent(id), body: JSON.parse(body) });
    return respond(status, {});
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url,
    publicKey,
    updates,
    assertions,
    /** The service account's key file, as Google issues it. */
    keyFile: JSON.stringify({
      type: "service_account",
      ...account,
      private_key: await exportPKCS8(privateKey),
      token_uri: "https://elsewhere.example/token",
    }),
    answerWith(code: number) {
      status = code;
    },
    /** Delays the responses to updates from here on, until they are released. */
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = () => {
          held = undefined;
          resolve();
        };
      });
      return { release, waiting: () => waiting };
    },
  };
}
