-- Search marks for the first one, two and three letters of the words of a document's head.
CREATE OR REPLACE FUNCTION beginning_marks(head tsvector) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT '~<' || left(l.lexeme, n)), '{}')
  FROM unnest(head) l CROSS JOIN generate_series(1, 3) n WHERE length(l.lexeme) >= n AND NOT is_run(l.lexeme)
$$;
