-- As in 0022, in quarter steps, and one at a time. The half steps that are there serve until the next time.
CREATE OR REPLACE FUNCTION measure_search() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  step int := 0;
  wanted int;
  near record;
  far record;
  place int;
  block int;
BEGIN
  LOCK TABLE search_depths IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM search_depths;
  LOOP
    wanted := round(1024 * power(2, step / 4.0));
    step := step + 1;
    SELECT place_of(sort_num) AS p, product_id >> 14 AS block INTO near FROM product_documents
      ORDER BY sort_num DESC, product_id OFFSET round(wanted * 0.96) LIMIT 1;
    SELECT place_of(sort_num) AS p, product_id >> 14 AS block INTO far FROM product_documents
      ORDER BY sort_num DESC, product_id OFFSET round(wanted * 1.04) LIMIT 1;
    EXIT WHEN far IS NULL;
    place := far.p;
    block := CASE WHEN near.p = far.p THEN greatest(far.block, 1) ELSE 0 END;
    IF near.p < far.p THEN
      FOR n IN REVERSE 20 .. 0 LOOP
        place := far.p >> n << n;
        EXIT WHEN place > near.p;
      END LOOP;
    END IF;
    INSERT INTO search_depths (depth, reach) VALUES (wanted, reach_down_to(place, block));
  END LOOP;
END $$;
--> statement-breakpoint
-- As in 0025, in stretches: those found among the first thousand products are taken at once, and how many they are says
-- how far down the next stretch has to go, where most often the wanted number is met. No product is visited twice.
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
    statement := statement || format(' + CASE WHEN d.head @@ %L::tsquery THEN 1 + CASE WHEN d.head @@ %L::tsquery
      THEN 3 + (d.head @@ %L::tsquery)::int ELSE 0 END ELSE 0 END', fits[3 * n - 2], fits[3 * n - 1], fits[3 * n]);
  END LOOP;
  statement := 'SELECT d.product_id, d.sort_num, d.score FROM (SELECT d.product_id, d.sort_num, ' || statement || ' AS score
    FROM product_documents d WHERE d.document @@ $1' || filter || ' OFFSET 0) d
    ORDER BY d.sort_num DESC, d.product_id LIMIT $7';
  SELECT array_agg(s.depth ORDER BY s.depth), array_agg(s.reach ORDER BY s.depth) INTO depths, reaches FROM search_depths s;
  deepest := coalesce(cardinality(depths), 0);
  LOOP
    stretch := CASE WHEN at <= deepest THEN asked && reaches[at]::tsquery ELSE asked END;
    IF above IS NOT NULL THEN stretch := stretch && !!above; END IF;
    RETURN QUERY EXECUTE statement USING stretch, kind, stocked, cents_from, cents_to, per_day_to, most - taken;
    GET DIAGNOSTICS found = ROW_COUNT;
    taken := taken + found;
    EXIT WHEN taken >= most OR at > deepest;
    above := reaches[at]::tsquery;
    -- The fewer were found, the less is known. None: what there is of it is asked for as it is.
    needed := CASE WHEN taken > 0 THEN depths[at] * (1 + 1 / sqrt(taken)) * most / taken ELSE 'infinity' END;
    FOR n IN at + 1 .. deepest + 1 LOOP
      at := n;
      EXIT WHEN depths[n] >= needed AND reaches[n] <> reaches[n - 1];
    END LOOP;
  END LOOP;
END $$;
