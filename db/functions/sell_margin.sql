-- The least days between the sale of a code of a plan and its last day to redeem: the plan's own, else 14
-- (REDEEM_MARGIN_DAYS), and never less than the length of a day or week pass, whose buyer can use up all of it.
CREATE OR REPLACE FUNCTION sell_margin(plan plans) RETURNS int
LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(coalesce(plan.redeem_margin_days, 14), CASE WHEN plan.type IN ('day', 'week') THEN plan.duration_days END)
$$;
