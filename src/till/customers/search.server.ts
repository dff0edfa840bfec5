import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { StaffCaller } from "#platform/api/callers.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { describeFound, type Found, type IdentifyDependencies } from "#shop/keys/identify.server.ts";

/** A list that fits on the screen; who is not in it is found by more letters. */
const maxResults = 5;

interface Row extends Record<string, unknown> {
  id: number;
  fullName: string;
  lastBoughtAt: string | null;
  member: Found | null;
}

/**
 * Finds customers of this shop by the beginning of a name, in either order, without accents and capitals
 * (db/functions/name_folded.sql). Of another shop's customers a till learns nothing by a name. Every customer who is listed is
 * logged, and the search counts as a look-up by address does.
 */
export async function searchByName(
  deps: IdentifyDependencies,
  caller: StaffCaller,
  text: string,
  context: { now: Date; locale: Locale },
) {
  const { now } = context;
  const at = sql`${now.toISOString()}::timestamptz`;
  const rows = await deps.database.transaction(async (tx) => {
    const counted = await tx.execute<{ by_contact: number }>(
      sql`update shop_key_use set by_contact = by_contact + 1 where prefix = ${caller.prefix} returning by_contact`,
    );
    if ((counted.rows[0]?.by_contact ?? 0) > deps.limits.byContact)
      throw new Refusal("too_many", { retryAfterSeconds: 60 - now.getUTCSeconds() });
    const beginning = sql`name_folded(${text}) collate "C"`;
    const matches = (name: ReturnType<typeof sql>) =>
      sql`${name} >= ${beginning} and ${name} < (${beginning} || chr(1114111)) collate "C"`;
    const found = await tx.execute<Row>(sql`
      select c.id::float8 as id, c.firstname || ' ' || c.lastname as "fullName", bought.at as "lastBoughtAt",
        case when a.state = 'active' then shop_member(c.id, club_day(${at}), ${at}) || jsonb_build_object(
          'confirmed', c.email_verified_at is not null, 'memberSince', a.member_since, 'cardNumber', a.card_number,
          'vouchers', null) end as member
      from (
        select id from customer c where ${matches(sql`name_folded(c.firstname || ' ' || c.lastname)`)}
        union select id from customer c where ${matches(sql`name_folded(c.lastname || ' ' || c.firstname)`)}
      ) named
      join customer c on c.id = named.id and not c.guest and c.blocked_at is null
      left join loyalty_account a on a.customer_id = c.id
      left join lateral (
        select max(s.sold_at) as at from shop_sale s where s.customer_id = c.id and s.shop_id = ${caller.shopId}
      ) bought on true
      where bought.at is not null
        or exists (select from shop_registration r where r.customer_id = c.id and r.shop_id = ${caller.shopId})
      order by bought.at desc nulls last, c.id limit ${maxResults + 1}`);
    const listed = found.rows.slice(0, maxResults);
    for (const { id } of listed)
      await tx.execute(sql`
        insert into shop_look_up (customer_id, at, key_prefix, shop_id, found_by, entry_mode, staff_id)
        values (${id}, ${at}, ${caller.prefix}, ${caller.shopId}, 'name', 'typed', ${caller.staff.id})`);
    return found.rows;
  });
  const listed = rows.slice(0, maxResults);
  const members = listed.filter(({ member }) => member);
  const described =
    members.length === 0
      ? []
      : (
          await describeFound(
            deps,
            members.flatMap(({ member }) => member ?? []),
            caller.shopId,
            context,
          )
        ).Customers;
  return {
    Members: described.map((customer, place) => ({
      ...customer,
      FullName: members[place]?.fullName ?? "",
      LastBoughtAt: momentOf(members[place]?.lastBoughtAt),
    })),
    Others: await Promise.all(
      listed
        .filter(({ member }) => !member)
        .map(async ({ id, fullName }) => ({
          CustomerToken: await deps.tokens.seal(id, caller.shopId, now),
          FullName: fullName,
        })),
    ),
    More: rows.length > maxResults,
  };
}

const momentOf = (moment: string | null | undefined) => (moment ? new Date(moment).toISOString() : null);
