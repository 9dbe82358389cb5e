-- A page of the offers that a question finds, in the order of a price, exact. How many it finds is judged by the 4,096
-- products that are most wanted. Looking at an offer on the way up or down the prices, to see whether its product is
-- found, costs less than half of gathering one that is: many matches are met soon on the way, few are gathered. Where
-- two and a half times the way that should do was not enough (what is found is dear, and cheap is asked for), all are
-- gathered.
CREATE OR REPLACE FUNCTION search_priced(question tsquery, beginning text, in_category text, kind text, stocked boolean,
  cents_from int, cents_to int, per_day_to int, sorted text, named_types text[], named_days int[], size int, skip int)
RETURNS SETOF plan_offers LANGUAGE plpgsql STABLE ROWS 100
SET plan_cache_mode = 'force_custom_plan' SET enable_seqscan = off AS $$
DECLARE
  asked tsquery := search_question(question, beginning, in_category);
  products CONSTANT float := 1.2 * (SELECT max(depth) FROM search_depths); -- about; null: few, or not measured yet
  looked CONSTANT int := 4096;
  matches float;
  filter text := offer_filter('o', kind, stocked, cents_from, cents_to, per_day_to);
  named text := CASE WHEN named_types IS NULL THEN ''
    ELSE 'NOT coalesce(o.type = ANY ($7) OR o.duration_days = ANY ($8), false), ' END;
  rank text := 'NOT o.in_stock, NOT o.buyable, ' || named || 'o.cents, o.position, o.plan_id';
  best text;
  ordered text;
  above tsquery := (SELECT s.reach::tsquery FROM search_depths s WHERE s.depth = looked);
  found int;
BEGIN
  size := least(size, 2000 - skip);
  IF asked IS NULL OR size <= 0 THEN RETURN; END IF;
  best := CASE WHEN coalesce(cents_from, cents_to, per_day_to) IS NULL AND named_types IS NULL
    THEN CASE WHEN kind IS NULL THEN 'o.best' ELSE 'o.best_of_type' END || filter
    ELSE 'true' || filter || ' AND NOT EXISTS (SELECT FROM plan_offers r WHERE r.product_id = o.product_id'
      || replace(filter, 'o.', 'r.') || ' AND (' || replace(rank, 'o.', 'r.') || ') < (' || rank || '))' END;
  IF in_category IS NOT NULL THEN best := best || ' AND o.category = $9'; END IF;
  ordered := CASE sorted WHEN 'price_asc' THEN 'o.cents, ' WHEN 'price_desc' THEN 'o.cents DESC, '
    ELSE 'o.per_day, ' END || 'o.sort_num DESC, o.product_id';
  IF above IS NOT NULL THEN
    SELECT count(*) * products / looked INTO matches FROM product_documents d WHERE d.document @@ (asked && above);
  END IF;
  IF matches > sqrt((size + skip) * products / 2.3) THEN
    RETURN QUERY EXECUTE 'SELECT o.* FROM (SELECT o.* FROM plan_offers o WHERE ' || best || ' ORDER BY ' || ordered
      || ' LIMIT $12) o WHERE EXISTS (SELECT FROM (SELECT d.document FROM product_documents d
        WHERE d.product_id = o.product_id OFFSET 0) d WHERE d.document @@ $1) ORDER BY ' || ordered
      || ' LIMIT $10 OFFSET $11' USING asked, kind, stocked, cents_from, cents_to, per_day_to, named_types, named_days,
      in_category, size, skip, ceil(2.5 * (size + skip) * products / matches)::bigint;
    GET DIAGNOSTICS found = ROW_COUNT;
    IF found = size THEN RETURN; END IF;
  ELSE
    found := 0;
  END IF;
  RETURN QUERY EXECUTE 'SELECT o.* FROM (SELECT d.product_id FROM product_documents d WHERE d.document @@ $1 OFFSET 0) d
      JOIN LATERAL (SELECT o.* FROM plan_offers o WHERE o.product_id = d.product_id AND ' || best
      || ' OFFSET 0) o ON true ORDER BY ' || ordered || ' LIMIT $10 OFFSET $11' USING asked, kind, stocked, cents_from,
    cents_to, per_day_to, named_types, named_days, in_category, size - found, skip + found;
END $$;
--> statement-breakpoint
-- As in 0022, but that the offers of each product are looked at as it comes (OFFSET 0): else the planner gathers all that
-- are wanted, of the whole catalogue, before the first.
CREATE OR REPLACE FUNCTION search_candidates(question tsquery, beginning text, in_category text, kind text, stocked boolean,
  cents_from int, cents_to int, per_day_to int, most int, fits text[])
RETURNS TABLE (product_id int, sort_num int, score int) LANGUAGE plpgsql STABLE ROWS 1000
SET plan_cache_mode = 'force_custom_plan' SET enable_seqscan = off AS $$
DECLARE
  asked tsquery := search_question(question, beginning, in_category);
  filter text := offer_filter('o', kind, stocked, cents_from, cents_to, per_day_to);
  statement text := '0';
  depths int[];
  reaches text[];
  above tsquery;
  stretch tsquery;
  at int := 1;
  found int;
BEGIN
  IF asked IS NULL THEN RETURN; END IF;
  IF filter <> '' THEN
    filter := ' AND EXISTS (SELECT FROM plan_offers o WHERE o.product_id = d.product_id' || filter || ' OFFSET 0)';
  END IF;
  SELECT array_agg(s.depth ORDER BY s.depth), array_agg(s.reach ORDER BY s.depth) INTO depths, reaches FROM search_depths s;
  WHILE at <= coalesce(cardinality(depths), 0) LOOP
    EXECUTE 'SELECT count(*) FROM (SELECT FROM product_documents d WHERE d.document @@ $1' || filter
      || ' OFFSET 0) counted' INTO found USING asked && reaches[at]::tsquery, kind, stocked, cents_from, cents_to, per_day_to;
    EXIT WHEN found >= most;
    IF found >= 16 THEN
      at := at + ceil(2 * log(2, (CASE WHEN found < 100 THEN 1.4 ELSE 1.15 END * most / found)::numeric));
      EXIT;
    END IF;
    at := at + 10;
  END LOOP;
  FOR n IN 1 .. coalesce(cardinality(fits), 0) / 3 LOOP
    statement := statement || format(' + CASE WHEN d.head @@ %L::tsquery THEN 1 + CASE WHEN d.head @@ %L::tsquery
      THEN 3 + (d.head @@ %L::tsquery)::int ELSE 0 END ELSE 0 END', fits[3 * n - 2], fits[3 * n - 1], fits[3 * n]);
  END LOOP;
  statement := 'SELECT d.product_id, d.sort_num, d.score FROM (SELECT d.product_id, d.sort_num, ' || statement || ' AS score
    FROM product_documents d WHERE d.document @@ $1' || filter || ' OFFSET 0) d
    ORDER BY d.sort_num DESC, d.product_id LIMIT $7';
  LOOP
    stretch := CASE WHEN at <= cardinality(depths) THEN asked && reaches[at]::tsquery ELSE asked END;
    IF above IS NOT NULL THEN stretch := stretch && !!above; END IF;
    RETURN QUERY EXECUTE statement USING stretch, kind, stocked, cents_from, cents_to, per_day_to, most;
    GET DIAGNOSTICS found = ROW_COUNT;
    most := most - found;
    EXIT WHEN most <= 0 OR depths IS NULL OR at > cardinality(depths);
    above := reaches[at]::tsquery;
    at := at + 1;
  END LOOP;
END $$;
