-- Invalidates the cached pages of a review's product, and the page of its merchant, which has a rating.
CREATE OR REPLACE FUNCTION review_pages_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_page_tag('product:' || (coalesce(NEW, OLD)).product_id);
  PERFORM notify_page_tag('seller:' || m.handle) FROM products p JOIN merchants m ON m.id = p.merchant_id
    WHERE p.id = (coalesce(NEW, OLD)).product_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER reviews_page_tags AFTER INSERT OR UPDATE OR DELETE ON reviews
  FOR EACH ROW EXECUTE FUNCTION review_pages_changed();
