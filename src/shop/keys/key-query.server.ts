import { type SQL, sql } from "drizzle-orm";

/** What a statement adds to the check of a key. */
interface Added {
  /** Further common table expressions, which may read `key`. */
  parts: SQL;
  /** Unknown codes and look-ups by address or phone that this call counts, from the rows of `key`. */
  failedAttempts: SQL;
  byContact: SQL;
  /** Whether the call is one too many, from the rows of `counted`. */
  tooMany: SQL;
}

const nothing: Added = { parts: sql``, failedAttempts: sql`0`, byContact: sql`0`, tooMany: sql`false` };

/** The values that the check of a key needs (keys.server.ts#keyValues). */
export interface KeyValues {
  prefix: string;
  secretHash: Buffer;
  now: string;
  scopes: readonly string[];
  maxCalls: number;
  maxWebCalls: number;
}

const given = (name: keyof KeyValues) => sql.placeholder(name);
/** The moment of the call. */
export const now = sql`${given("now")}::timestamptz`;

/**
 * The check of a key as parts of a WITH, so that a call by key can be one statement: `key` has a row where the key is
 * valid, with its counts before this call; `counted` has the counts of the minute after it; `checked` has the shop and the
 * outcome: done, scope_missing or too_many. The key's last use is written at most once an hour.
 */
export const keyQuery = ({ parts, failedAttempts, byContact, tooMany }: Added = nothing) => sql`
  key as materialized (
    select k.prefix, k.shop_id, k.api, s.kind = 'web' as web, s.name as shop_name, k.scopes, k.scopes @> ${given("scopes")}::text[] as may_call,
      k.used_at is null or k.used_at < ${now} - interval '1 hour' as is_new_use,
      case when s.kind = 'web' then ${given("maxWebCalls")}::integer else ${given("maxCalls")}::integer end as max_calls,
      coalesce(u.calls, 0) as calls, coalesce(u.failed_attempts, 0) as failed_attempts, coalesce(u.by_contact, 0) as by_contact
    from shop_key k join shop s on s.id = k.shop_id
    left join shop_key_use u on u.prefix = k.prefix and u.minute = date_trunc('minute', ${now})
    where k.prefix = ${given("prefix")} and k.secret_hash = ${given("secretHash")} and k.kind = 'key'
      and k.revoked_at is null and (k.ends_at is null or k.ends_at > ${now})
  ), ${parts}
  counted as (
    insert into shop_key_use as u (prefix, minute, calls, failed_attempts, by_contact)
    select prefix, date_trunc('minute', ${now}), 1, ${failedAttempts}, ${byContact} from key
    on conflict (prefix) do update set
      minute = excluded.minute,
      calls = excluded.calls + case when u.minute = excluded.minute then u.calls else 0 end,
      failed_attempts = excluded.failed_attempts + case when u.minute = excluded.minute then u.failed_attempts else 0 end,
      by_contact = excluded.by_contact + case when u.minute = excluded.minute then u.by_contact else 0 end
    returning u.calls, u.failed_attempts, u.by_contact
  ), checked as (
    select key.prefix, key.shop_id, key.api, key.web, key.shop_name, key.scopes, key.is_new_use, counted.failed_attempts,
      case when not key.may_call then 'scope_missing'
        when counted.calls > key.max_calls or ${tooMany} then 'too_many'
        else 'done' end as outcome
    from key, counted
  ), used as (
    update shop_key k set used_at = ${now}
    from checked where k.prefix = checked.prefix and checked.is_new_use and checked.outcome = 'done'
  )`;
