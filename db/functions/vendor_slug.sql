-- "Cadrell & Daughters" → cadrell-daughters: the expression of products.vendor_slug (db/schema/catalog.ts), which a trigger
-- before the row cannot read.
CREATE OR REPLACE FUNCTION vendor_slug(vendor text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN latin ~ '[^ -~]' OR latin !~ '[a-z0-9]' THEN ltrim(words || '-', '-') || left(md5(vendor), 8) ELSE words END
  FROM (SELECT regexp_replace(normalize(lower(vendor), NFKD), '[\u0300-\u036f'']', '', 'g')) l(latin),
    LATERAL (SELECT trim(both '-' from left(regexp_replace(latin, '[^a-z0-9]+', '-', 'g'), 60))) w(words)
$$;
