CREATE INDEX "plan_offers_new_cheap" ON "plan_offers" USING btree ("cents","sort_num" desc,"product_id","per_day");--> statement-breakpoint
CREATE INDEX "plan_offers_new_daily" ON "plan_offers" USING btree ("per_day","sort_num" desc,"product_id","cents");--> statement-breakpoint
-- As in 0017, and how many makers there are: home asks for it, and of a million products there are many.
CREATE OR REPLACE FUNCTION count_offers() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  more text := 'SELECT category, maker, best, 1 AS n FROM added';
  fewer text := 'SELECT category, maker, best, -1 AS n FROM removed';
BEGIN
  EXECUTE format('WITH changed AS (
      SELECT d.kind, d.name, sum(o.n) AS n FROM (%s) o CROSS JOIN LATERAL (VALUES
        (''category'', o.category, o.best), (''maker'', o.maker, o.best), (''plan'', '''', true)) d(kind, name, counts)
      WHERE d.counts GROUP BY d.kind, d.name HAVING sum(o.n) <> 0
    ), counted AS (
      INSERT INTO catalog_counts AS c (kind, name, total) SELECT kind, name, n FROM changed ORDER BY kind, name
      ON CONFLICT (kind, name) DO UPDATE SET total = c.total + excluded.total RETURNING kind, name, total
    ), makers AS (
      SELECT sum((total > 0)::int - (total - n > 0)::int) AS n FROM counted JOIN changed USING (kind, name)
      WHERE kind = ''maker''
    ) INSERT INTO catalog_counts AS c (kind, name, total) SELECT ''makers'', '''', n FROM makers WHERE n <> 0
      ON CONFLICT (kind, name) DO UPDATE SET total = c.total + excluded.total',
    CASE TG_OP WHEN 'INSERT' THEN more WHEN 'DELETE' THEN fewer ELSE more || ' UNION ALL ' || fewer END);
  RETURN NULL;
END $$;
--> statement-breakpoint
INSERT INTO catalog_counts (kind, name, total)
  SELECT 'makers', '', count(*) FROM catalog_counts WHERE kind = 'maker' AND total > 0;
--> statement-breakpoint
-- Last, because from here on until the end nobody reads a list: the others were made while they were read.
DROP INDEX "plan_offers_dear", "plan_offers_cheap", "plan_offers_daily";
--> statement-breakpoint
ALTER INDEX "plan_offers_new_dear" RENAME TO "plan_offers_dear";
--> statement-breakpoint
ALTER INDEX "plan_offers_new_cheap" RENAME TO "plan_offers_cheap";
--> statement-breakpoint
ALTER INDEX "plan_offers_new_daily" RENAME TO "plan_offers_daily";
