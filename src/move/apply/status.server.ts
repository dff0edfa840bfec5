import { existed, ofKnown, type Statement } from "./batch.server.ts";

const ofNew = "where customer_id in (select customer_id from batch where fate = 'new')";
const ofExisting = `where customer_id in (select customer_id from batch b where ${existed})`;

/** Points that count for the status, those of the package or what its lots tell, and the status that was promised. */
export const addStatus: Statement[] = [
  `insert into batch_days
   select days.customer_id, days.day, days.points, days.points - coalesce(d.points, 0) from (
     select b.customer_id, e.day, sum(e.points)::integer as points
     from batch b join stage_earned_days e using (source_id) cross join stage_now n
     where n.has_days and b.account is not null group by 1, 2
     union all
     select b.customer_id, club_day(l.earned_at), sum(coalesce(l.points_earned, l.points))::integer
     from batch b join stage_lots l using (source_id) cross join stage_now n
     where not n.has_days and b.account is not null and coalesce(l.available_at, n.taken_at) <= n.taken_at group by 1, 2
   ) days left join loyalty_import_day d on d.customer_id = days.customer_id and d.day = days.day
   where days.points > coalesce(d.points, 0)`,
  `insert into loyalty_import_day (customer_id, day, points) select customer_id, day, points from batch_days ${ofNew}`,
  ofKnown(`insert into loyalty_import_day (customer_id, day, points) select customer_id, day, points from batch_days ${ofExisting}
   on conflict (customer_id, day) do update set points = excluded.points`),
  `insert into loyalty_earned_day (customer_id, day, points, through)
   select customer_id, day, more, sum(more) over (partition by customer_id order by day) from batch_days ${ofNew}`,
  ofKnown(`insert into loyalty_earned_day as d (customer_id, day, points, through)
   select customer_id, day, more, sum(more) over (partition by customer_id order by day) from batch_days ${ofExisting}
   on conflict (customer_id, day) do update set points = d.points + excluded.points`),
  ofKnown(`update loyalty_earned_day d set through = total.through
   from (select customer_id, day, sum(points) over (partition by customer_id order by day) as through from loyalty_earned_day
         where customer_id in (select customer_id from batch b where ${existed})) total
   where d.customer_id = total.customer_id and d.day = total.day and d.through <> total.through`),

  `insert into loyalty_status_floor (customer_id, rank, until)
   select distinct on (customer_id) customer_id, rank, status_until from batch
   where account is not null and status_until is not null and rank > (select min(rank) from stage_tiers)
   order by customer_id, rank desc, status_until desc
   on conflict (customer_id) do update set rank = excluded.rank, until = excluded.until`,
];
