-- Maintains catalog_counts: products by category, products by vendor, plans, and vendors. The full join lets Postgres
-- use a hash or merge join for two sets of unknown sizes.
CREATE OR REPLACE FUNCTION count_listings() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  more text := 'SELECT category, vendor, best, 1 AS n FROM added';
  fewer text := 'SELECT category, vendor, best, -1 AS n FROM removed';
BEGIN
  EXECUTE format('WITH changed AS (
      SELECT d.kind, d.name, sum(o.n) AS n FROM (%s) o CROSS JOIN LATERAL (VALUES
        (''category'', o.category, o.best), (''vendor'', o.vendor, o.best), (''plan'', '''', true)) d(kind, name, counts)
      WHERE d.counts GROUP BY d.kind, d.name HAVING sum(o.n) <> 0
    ), counted AS (
      INSERT INTO catalog_counts AS c (kind, name, total) SELECT kind, name, n FROM changed ORDER BY kind, name
      ON CONFLICT (kind, name) DO UPDATE SET total = c.total + excluded.total RETURNING kind, name, total
    ), vendors AS (
      SELECT sum((total > 0)::int - (total - n > 0)::int) AS n FROM counted FULL JOIN changed USING (kind, name)
      WHERE kind = ''vendor''
    ) INSERT INTO catalog_counts AS c (kind, name, total) SELECT ''vendors'', '''', n FROM vendors WHERE n <> 0
      ON CONFLICT (kind, name) DO UPDATE SET total = c.total + excluded.total',
    CASE TG_OP WHEN 'INSERT' THEN more WHEN 'DELETE' THEN fewer ELSE more || ' UNION ALL ' || fewer END);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER listing_index_count_update AFTER UPDATE ON listing_index REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_listings();

CREATE OR REPLACE TRIGGER listing_index_count_insert AFTER INSERT ON listing_index REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_listings();

CREATE OR REPLACE TRIGGER listing_index_count_delete AFTER DELETE ON listing_index REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_listings();
