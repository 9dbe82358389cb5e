-- Invalidates cached pages that show a plan's stock. Pages show the number of keys from 5 down. Above 20 nothing is
-- reported; the difference allows for concurrent transactions. `dated`: a key with a redemption date was added or taken,
-- which is always reported, because pages show the earliest date. The generic plan is forced, because every sale runs this.
CREATE OR REPLACE FUNCTION notify_stock_change(plan int, gained bigint, dated boolean) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = 'force_generic_plan' AS $$
DECLARE
  now_free integer;
  was_free integer;
  of_product products;
BEGIN
  SELECT count(*) INTO now_free FROM (
    SELECT 1 FROM keys k WHERE k.plan_id = plan AND k.state = 'available'
      AND (k.sell_by IS NULL OR k.sell_by > shop_now()) LIMIT 40) free;
  was_free := now_free - gained;
  IF least(now_free, was_free) > 20 AND NOT dated THEN
    RETURN;
  END IF;
  SELECT p.* INTO of_product FROM plans pl JOIN products p ON p.id = pl.product_id WHERE pl.id = plan;
  PERFORM notify_page_tag('product:' || of_product.id);
  IF least(now_free, was_free) > 20 THEN
    RETURN;
  END IF;
  INSERT INTO listing_index_queue (product_id) VALUES (of_product.id);
  IF least(now_free, was_free) <= 2 THEN
    PERFORM notify_category_lists(of_product.category);
  END IF;
END $$;
