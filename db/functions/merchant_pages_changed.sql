-- Invalidates a merchant's page, and the pages of its products, which name it. Its state changes through its products too.
CREATE OR REPLACE FUNCTION merchant_pages_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_page_tag('merchant:' || NEW.handle);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER merchants_new_page_tag AFTER INSERT ON merchants
  FOR EACH ROW EXECUTE FUNCTION merchant_pages_changed();

CREATE OR REPLACE TRIGGER merchants_page_tags AFTER UPDATE ON merchants
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION merchant_pages_changed();
