-- A page of the offers that a question finds, in price order. Frequent words walk along the prices; rare ones gather
-- their matches first.
CREATE OR REPLACE FUNCTION search_priced(
  question tsquery,
  beginning text,
  in_category text,
  kind text,
  stocked boolean,
  cents_from int,
  cents_to int,
  per_day_to int,
  sorted text,
  named_types text[],
  named_days int[],
  size int,
  skip int
) RETURNS SETOF plan_offers
LANGUAGE plpgsql STABLE ROWS 100 SET plan_cache_mode = 'force_custom_plan' SET enable_seqscan = 'off' AS $$
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
