import { type AddressInfo, createServer } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll } from "vitest";

/** How the server refuses: at the recipient's address, or after it has read the email. */
export interface SmtpRefusal {
  at: "recipient" | "letter";
  code: number;
  text: string;
}

/** A real SMTP server that can be stopped and made to refuse, and stores the emails it got. For tests. */
export async function openTestSmtp() {
  const received: (Email & { raw: string; envelope: string[] })[] = [];
  let refusal: SmtpRefusal | undefined;
  let server: SMTPServer | undefined;
  const port = await freePort();

  const errorOf = ({ text, code }: SmtpRefusal) => Object.assign(new Error(text), { responseCode: code });

  async function up() {
    const listening = new SMTPServer({
      disabledCommands: ["STARTTLS", "AUTH"],
      onRcptTo(_address, _session, respond) {
        respond(refusal?.at === "recipient" ? errorOf(refusal) : null);
      },
      async onData(stream, session, respond) {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk);
        const raw = Buffer.concat(chunks).toString();
        const envelope = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ ...(await PostalMime.parse(raw)), raw, envelope });
        respond(refusal?.at === "letter" ? errorOf(refusal) : null);
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
    /** Every email that was fully received, accepted or not. */
    received,
    up,
    down,
    refuse(next: SmtpRefusal | undefined) {
      refusal = next;
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
