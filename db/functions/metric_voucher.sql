-- Trigger function: vouchers obtained, given and reissued; and those not used, by the day on which they end. The copy that a
-- merge makes stands for the old one. Those of a campaign are counted for it too; one that replaces a used one takes back
-- what that took off. Called by the triggers loyalty_voucher_counts and loyalty_voucher_ends on
-- loyalty_voucher.
create or replace function metric_voucher() returns trigger language plpgsql as $$
declare
  entry loyalty_entry;
begin
  if tg_op = 'UPDATE' then
    insert into metric_delta (day, metric, part, count, amount)
    values (club_day(new.used_at), 'voucher_used', 0, 1, new.amount_cents),
      (club_day(new.expires_at), 'voucher_open', 0, -1, -new.amount_cents);
    return null;
  end if;
  select * into entry from loyalty_entry e where e.customer_id = new.customer_id and e.id = new.id;
  if not entry.copied then
    insert into metric_delta (day, metric, part, count, amount)
    values (club_day(new.obtained_at), 'voucher_' || entry.kind, 0, 1, new.amount_cents),
      (club_day(new.expires_at), 'voucher_open', 0, 1, new.amount_cents);
    if new.campaign_id is not null then
      insert into metric_delta (day, metric, part, count, amount)
      select club_day(new.obtained_at), 'campaign_voucher', new.campaign_id, 1, new.amount_cents where entry.kind = 'gift'
      union all
      select club_day(new.obtained_at), 'campaign_used', new.campaign_id, -1, -u.taken_cents
      from loyalty_voucher_use u where entry.kind = 'reissue' and u.code = substr(entry.cause, length('reissue:') + 1);
    end if;
  end if;
  return null;
end $$;
