-- Stores where a month's order numbers start, once, and returns it. Orders of the month then do not wait for each other:
-- the sweeper starts each month a little early, in a transaction of its own; without a sweeper its first order does.
CREATE OR REPLACE FUNCTION start_order_month(at timestamptz) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  this_month text := to_char(at AT TIME ZONE 'UTC', 'YYMM');
  month_start bigint;
BEGIN
  SELECT start INTO month_start FROM order_number_months WHERE month = this_month;
  IF month_start IS NULL THEN
    INSERT INTO order_number_months (month, start)
      SELECT this_month, CASE WHEN is_called THEN last_value ELSE 0 END FROM order_numbers
      ON CONFLICT (month) DO NOTHING;
    SELECT start INTO month_start FROM order_number_months WHERE month = this_month;
  END IF;
  RETURN month_start;
END $$;
