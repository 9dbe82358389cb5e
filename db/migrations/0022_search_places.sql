-- A place among the most wanted has a mark for each of its beginnings in binary, `~p20_0`, `~p19_1` … `~p0_<place>`, so that
-- the documents above any place are told by as many marks as it has ones, instead of dozens: of an OR, the index asks
-- each part for each document.
CREATE OR REPLACE FUNCTION place_marks(sort_num int, product_id int) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg('~p' || n || '_' || (p >> n)) || ('~pb_' || p || '_' || (product_id >> 14))
  FROM (SELECT place_of(sort_num) AS p) place, generate_series(0, 20) n GROUP BY p $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION reach_down_to(p int, block int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg('''' || mark || '''', ' | ') FROM (
    SELECT '~p' || n || '_' || ((p >> n) - 1) AS mark FROM generate_series(0, 20) n WHERE (p >> n) & 1 = 1
    UNION ALL SELECT '~pb_' || p || '_' || n FROM generate_series(0, block - 1) n) marks $$;
--> statement-breakpoint
-- Measured from 1,024 documents on, in half steps: of the places near, the roundest.
CREATE OR REPLACE FUNCTION measure_search() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  step int := 0;
  wanted int;
  near record;
  far record;
  place int;
  block int;
BEGIN
  DELETE FROM search_depths;
  LOOP
    wanted := round(1024 * power(2, step / 2.0));
    step := step + 1;
    SELECT place_of(sort_num) AS p, product_id >> 14 AS block INTO near FROM product_documents
      ORDER BY sort_num DESC, product_id OFFSET round(wanted * 0.93) LIMIT 1;
    SELECT place_of(sort_num) AS p, product_id >> 14 AS block INTO far FROM product_documents
      ORDER BY sort_num DESC, product_id OFFSET round(wanted * 1.07) LIMIT 1;
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
-- As in 0019, with the half steps.
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
    filter := ' AND EXISTS (SELECT FROM plan_offers o WHERE o.product_id = d.product_id' || filter || ')';
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
--> statement-breakpoint
-- What ranks and what says where to look lie together; the long document, which only the index and a price's walk read,
-- beside them. So a candidate costs a sixth of the pages.
ALTER TABLE product_documents ALTER COLUMN document SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE product_documents SET (toast_tuple_target = 1200);
--> statement-breakpoint
TRUNCATE product_documents;
--> statement-breakpoint
SELECT refresh_product_documents(NULL);
