import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import nodemailer from "nodemailer";
import { z } from "zod";
import type { Locale } from "#i18n/locale.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { type Jobs, queueJob } from "#platform/jobs/jobs.server.ts";
import { type EmailContent, emailHtml, emailText } from "./email.server.tsx";
import { mails } from "./mail.tables.server.ts";

export type { EmailContent } from "./email.server.tsx";

export interface Mail {
  /** What made us write, for example `welcome:42`: the same cause twice is one email. Nothing personal. */
  cause: string;
  /** Erasing this customer deletes the email. An email about the erasure itself has none. */
  customerId?: number;
  to: string;
  locale: Locale;
  content: EmailContent;
  /** Until then it can be withdrawn. */
  notBefore?: Date;
}

const sendJob = "mail:send";
/** One address and nothing around it: no name, no list, no line break can become a second recipient or a header. */
const oneAddress = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()\\,;"\p{C}]+$/u;
const lineBreaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Writes an email in the transaction of its cause. A job sends it afterwards, with retries while the mail server is down. */
export async function queueMail(queries: Queries, mail: Mail): Promise<void> {
  if (!oneAddress.test(mail.to)) throw new Error("A letter goes to one plain address.");
  const [written] = await queries
    .insert(mails)
    .values({
      cause: mail.cause,
      customerId: mail.customerId ?? null,
      locale: mail.locale,
      recipient: mail.to,
      subject: mail.content.subject.replace(lineBreaks, " ").trim(),
      html: emailHtml(mail.content, mail.locale),
      plainText: emailText(mail.content, mail.locale),
      unsubscribeUrl: mail.content.unsubscribe?.url ?? null,
    })
    .onConflictDoNothing({ target: mails.cause })
    .returning({ id: mails.id });
  // A job key may run again once its job is done, so it is the row that makes the email unique.
  if (written) await queueJob(queries, sendJob, { mail: written.id }, mail.notBefore ? { runAt: mail.notBefore } : {});
}

/** Deletes emails of which nothing was sent yet: what they tell is no longer so. */
export async function withdrawMails(queries: Queries, causes: string[]): Promise<void> {
  await queries.delete(mails).where(and(inArray(mails.cause, causes), isNull(mails.messageId)));
}

const Payload = z.object({ mail: z.number() });
const wiped = { recipient: null, subject: null, html: null, plainText: null, unsubscribeUrl: null };

/** Sends emails through the mail server; without one, the sandbox's mailbox shows what would have been sent. */
export function mailJobs(options: { smtpUrl: string | undefined; from: string }): Jobs {
  const send = options.smtpUrl ? sender(options.smtpUrl, options.from) : undefined;
  const domain = options.from.replace(/^.*@|[>\s]+$/g, "");
  return {
    async [sendJob](payload, database) {
      const { mail: id } = Payload.parse(payload);
      const waiting = and(eq(mails.id, id), isNull(mails.sentAt), isNull(mails.refusedAt));
      // The Message-ID is stored before the first attempt, so that a retry has the same one and can be recognised.
      const [email] = await database
        .update(mails)
        .set({ messageId: sql`coalesce(${mails.messageId}, ${`<${randomUUID()}@${domain}>`})` })
        .where(waiting)
        .returning();
      // Sent by an earlier run, or erased with its customer.
      if (!email) return;
      // A member who moved here without an address has one of this domain, which is reserved for no one (RFC 2606).
      const reachable = !email.recipient?.endsWith(".invalid");
      const outcome = !reachable ? "refused" : send ? await send(email) : "shown";
      const now = sql`now()`;
      await database
        .update(mails)
        .set(
          outcome === "shown"
            ? { sentAt: now }
            : outcome === "accepted"
              ? { sentAt: now, ...wiped }
              : { refusedAt: now, ...wiped },
        )
        .where(waiting);
    },
  };
}

/** The mail server did not accept an email. Only codes: the server's text repeats the address. */
class NotAccepted extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** The mailbox does not exist or has moved: a retry would change nothing. A relay or policy refusal (5.7.1) may be temporary. */
const noSuchMailbox = /^55[013][ -](?!\d\.\d+\.\d+)|^55[013][ -]5\.1\.\d+/;

function sender(smtpUrl: string, from: string) {
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    // Limits that the address may set otherwise, `?socketTimeout=60000`. No pool: a connection per email cannot go stale.
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // A password is not sent without encryption, unless the address says so: `?requireTLS=false`.
    requireTLS: new URL(smtpUrl).password !== "",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async (email: typeof mails.$inferSelect): Promise<"accepted" | "refused"> => {
    try {
      await transport.sendMail({
        from,
        to: { name: "", address: email.recipient ?? "" },
        subject: email.subject ?? "",
        html: email.html ?? "",
        text: email.plainText ?? "",
        messageId: email.messageId ?? "",
        date: email.queuedAt,
        headers: {
          ...{ "Content-Language": email.locale, "Auto-Submitted": "auto-generated" },
          ...(email.unsubscribeUrl && {
            "List-Unsubscribe": `<${email.unsubscribeUrl}>`,
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          }),
        },
      });
      return "accepted";
    } catch (error) {
      // Whatever went wrong, these are the fields nodemailer may have put on it.
      const { code, command, response = "" } = error as { code?: string; command?: string; response?: string };
      if (command === "RCPT TO" && noSuchMailbox.test(response)) return "refused";
      throw new NotAccepted(`${code ?? "unknown"} ${/^\d{3}/.exec(response) ?? ""}`.trim());
    }
  };
}
