-- Invalidates the cached pages of a product when a reply to one of its reviews appears, changes or goes.
CREATE OR REPLACE FUNCTION reply_pages_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_page_tag('product:' || r.product_id) FROM reviews r WHERE r.id = (coalesce(NEW, OLD)).review_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER review_replies_page_tags AFTER INSERT OR UPDATE OR DELETE ON review_replies
  FOR EACH ROW EXECUTE FUNCTION reply_pages_changed();
