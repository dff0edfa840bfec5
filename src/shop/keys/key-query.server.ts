/** What a statement adds to the check of a key, as SQL. */
interface Added {
  /** Further parts of the WITH, which may use `key`. */
  parts: string;
  /** Unknown codes and look-ups by address or phone that this call counts, from the rows of `key`. */
  misses: string;
  byContact: string;
  /** Whether the call is one too many, from the rows of `counted`. */
  tooMany: string;
}

const nothing: Added = { parts: "", misses: "0", byContact: "0", tooMany: "false" };

/**
 * The check of a key as parts of a WITH, so that a call by key can be one statement: `key` has a row where the key is
 * valid, with its counts before this call; `counted` has the counts of the minute after it; `checked` has the shop and the
 * outcome: done, scope_missing or too_many. The key's last use is written at most once an hour.
 * Parameters: $1 prefix, $2 hash of the secret, $3 moment, $4 scopes that the call needs, $5 calls allowed in a minute.
 */
export const keyQuery = ({ parts, misses, byContact, tooMany }: Added = nothing) => `
  key as materialized (
    select k.prefix, k.shop_id, k.scopes, k.scopes @> $4::text[] as may_call,
      k.used_at is null or k.used_at < $3::timestamptz - interval '1 hour' as is_new_use,
      coalesce(u.calls, 0) as calls, coalesce(u.misses, 0) as misses, coalesce(u.by_contact, 0) as by_contact
    from shop_key k
    left join shop_key_use u on u.prefix = k.prefix and u.minute = date_trunc('minute', $3::timestamptz)
    where k.prefix = $1 and k.secret_hash = $2 and k.kind = 'key'
      and k.revoked_at is null and (k.ends_at is null or k.ends_at > $3)
  ), ${parts}
  counted as (
    insert into shop_key_use as u (prefix, minute, calls, misses, by_contact)
    select prefix, date_trunc('minute', $3::timestamptz), 1, ${misses}, ${byContact} from key
    on conflict (prefix) do update set
      minute = excluded.minute,
      calls = excluded.calls + case when u.minute = excluded.minute then u.calls else 0 end,
      misses = excluded.misses + case when u.minute = excluded.minute then u.misses else 0 end,
      by_contact = excluded.by_contact + case when u.minute = excluded.minute then u.by_contact else 0 end
    returning u.calls, u.misses, u.by_contact
  ), checked as (
    select key.prefix, key.shop_id, key.scopes, key.is_new_use, counted.misses,
      case when not key.may_call then 'scope_missing'
        when counted.calls > $5::integer or ${tooMany} then 'too_many'
        else 'done' end as outcome
    from key, counted
  ), used as (
    update shop_key k set used_at = $3
    from checked where k.prefix = checked.prefix and checked.is_new_use and checked.outcome = 'done'
  )`;
