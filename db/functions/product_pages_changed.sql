-- Invalidates the pages of a product and the lists of its category. The argument names the column of the product's id.
CREATE OR REPLACE FUNCTION product_pages_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  one jsonb := to_jsonb(coalesce(NEW, OLD));
BEGIN
  PERFORM notify_page_tag('product:' || coalesce(one->>TG_ARGV[0], ''));
  IF TG_TABLE_NAME <> 'products' THEN
    PERFORM notify_category_lists((SELECT p.category FROM products p WHERE p.id = (one->>TG_ARGV[0])::int));
    RETURN NULL;
  END IF;
  PERFORM notify_category_lists(one->>'category');
  IF TG_OP = 'UPDATE' AND to_jsonb(OLD)->>'category' <> one->>'category' THEN
    PERFORM notify_category_lists(to_jsonb(OLD)->>'category');
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER plans_page_tags AFTER INSERT OR UPDATE OR DELETE ON plans
  FOR EACH ROW EXECUTE FUNCTION product_pages_changed('product_id');

CREATE OR REPLACE TRIGGER product_texts_page_tags AFTER INSERT OR UPDATE OR DELETE ON product_texts
  FOR EACH ROW EXECUTE FUNCTION product_pages_changed('product_id');

CREATE OR REPLACE TRIGGER products_page_tags AFTER INSERT OR UPDATE OR DELETE ON products
  FOR EACH ROW EXECUTE FUNCTION product_pages_changed('id');
