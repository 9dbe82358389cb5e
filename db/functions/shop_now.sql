-- The shop's clock: the database's time plus the offset that only tests set (/readyz refuses it in production).
CREATE OR REPLACE FUNCTION shop_now() RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT now() + (SELECT shift FROM shop_clock)
$$;
