-- Beside `list`, which every list of the whole shop carries, a change of what stands on lists tells `list:CATEGORY`:
-- a product's page shows others of its category only, so that a new price elsewhere leaves it as it is.
CREATE FUNCTION tell_lists_of(category text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_page_tag('list');
  IF category IS NOT NULL THEN
    PERFORM tell_page_tag('list:' || category);
  END IF;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION product_pages_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  one jsonb := to_jsonb(coalesce(NEW, OLD));
BEGIN
  PERFORM tell_page_tag('product:' || coalesce(one->>TG_ARGV[0], ''));
  IF TG_TABLE_NAME <> 'products' THEN
    PERFORM tell_lists_of((SELECT p.category FROM products p WHERE p.id = (one->>TG_ARGV[0])::int));
    RETURN NULL;
  END IF;
  PERFORM tell_lists_of(one->>'category');
  IF TG_OP = 'UPDATE' AND to_jsonb(OLD)->>'category' <> one->>'category' THEN
    PERFORM tell_lists_of(to_jsonb(OLD)->>'category');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION deal_pages_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  one deals := coalesce(NEW, OLD);
  of_product products;
BEGIN
  SELECT p.* INTO of_product FROM plans pl JOIN products p ON p.id = pl.product_id WHERE pl.id = one.plan_id;
  IF of_product.id IS NOT NULL THEN
    PERFORM tell_page_tag('product:' || of_product.id);
  END IF;
  IF TG_OP <> 'UPDATE' OR (NEW.claimed < NEW.quantity) <> (OLD.claimed < OLD.quantity)
    OR (NEW.plan_id, NEW.price_cents, NEW.ends_at, NEW.quantity, NEW.ended_at)
      IS DISTINCT FROM (OLD.plan_id, OLD.price_cents, OLD.ends_at, OLD.quantity, OLD.ended_at) THEN
    PERFORM tell_lists_of(of_product.category);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP FUNCTION tell_stock(integer, bigint);
--> statement-breakpoint
-- Stock is shown exactly at 5 and fewer, else as in stock: beyond 20 nothing is told (rivals that this transaction does
-- not see yet may take some of the difference), unless a code that has to be redeemed by some day came or went: the page
-- shows the first of these days. None left, or some again, changes the lists. Below 20 the offers are due (0017).
CREATE FUNCTION tell_stock(plan integer, gained bigint, dated boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now_free integer;
  was_free integer;
  of_product products;
BEGIN
  SELECT count(*) INTO now_free FROM (
    SELECT 1 FROM keys k WHERE k.plan_id = plan AND k.state = 'available'
      AND (k.redeem_by IS NULL OR k.redeem_by > shop_now()) LIMIT 40) free;
  was_free := now_free - gained;
  IF least(now_free, was_free) > 20 AND NOT dated THEN
    RETURN;
  END IF;
  SELECT p.* INTO of_product FROM plans pl JOIN products p ON p.id = pl.product_id WHERE pl.id = plan;
  PERFORM tell_page_tag('product:' || of_product.id);
  IF least(now_free, was_free) > 20 THEN
    RETURN;
  END IF;
  INSERT INTO offers_due (product_id) VALUES (of_product.id);
  IF least(now_free, was_free) <= 2 THEN
    PERFORM tell_lists_of(of_product.category);
  END IF;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION key_pages_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM tell_stock(plan_id, count(*), bool_or(redeem_by IS NOT NULL))
    FROM new_keys WHERE state = 'available' GROUP BY plan_id;
  ELSE
    PERFORM tell_stock(n.plan_id, sum((n.state = 'available')::int - (o.state = 'available')::int),
      bool_or(n.redeem_by IS NOT NULL OR o.redeem_by IS NOT NULL))
    FROM new_keys n JOIN old_keys o ON o.id = n.id
    WHERE (n.state = 'available') <> (o.state = 'available')
      OR n.state = 'available' AND n.redeem_by IS DISTINCT FROM o.redeem_by
    GROUP BY n.plan_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The name of a category stands on its lists and on its products' pages.
CREATE FUNCTION category_pages_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_lists_of((coalesce(NEW, OLD)).slug);
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER categories_page_tags ON "categories";
--> statement-breakpoint
CREATE TRIGGER categories_page_tags AFTER INSERT OR UPDATE OR DELETE ON "categories"
  FOR EACH ROW EXECUTE FUNCTION category_pages_changed();
