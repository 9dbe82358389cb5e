-- The next order number of a month: 'PL-2611-0042'. A sequence counts all orders. A number of a rolled back order is not
-- used again.
CREATE OR REPLACE FUNCTION next_order_number(placed_at timestamptz) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  month_start bigint := start_order_month(placed_at);
  -- Drawn after the start was read, so it lies behind it.
  running text := (nextval('order_numbers') - month_start)::text;
BEGIN
  RETURN 'PL-' || to_char(placed_at AT TIME ZONE 'UTC', 'YYMM') || '-' || lpad(running, greatest(4, length(running)), '0');
END $$;
