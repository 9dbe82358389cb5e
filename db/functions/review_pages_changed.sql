-- Invalidates the cached pages of a review's product.
CREATE OR REPLACE FUNCTION review_pages_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_page_tag('product:' || (coalesce(NEW, OLD)).product_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER reviews_page_tags AFTER INSERT OR UPDATE OR DELETE ON reviews
  FOR EACH ROW EXECUTE FUNCTION review_pages_changed();
