-- Letters: each is written in the transaction of its cause and sent by a job afterwards.

create table mail (
  id bigint generated always as identity primary key,
  -- What made us write. One cause, one letter, ever: the row stays when its content is gone.
  cause text not null unique,
  -- Erasing the customer erases the letters, sent or not. A farewell that must outlive its customer names none.
  customer_id bigint references customer on delete cascade,
  locale text not null check (locale in ('fr', 'en', 'de')),
  -- The content holds links that are secrets: wiped once a mail server has taken the letter or refused it for good.
  recipient text,
  subject text,
  html text,
  plain_text text,
  -- Given at the first attempt and kept at every other, so that a letter sent twice can be told from two letters.
  message_id text,
  queued_at timestamptz not null default now(),
  sent_at timestamptz,
  refused_at timestamptz,
  check (sent_at is null or refused_at is null),
  check (
    num_nulls(recipient, subject, html, plain_text) = 0
    or (num_nonnulls(recipient, subject, html, plain_text) = 0 and num_nonnulls(sent_at, refused_at) = 1)
  )
);

create index mail_of_customer on mail (customer_id);
