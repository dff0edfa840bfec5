import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Queries } from "./database.server.ts";

/** A letter's words, before any layout. */
export interface Letter {
  subject: string;
  preheader: string;
  title: string;
  paragraphs: string[];
  action?: { label: string; url: string };
  footnote?: string;
}

export interface Mail {
  /** What made it necessary; one cause, one mail. */
  cause: string;
  customerId?: number;
  to: string;
  locale: Locale;
  letter: Letter;
}

/** Keeps the mail in the caller's transaction; the sender of this table comes with the mail server. */
export async function queueMail(queries: Queries, mail: Mail): Promise<void> {
  await queries.execute(sql`
    do $$ begin
      perform pg_advisory_xact_lock(4301);
      create table if not exists unsent_mail (
        id bigint generated always as identity, cause text primary key, recipient text not null, mail jsonb not null);
    end $$`);
  await queries.execute(sql`
    insert into unsent_mail (cause, recipient, mail) values (${mail.cause}, ${mail.to}, ${JSON.stringify(mail)})
    on conflict do nothing`);
}
