-- Invalidates the page that names the commission of new merchants.
CREATE OR REPLACE FUNCTION commission_pages_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_page_tag('commission');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER commission_rules_page_tag AFTER INSERT ON commission_rules
  FOR EACH ROW EXECUTE FUNCTION commission_pages_changed();
