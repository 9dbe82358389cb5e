-- Refreshes the listing index for products that changed or whose time has come. Products that another transaction
-- is writing are left to the next reader.
CREATE OR REPLACE FUNCTION settle_offers() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  ids int[];
BEGIN
  SELECT array_agg(locked.id) INTO ids FROM (
    SELECT p.id FROM products p WHERE p.id IN (
      SELECT product_id FROM offers_due UNION SELECT product_id FROM plan_offers WHERE changes_at <= (SELECT shop_now()))
    ORDER BY p.id LIMIT 2000 FOR NO KEY UPDATE SKIP LOCKED) locked;
  IF ids IS NOT NULL THEN
    PERFORM write_offers(ids);
  END IF;
END $$;
