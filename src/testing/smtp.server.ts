import { type AddressInfo, createServer } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll } from "vitest";

/** What the server says instead of yes: to the recipient's address, or after it has read the letter. */
export interface SmtpRefusal {
  at: "recipient" | "letter";
  code: number;
  text: string;
}

/** A real mail server of one's own, which can be taken down, made to refuse and asked what it heard. For tests. */
export async function openTestSmtp() {
  const heard: (Email & { raw: string; envelope: string[] })[] = [];
  let refusal: SmtpRefusal | undefined;
  let server: SMTPServer | undefined;
  const port = await freePort();

  const no = (said: SmtpRefusal) => Object.assign(new Error(said.text), { responseCode: said.code });

  async function up() {
    const listening = new SMTPServer({
      disabledCommands: ["STARTTLS", "AUTH"],
      onRcptTo(_address, _session, answer) {
        answer(refusal?.at === "recipient" ? no(refusal) : null);
      },
      async onData(stream, session, answer) {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk);
        const raw = Buffer.concat(chunks).toString();
        const envelope = session.envelope.rcptTo.map(({ address }) => address);
        heard.push({ ...(await PostalMime.parse(raw)), raw, envelope });
        answer(refusal?.at === "letter" ? no(refusal) : null);
      },
    });
    listening.on("error", () => {});
    await new Promise<void>((resolve) => {
      listening.listen(port, "127.0.0.1", () => resolve());
    });
    server = listening;
  }

  async function down() {
    const leaving = server;
    server = undefined;
    if (leaving) await new Promise<void>((resolve) => leaving.close(() => resolve()));
  }

  await up();
  afterAll(down);
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    /** Every letter the server read to its end, accepted or not. */
    heard,
    up,
    down,
    refuse(said: SmtpRefusal | undefined) {
      refusal = said;
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.listen(0, "127.0.0.1", () => resolve());
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
