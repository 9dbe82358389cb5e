-- Search marks for a product's place in rank order: one for each prefix of the place in binary, and one for the block of
-- its id.
CREATE OR REPLACE FUNCTION place_marks(sort_num int, product_id int) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg('~p' || n || '_' || (p >> n)) || ('~pb_' || p || '_' || (product_id >> 14))
  FROM (SELECT place_of(sort_num) AS p) place, generate_series(0, 20) n GROUP BY p
$$;
