-- Refreshes the listing index for queued products and for those whose `changes_at` has passed. Products that another
-- transaction has locked are left to the next call.
CREATE OR REPLACE FUNCTION refresh_listing_index() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  ids int[];
BEGIN
  SELECT array_agg(locked.id) INTO ids FROM (
    SELECT p.id FROM products p WHERE p.id IN (
      SELECT product_id FROM listing_index_queue UNION SELECT product_id FROM listing_index WHERE changes_at <= (SELECT shop_now()))
    ORDER BY p.id LIMIT 2000 FOR NO KEY UPDATE SKIP LOCKED) locked;
  IF ids IS NOT NULL THEN
    PERFORM write_listing_index(ids);
  END IF;
END $$;
