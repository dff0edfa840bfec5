import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** CBOR (RFC 8949), as far as an authenticator needs it. */
function cbor(value: Cbor): Buffer {
  const head = (major: number, length: number) =>
    length < 24
      ? Buffer.from([(major << 5) | length])
      : length < 256
        ? Buffer.from([(major << 5) | 24, length])
        : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const flags = { present: 1, verified: 4, attested: 64 };

/** A passkey in software, as a phone makes it. For tests; browser tests use the browser's own virtual authenticator. */
export function createAuthenticator({
  origin,
  rpId = new URL(origin).hostname,
  verifies = true,
}: {
  origin: string;
  rpId?: string;
  /** Whether it asks for a finger, a face or a PIN. */
  verifies?: boolean;
}) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  let counter = 0;

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (extra = 0, attested = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const set = flags.present | (verifies ? flags.verified : 0) | extra;
    return Buffer.concat([sha256(rpId), Buffer.from([set]), count, attested]);
  };
  const respond = (response: Record<string, Buffer>) =>
    JSON.stringify({
      id: id.toString("base64url"),
      rawId: id.toString("base64url"),
      type: "public-key",
      clientExtensionResults: {},
      response: {
        ...Object.fromEntries(Object.entries(response).map(([name, value]) => [name, value.toString("base64url")])),
        ...("attestationObject" in response && { transports: ["internal", "hybrid"] }),
      },
    });

  return {
    /** The response to options for a new passkey. */
    create({ challenge }: { challenge: string }): string {
      const key = cbor(
        new Map<number, Cbor>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, "base64url")],
          [-3, Buffer.from(y, "base64url")],
        ]),
      );
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      return respond({
        clientDataJSON: clientData("webauthn.create", challenge),
        attestationObject: cbor(
          new Map<string, Cbor>([
            ["fmt", "none"],
            ["attStmt", new Map()],
            ["authData", authenticatorData(flags.attested, attested)],
          ]),
        ),
      });
    },
    /** The response to options to sign in. */
    get({ challenge }: { challenge: string }, { count = counter + 1 } = {}): string {
      counter = count;
      const data = authenticatorData();
      const client = clientData("webauthn.get", challenge);
      const signature = createSign("sha256")
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return respond({ clientDataJSON: client, authenticatorData: data, signature });
    },
  };
}
