import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { test as base, expect } from "./browser.ts";
import { createProcesses, portOf } from "./processes.ts";

/** The product with a real mail server behind it, and the emails that server has received. */
interface Mailed {
  url: string;
  /** The link in the newest email of this subject to this address, once it has arrived. */
  link(to: string, subject: string): Promise<string>;
}

/**
 * A journey whose mail goes over SMTP, as it does in production. Its product is the test's own: kept for a worker, it would
 * end that worker's browser before and after each such test.
 */
export const testMailed = base.extend<{ mailed: Mailed }>({
  mailed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it hands in from this pattern.
    async ({}, use, info) => {
      const received: Email[] = [];
      const { dataFolder, start, clear } = createProcesses();
      const smtp = new SMTPServer({
        disabledCommands: ["STARTTLS", "AUTH"],
        async onData(stream, _session, answer) {
          const chunks: Buffer[] = [];
          for await (const chunk of stream) chunks.push(chunk);
          received.push(await PostalMime.parse(Buffer.concat(chunks).toString()));
          answer(null);
        },
      });
      const listening = smtp.listen(0, "127.0.0.1");
      await new Promise((resolve) => listening.once("listening", resolve));
      const { port: smtpPort } = listening.address() as AddressInfo;
      const port = portOf(90 + info.parallelIndex);
      await start({
        PORT: String(port),
        DATA_DIR: await dataFolder(),
        RATE_LIMITS: "off",
        SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
        MAIL_FROM: "Cercle <club@cercle.example>",
      });
      await use({
        url: `http://localhost:${port}`,
        async link(to, subject) {
          let found: string | undefined;
          await expect(() => {
            const email = received.findLast((mail) => mail.to?.[0]?.address === to && mail.subject === subject);
            expect(email?.html).toContain("<html");
            found = email?.text?.match(/https?:\/\/\S+token=\S+/)?.[0];
            expect(found).toBeTruthy();
          }).toPass();
          return found ?? "";
        },
      });
      await clear();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
    // Beside the test's own time: the first product of a run makes the database that the others copy.
    { timeout: 120_000 },
  ],
  baseURL: async ({ mailed }, use) => use(mailed.url),
});
