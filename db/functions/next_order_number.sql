-- The next order number of a month: 'PL-2611-0042'. Orders of a month do not wait for each other: a sequence counts all
-- orders, and the month's first order stores where the month starts. A number of a rolled back order is not used again.
CREATE OR REPLACE FUNCTION next_order_number(placed_at timestamptz) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  this_month text := to_char(placed_at AT TIME ZONE 'UTC', 'YYMM');
  month_start bigint;
  running text;
BEGIN
  SELECT start INTO month_start FROM order_number_months WHERE month = this_month;
  IF month_start IS NULL THEN
    INSERT INTO order_number_months (month, start)
      SELECT this_month, CASE WHEN is_called THEN last_value ELSE 0 END FROM order_numbers
      ON CONFLICT (month) DO NOTHING;
    SELECT start INTO month_start FROM order_number_months WHERE month = this_month;
  END IF;
  -- Drawn after the start was read, so it lies behind it.
  running := (nextval('order_numbers') - month_start)::text;
  RETURN 'PL-' || this_month || '-' || lpad(running, greatest(4, length(running)), '0');
END $$;
