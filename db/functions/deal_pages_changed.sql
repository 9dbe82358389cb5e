-- Invalidates cached pages that show a deal. Every claimed unit changes the product's pages. Lists change only when the
-- deal sells out, is available again, or changes its terms.
CREATE OR REPLACE FUNCTION deal_pages_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  one deals := coalesce(NEW, OLD);
  of_product products;
BEGIN
  SELECT p.* INTO of_product FROM plans pl JOIN products p ON p.id = pl.product_id WHERE pl.id = one.plan_id;
  IF of_product.id IS NOT NULL THEN
    PERFORM notify_page_tag('product:' || of_product.id);
  END IF;
  IF TG_OP <> 'UPDATE' OR (NEW.claimed < NEW.quantity) <> (OLD.claimed < OLD.quantity)
    OR (NEW.plan_id, NEW.price_cents, NEW.ends_at, NEW.quantity, NEW.ended_at)
      IS DISTINCT FROM (OLD.plan_id, OLD.price_cents, OLD.ends_at, OLD.quantity, OLD.ended_at) THEN
    PERFORM notify_category_lists(of_product.category);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER deals_page_tags AFTER INSERT OR UPDATE OR DELETE ON deals
  FOR EACH ROW EXECUTE FUNCTION deal_pages_changed();
