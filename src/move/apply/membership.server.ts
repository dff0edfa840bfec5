import { existed } from "./batch.server.ts";

/** Thirteen digits of the range for shops with the right check digit: no other number can be drawn as a barcode. */
const isEan = `case when c.card_number ~ '^29\\d{11}$' then (
  select sum(substr(c.card_number, n, 1)::integer * case when n % 2 = 0 then 3 else 1 end)
  from generate_series(1, 13) n) % 10 = 0 end`;

/** Accounts of the club, their cards, and the event that tells shops of them. */
export const addMembers: string[] = [
  `with joined as (
     insert into loyalty_account (customer_id, programme_id, state, member_since, left_at, card_number, balance)
     select b.customer_id, n.programme_id, case when b.left_at is null then 'active' else 'left' end, b.joined_at, b.left_at,
       coalesce(main.card_number, b.new_card), case when ${existed} then 0 else coalesce((
         select sum(l.points) from stage_lots l
         where l.source_id = b.source_id and coalesce(l.available_at, n.taken_at) <= n.taken_at), 0) end
     from batch b cross join stage_now n
     left join lateral (select c.card_number from stage_cards c
       where c.source_id = b.source_id and c.main and ${isEan} limit 1) main on true
     where b.joined_at is not null and b.account is null
     returning customer_id, state, member_since, card_number),
   numbers as (
     insert into loyalty_card (number, customer_id) select card_number, customer_id from joined on conflict do nothing),
   metrics as (
     insert into metric_delta (day, metric, part, count, amount)
     select club_day(member_since), 'joined', 0, count(*), 0 from joined where state = 'active' group by 1),
   numbered as (
     insert into webhook_customer as c (customer_id, sequence, tier_id)
     select j.customer_id, 1, b.tier_id from joined j join batch b using (customer_id) where j.state = 'active'
     on conflict (customer_id) do update set sequence = c.sequence + 1 returning customer_id, sequence),
   told as (
     insert into webhook_event (type, customer_id, sequence, payload)
     select 'member.imported', customer_id, sequence,
       jsonb_build_object('IdCustomer', c.subject, 'IdLoyaltyProgram', n.programme_id)
     from numbered join customer c on c.id = customer_id cross join stage_now n returning id)
   insert into webhook_delivery (event_id, endpoint_id)
   select t.id, e.id from told t cross join webhook_endpoint e
   where e.disabled_at is null and (e.events is null or 'member.imported' = any (e.events))`,
  `select graphile_worker.add_job('shop:webhook', json_build_object('endpoint', id), max_attempts => 450)
   from webhook_endpoint where disabled_at is null and (events is null or 'member.imported' = any (events))`,
  `update batch b set account = case when left_at is null then 'active' else 'left' end
   where b.account is null and b.joined_at is not null`,

  `insert into loyalty_card (number, customer_id)
   select c.card_number, b.customer_id from batch b join stage_cards c using (source_id) where b.account is not null
   on conflict do nothing`,

  `insert into loyalty_welcome (person, given_at)
   select loyalty_person(b.email), min(coalesce(b.joined_at, n.taken_at)) from batch b cross join stage_now n
   where coalesce(b.welcome_given, b.joined_at is not null) and b.email not like '%@no-address.invalid'
   group by 1 on conflict do nothing`,
];
