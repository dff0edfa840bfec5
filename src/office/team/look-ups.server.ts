import { sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { maxContactLookUpsPerDay } from "#shop/keys/look-ups.server.ts";

/** For so many days up to the one shown, look-ups over the daily limit are listed. */
export const listedDays = 30;

interface Counted extends Record<string, unknown> {
  day: string;
  staffId: number | null;
  prefix: string | null;
  name: string | null;
  kind: "key" | "till" | null;
  shopNames: string[];
  email: number;
  phone: number;
  card: number;
  voucher: number;
  byContact: number;
}

/** The club's midnight, so many days after a day. */
const midnight = (day: string, days: number) => sql`club_day_start(${day}::date + ${days}::integer)`;

/** Look-ups of some days, counted by day and person, and by day and key. */
async function countLookUps(queries: Queries, day: string, { days, onlyOver }: { days: number; onlyOver: boolean }) {
  // By address, phone or name alone, in the words of the index that finds them among the many by card.
  const among = onlyOver ? sql`and look.found_by in ('email', 'phone', 'name')` : sql``;
  const least = onlyOver ? maxContactLookUpsPerDay : 0;
  const { rows } = await queries.execute<Counted>(sql`
    with counted as (
      select club_day(look.at)::text as day, look.staff_id, look.key_prefix, array_agg(distinct look.shop_id) as shops,
        count(*) filter (where look.found_by = 'email')::integer as email,
        count(*) filter (where look.found_by = 'phone')::integer as phone,
        count(*) filter (where look.found_by = 'card')::integer as card,
        count(*) filter (where look.found_by = 'voucher')::integer as voucher,
        count(*) filter (where look.found_by in ('email', 'phone', 'name'))::integer as contact
      from shop_look_up look
      where look.at >= ${midnight(day, 1 - days)} and look.at < ${midnight(day, 1)} ${among}
      group by grouping sets ((club_day(look.at), look.staff_id), (club_day(look.at), look.key_prefix))
      having count(*) > ${least}
    )
    select c.day, c.staff_id as "staffId", c.key_prefix as prefix, k.kind,
      coalesce(p.firstname || ' ' || p.lastname, k.name) as name,
      (select coalesce(json_agg(s.name order by s.name), '[]') from shop s where s.id = any (c.shops)) as "shopNames",
      c.email, c.phone, c.card, c.voucher, c.contact as "byContact"
    from counted c
    left join staff p on p.id = c.staff_id
    left join shop_key k on k.prefix = c.key_prefix
    -- With a key that is no till nobody is signed in.
    where c.staff_id is not null or c.key_prefix is not null
    order by c.day desc, c.contact desc, c.email + c.phone + c.card + c.voucher desc,
      c.staff_id is null, name, c.staff_id, c.key_prefix`);
  return rows;
}

/** Who looked up how many customers on a day, and who went over the daily limit lately. */
export async function readLookUps(queries: Queries, day: string) {
  const ofDay = await countLookUps(queries, day, { days: 1, onlyOver: false });
  const exceeded = await countLookUps(queries, day, { days: listedDays, onlyOver: true });
  const counts = (row: Counted) => ({
    ...{ ShopNames: row.shopNames, Email: row.email, Phone: row.phone, Card: row.card, Voucher: row.voucher },
    OverLimit: row.byContact > maxContactLookUpsPerDay,
  });
  return {
    Day: day,
    DailyLimit: maxContactLookUpsPerDay,
    People: ofDay.flatMap((row) =>
      row.staffId === null ? [] : [{ IdStaff: row.staffId, Name: row.name ?? "", ...counts(row) }],
    ),
    Keys: ofDay.flatMap((row) =>
      row.prefix === null
        ? []
        : [{ Prefix: row.prefix, Name: row.name ?? row.prefix, Kind: row.kind ?? ("key" as const), ...counts(row) }],
    ),
    Exceeded: exceeded.map((row) => ({
      ...{ Day: row.day, IdStaff: row.staffId, Prefix: row.prefix, Name: row.name ?? row.prefix ?? "" },
      ...{ ShopNames: row.shopNames, Count: row.byContact },
    })),
  };
}
