-- A table read inside of shop_now() kept Postgres from writing its body where it is called: 6 µs each, twenty in an order.
-- So the offset is part of the body, which is stated anew when a test sets it. The row is read still (readiness).
CREATE FUNCTION state_clock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION shop_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS %L',
    'SELECT now()' || CASE WHEN NEW.shift = '0' THEN '' ELSE format(' + %L::interval', NEW.shift) END);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Before shop_clock_offers, which asks for the time: triggers of rows go first.
CREATE TRIGGER shop_clock_stated AFTER UPDATE ON "shop_clock" FOR EACH ROW EXECUTE FUNCTION state_clock();
--> statement-breakpoint
-- No offers are written anew for it: the time stays what it is.
ALTER TABLE shop_clock DISABLE TRIGGER shop_clock_offers;
--> statement-breakpoint
UPDATE shop_clock SET shift = shift;
--> statement-breakpoint
ALTER TABLE shop_clock ENABLE TRIGGER shop_clock_offers;
