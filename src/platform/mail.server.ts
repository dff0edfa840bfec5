import type { Locale } from "#i18n/locale.ts";
import type { Queries } from "./database.server.ts";

/** A letter in words; its looks are the mail's own affair. */
export interface Letter {
  subject: string;
  preheader: string;
  title: string;
  paragraphs: string[];
  action?: { label: string; url: string };
  footnote?: string;
}

export interface Mail {
  /** The same cause sends one mail. */
  cause: string;
  customerId?: number;
  to: string;
  locale: Locale;
  letter: Letter;
}

/** Queues a mail in the transaction of its cause. Nothing carries mails yet. */
export async function queueMail(_queries: Queries, _mail: Mail): Promise<void> {}
