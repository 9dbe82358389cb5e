-- Rewrites the listing index when a test moves the shop's clock.
CREATE OR REPLACE FUNCTION clock_offers() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_offers(NULL);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER shop_clock_offers AFTER UPDATE ON shop_clock
  FOR EACH STATEMENT EXECUTE FUNCTION clock_offers();
