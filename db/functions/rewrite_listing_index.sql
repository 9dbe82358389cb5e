-- Rewrites the listing index when a test moves the shop's clock.
CREATE OR REPLACE FUNCTION rewrite_listing_index() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_listing_index(NULL);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER shop_clock_listing_index AFTER UPDATE ON shop_clock
  FOR EACH STATEMENT EXECUTE FUNCTION rewrite_listing_index();
