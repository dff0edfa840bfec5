import { existed, ofKnown, type Statement } from "./batch.server.ts";

/** Open vouchers: an entry of no points each, so that the history tells of them. */
export const addVouchers: Statement[] = [
  `with written as (
     insert into loyalty_entry (customer_id, at, kind, points, balance, cause, recorded_at)
     select b.customer_id, coalesce(v.issued_at, n.taken_at), 'import_voucher', 0, a.balance,
       'import-voucher:' || n.source || ':' || v.code, n.booked_at
     from batch b join stage_vouchers v using (source_id) join loyalty_account a on a.customer_id = b.customer_id
     cross join stage_now n
     where not (${existed}) or not exists (select from loyalty_voucher_code c where c.code = v.code)
     order by b.customer_id, v.line returning customer_id, id, at, cause
   ), made as (
     insert into loyalty_voucher (customer_id, id, code, points, amount_cents, minimum_cents, obtained_at, expires_at)
     select w.customer_id, w.id, v.code, 0, v.amount, v.minimum_basket, w.at, v.expires_at
     from written w cross join stage_now n
     join stage_vouchers v on v.code = substr(w.cause, length('import-voucher::' || n.source) + 1)
     returning customer_id, code, amount_cents, obtained_at, expires_at
   ), metrics as (
     insert into metric_delta (day, metric, part, count, amount)
     select club_day(obtained_at), 'voucher_import_voucher', 0, count(*), sum(amount_cents) from made group by 1
     union all select club_day(expires_at), 'voucher_open', 0, count(*), sum(amount_cents) from made group by 1
   )
   insert into loyalty_voucher_code (code, customer_id) select code, customer_id from made`,
  // Those that the old club no longer lists were used there.
  ofKnown(`update loyalty_voucher v set used_at = n.taken_at, used_recorded_at = n.booked_at
   from batch b cross join stage_now n
   join move_member k on k.source = n.source
   where b.fate = 'known' and k.source_id = b.source_id and v.customer_id = b.customer_id
     and exists (select from loyalty_entry e where e.customer_id = v.customer_id and e.id = v.id
       and e.cause = 'import-voucher:' || n.source || ':' || v.code)
     and v.used_at is null and v.expires_at > n.taken_at and v.obtained_at <= n.taken_at
     and not exists (select from stage_vouchers s where s.code = v.code)
     and not exists (select from loyalty_voucher_use u where u.code = v.code)
     and not exists (select from loyalty_voucher_hold h where h.code = v.code)
     and not exists (select from loyalty_voucher_cancel x where x.code = v.code)`),
];
