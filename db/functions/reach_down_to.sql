-- The search marks, as the text of a tsquery, of all documents above a place and of the first blocks of ids at it.
CREATE OR REPLACE FUNCTION reach_down_to(p int, block int) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg('''' || mark || '''', ' | ') FROM (
    SELECT '~p' || n || '_' || ((p >> n) - 1) AS mark FROM generate_series(0, 20) n WHERE (p >> n) & 1 = 1
    UNION ALL SELECT '~pb_' || p || '_' || n FROM generate_series(0, block - 1) n) marks
$$;
