-- A product's place in rank order by its sort number: 1 is the first.
CREATE OR REPLACE FUNCTION place_of(sort_num int) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 1048576 - greatest(-1048575, least(1048575, sort_num))
$$;
