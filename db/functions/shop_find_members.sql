-- Finds members by card, voucher, e-mail address or phone number, or by a code that is a card, else a voucher, else a receipt of the shop: failed attempts and look-ups by address or phone are counted, and
-- each member found is logged. Of one phone confirmed members come first, and the others never hide them: of more than three
-- in all only the confirmed ones are shown, of more than three confirmed ones no one. Outcomes: done, receipt, not_found, too_many. The log may lose
-- its last moment in a crash, so the look-up does not wait for the disk. The counts are read again under a lock: of many
-- look-ups at once, each would see those of before.
-- Called by src/till/customers/identify.server.ts.
create or replace function shop_find_members(
  the_prefix text, the_shop integer, the_staff integer, the_failed_attempts integer, the_by_contact integer,
  max_failed_attempts integer, most_by_contact integer, the_kind text, the_value text, the_entry_mode text, moment timestamptz,
  out outcome text, out members jsonb
) language plpgsql as $$
declare
  found_ids bigint[];
  card_replaced boolean;
  by_code boolean := the_kind = 'code';
  the_code text;
begin
  perform set_config('synchronous_commit', 'off', true);
  select u.failed_attempts, u.by_contact into the_failed_attempts, the_by_contact
  from shop_key_use u where u.prefix = the_prefix for update;
  if the_failed_attempts >= max_failed_attempts or (the_kind in ('email', 'phone') and the_by_contact >= most_by_contact) then
    outcome := 'too_many';
    return;
  end if;
  if by_code and exists (select from loyalty_card c where c.number = the_value) then
    the_kind := 'card';
  elsif by_code then
    the_kind := 'voucher';
  end if;
  if the_kind = 'voucher' then
    the_code := upper(the_value);
  end if;
  if the_kind = 'card' then
    select array_agg(c.customer_id), bool_or(c.replaced_at is not null) into found_ids, card_replaced
    from loyalty_card c where c.number = the_value;
  elsif the_kind = 'voucher' then
    select array_agg(c.customer_id) into found_ids from loyalty_voucher_code c where c.code = the_code;
  elsif the_kind = 'email' then
    select array_agg(c.customer_id) into found_ids from customer_email c where c.email = the_value;
  else
    select array_agg(s.id order by not s.confirmed, s.id) into found_ids from (
      select c.id, c.confirmed, count(*) over () <= 3
        or c.confirmed and count(*) filter (where c.confirmed) over () <= 3 as is_shown
      from (
        select c.id, c.email_verified_at is not null as confirmed
        from customer c join loyalty_account a on a.customer_id = c.id and a.state = 'active'
        where c.mobile_phone = the_value and not c.guest
        order by c.email_verified_at is null, c.id limit 4) c) s
    where s.is_shown;
  end if;
  select jsonb_agg(m.member || jsonb_build_object(
      'blocked', (m.member ->> 'blocked')::boolean or coalesce(card_replaced, false),
      'confirmed', c.email_verified_at is not null, 'memberSince', a.member_since, 'cardNumber', a.card_number, 'foundBy', the_kind,
      'vouchers', case when the_kind in ('card', 'voucher')
        then shop_vouchers(m.id, case when the_kind = 'voucher' then array[the_code] else '{}' end, moment) end)
      order by m.place)
  into members
  from (
    select id, place, shop_member(id, club_day(moment), moment) as member
    from unnest(found_ids) with ordinality found (id, place)) m
  join customer c on c.id = m.id
  join loyalty_account a on a.customer_id = m.id
  where m.member is not null;

  if members is null and by_code and exists (
    select from shop_receipt r where r.shop_id = the_shop and r.number = the_value)
  then
    outcome := 'receipt';
    return;
  end if;
  if members is null or the_kind in ('email', 'phone') then
    update shop_key_use u set
      failed_attempts = u.failed_attempts + case when members is null then 1 else 0 end,
      by_contact = u.by_contact + case when the_kind in ('email', 'phone') then 1 else 0 end
    where u.prefix = the_prefix;
  end if;
  if members is null then
    outcome := 'not_found';
    return;
  end if;
  insert into shop_look_up (customer_id, at, key_prefix, shop_id, found_by, entry_mode, staff_id)
  select (member ->> 'id')::bigint, moment, the_prefix, the_shop, the_kind, the_entry_mode, the_staff
  from jsonb_array_elements(members) member;
  outcome := 'done';
end $$;
