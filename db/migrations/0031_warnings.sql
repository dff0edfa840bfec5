-- Up to when a customer has been told what ends: points, vouchers, a status; once when it is near (30 days) and once when it
-- is very near (7). loyalty_account.warned_until, which knew the first letter about points alone, is unused since.
create table loyalty_warning (
  customer_id bigint not null references customer on delete cascade,
  subject text not null check (subject in ('points', 'voucher', 'status')),
  days integer not null check (days > 0),
  until timestamptz not null,
  primary key (customer_id, subject, days)
);

insert into loyalty_warning (customer_id, subject, days, until)
select a.customer_id, 'points', 30, a.warned_until
from loyalty_account a join customer c on c.id = a.customer_id where a.warned_until is not null;

-- Whom customers ask: shown on the help page. Absent, the page leads to the web shop's own.
alter table loyalty_programme
  add column contact_email text,
  add column contact_phone text,
  add column contact_hours three_languages;

update loyalty_tier set benefits = replace(benefits::text, 'Kostenlose Änderungen vom Schneider', 'Kostenlose Änderungsschneiderei')::jsonb
where benefits::text like '%Kostenlose Änderungen vom Schneider%';
