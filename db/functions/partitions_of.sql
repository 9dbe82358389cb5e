-- The partitions of a table by range of time, without the default one: name, and the moment before which their rows lie.
CREATE OR REPLACE FUNCTION partitions_of(parent text) RETURNS TABLE (name text, until timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT c.relname::text, (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([^'']*)''\)'))[1]::timestamptz
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = to_regclass(quote_ident(parent)) AND pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
$$;
