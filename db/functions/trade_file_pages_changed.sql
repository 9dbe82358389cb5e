-- Invalidates the pages that show a merchant's business details: its own, and those of its products.
CREATE OR REPLACE FUNCTION trade_file_pages_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_page_tag('merchant:' || m.handle) FROM merchants m WHERE m.id = NEW.merchant_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER merchant_trade_fields_page_tags AFTER INSERT OR UPDATE ON merchant_trade_fields
  FOR EACH ROW EXECUTE FUNCTION trade_file_pages_changed();
