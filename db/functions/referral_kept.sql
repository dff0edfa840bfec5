-- Whether a friend has kept enough of a purchase: what was paid for the lines that earn, less what was refunded, is worth at
-- least the points that the purchase brings, by the reward that gives most for a point when it was made. So a recommendation alone
-- brings no gain. Called by src/loyalty/referral/referral-job.server.ts.
create or replace function referral_kept(
  the_shop integer, the_number text, the_programme integer, the_points integer
) returns boolean language sql stable
  return shop_sale_left(the_shop, the_number) >= greatest(1, (
    select max(ceil(the_points::numeric * w.amount_cents / w.points))
    from shop_sale s
    cross join lateral loyalty_programme_at(the_programme, s.sold_at) p
    join loyalty_reward w on w.programme_id = p.id
    where s.shop_id = the_shop and s.number = the_number));
