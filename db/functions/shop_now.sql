-- The shop's clock: the database's time plus an offset that only tests set (with an offset, production is not ready).
CREATE OR REPLACE FUNCTION shop_now() RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT now() + (SELECT shift FROM shop_clock)
$$;
