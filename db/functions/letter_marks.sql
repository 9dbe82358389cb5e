-- Search marks for every first letter of a run of Chinese, Japanese or Korean text.
CREATE OR REPLACE FUNCTION letter_marks(document tsvector) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT '~' || left(l.lexeme, 1)), '{}') FROM unnest(document) l WHERE is_run(l.lexeme)
$$;
