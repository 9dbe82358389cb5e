-- The time of a new entry of a plan's price history: now, but not before its last entry. Ends of deals are written
-- beforehand and do not count.
CREATE OR REPLACE FUNCTION price_change_time(plan int) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT greatest(shop_now(), (SELECT max(c.at) FROM price_changes c WHERE c.plan_id = plan AND c.kind <> 'deal_end'))
$$;
