-- unused since 0058_pending_points
-- Purchases are named by their cause: while their points are pending they have no entry.
drop function loyalty_claw_back(bigint, bigint, integer, text, jsonb, timestamptz);
