-- Trigger function: points.earned and points.taken. The cause of a sale or a return names its shop and receipt.
-- Called by the trigger loyalty_entry_tells on loyalty_entry.
create or replace function webhook_entry() returns trigger language plpgsql as $$
declare
  receipt text[] := regexp_match(new.cause, '^(?:undo:)?(?:purchase|return|exchange|void|amend):(\d{1,9}):(.+)$');
begin
  perform webhook_write(
    case when new.points > 0 then 'points.earned' else 'points.taken' end, new.customer_id, receipt[1]::integer,
    jsonb_build_object(
      'IdCustomer', new.customer_id, 'IdEntry', new.id, 'Kind', new.kind, 'Points', abs(new.points),
      'Balance', new.balance, 'ExpiresAt', webhook_time(new.expires_at), 'IdShop', receipt[1]::integer,
      'ReceiptNumber', receipt[2]));
  return null;
end $$;
