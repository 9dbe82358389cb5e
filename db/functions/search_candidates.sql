-- The products that a question finds, with an offer that meets the filters, in rank order, at most so many, and how well
-- each fits. Asks stretch by stretch down the rank order until enough are found.
CREATE OR REPLACE FUNCTION search_candidates(
  question tsquery,
  beginning text,
  in_category text,
  kind text,
  stocked boolean,
  cents_from int,
  cents_to int,
  per_day_to int,
  most int,
  fits text[]
) RETURNS TABLE(product_id int, sort_num int, score int)
LANGUAGE plpgsql STABLE SET plan_cache_mode = 'force_custom_plan' SET enable_seqscan = 'off' AS $$
DECLARE
  asked tsquery := search_question(question, beginning, in_category);
  filter text := offer_filter('o', kind, stocked, cents_from, cents_to, per_day_to);
  score text := '0';
  statement text;
  tail text;
  depths int[];
  reaches text[];
  deepest int;
  needed float;
  above tsquery;
  stretch tsquery;
  at int := 1;
  found int;
  taken int := 0;
BEGIN
  IF asked IS NULL THEN RETURN; END IF;
  IF filter <> '' THEN
    filter := ' AND EXISTS (SELECT FROM plan_offers o WHERE o.product_id = d.product_id' || filter || ' OFFSET 0)';
  END IF;
  FOR n IN 1 .. coalesce(cardinality(fits), 0) / 3 LOOP
    score := score || format(' + CASE WHEN d.head @@ %L::tsquery THEN 1 + CASE WHEN d.head @@ %L::tsquery
      THEN 3 + (d.head @@ %L::tsquery)::int ELSE 0 END ELSE 0 END', fits[3 * n - 2], fits[3 * n - 1], fits[3 * n]);
  END LOOP;
  statement := 'SELECT d.product_id, d.sort_num, d.score FROM (SELECT d.product_id, d.sort_num, ' || score || ' AS score
    FROM product_documents d WHERE d.document @@ $1';
  tail := filter || ' OFFSET 0) d ORDER BY d.sort_num DESC, d.product_id OFFSET $8 LIMIT $7';
  SELECT array_agg(s.depth ORDER BY s.depth), array_agg(s.reach ORDER BY s.depth) INTO depths, reaches FROM search_depths s;
  deepest := coalesce(cardinality(depths), 0);
  LOOP
    stretch := CASE WHEN above IS NULL THEN asked ELSE asked && !!above END;
    RETURN QUERY EXECUTE statement || CASE WHEN at <= deepest THEN ' AND d.document @@ $9' ELSE '' END || tail
      USING stretch, kind, stocked, cents_from, cents_to, per_day_to, most - taken,
      CASE WHEN above IS NULL THEN taken ELSE 0 END, reaches[at]::tsquery;
    GET DIAGNOSTICS found = ROW_COUNT;
    taken := taken + found;
    EXIT WHEN taken >= most OR at > deepest;
    -- The fewer were found, the less is known. None: what there is of it is asked for as it is; so it is where more than
    -- half of all would be looked through, as each mark costs a look at each of them.
    needed := CASE WHEN taken > 0 THEN depths[at] * (1 + 1 / sqrt(taken)) * most / taken ELSE 'infinity' END;
    IF filter = '' AND needed > depths[deepest] / 2 THEN needed := 'infinity'; END IF;
    above := CASE WHEN filter <> '' OR needed < 'infinity' THEN reaches[at]::tsquery END;
    FOR n IN at + 1 .. deepest + 1 LOOP
      at := n;
      EXIT WHEN depths[n] >= needed AND reaches[n] <> reaches[n - 1];
    END LOOP;
  END LOOP;
END $$;
