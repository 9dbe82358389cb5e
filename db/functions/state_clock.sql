-- Writes the offset of shop_clock into shop_now(), so that Postgres inlines the call.
CREATE OR REPLACE FUNCTION state_clock() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION shop_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS %L',
    'SELECT now()' || CASE WHEN NEW.shift = '0' THEN '' ELSE format(' + %L::interval', NEW.shift) END);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER shop_clock_stated AFTER UPDATE ON shop_clock
  FOR EACH ROW EXECUTE FUNCTION state_clock();
