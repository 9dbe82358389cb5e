CREATE TABLE "search_depths" (
	"depth" integer PRIMARY KEY NOT NULL,
	"reach" text NOT NULL
);
--> statement-breakpoint
-- Where a product stands among the most wanted, in five steps from coarse to fine, so that a few marks tell the
-- documents above any place: `~p0_3`, `~p1_99` … `~p4_3199_7`. The last step parts products of one sort_num.
CREATE FUNCTION place_of(sort_num int) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 1048576 - greatest(-1048575, least(1048575, sort_num)) $$;
--> statement-breakpoint
CREATE FUNCTION place_marks(sort_num int, product_id int) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY['~p0_' || (p >> 15), '~p1_' || (p >> 10), '~p2_' || (p >> 5), '~p3_' || p,
    '~p4_' || p || '_' || (product_id >> 14)] FROM (SELECT place_of(sort_num) AS p) place $$;
--> statement-breakpoint
-- The question for all documents above a place and, at that place, of the first so many blocks of ids.
CREATE FUNCTION reach_down_to(p int, block int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg('''' || mark || '''', ' | ') FROM (
    SELECT '~p0_' || n AS mark FROM generate_series(0, (p >> 15) - 1) n
    UNION ALL SELECT '~p1_' || n FROM generate_series((p >> 15) << 5, (p >> 10) - 1) n
    UNION ALL SELECT '~p2_' || n FROM generate_series((p >> 10) << 5, (p >> 5) - 1) n
    UNION ALL SELECT '~p3_' || n FROM generate_series((p >> 5) << 5, p - 1) n
    UNION ALL SELECT '~p4_' || p || '_' || n FROM generate_series(0, block - 1) n) marks $$;
--> statement-breakpoint
-- Measures how far down the first 4,096, 8,192 … documents reach, about: of the places near, that of the fewest marks.
CREATE FUNCTION measure_search() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wanted int := 4096;
  near record;
  far record;
  step int;
  p int;
  block int;
BEGIN
  DELETE FROM search_depths;
  LOOP
    SELECT place_of(sort_num) AS p, product_id >> 14 AS block INTO near FROM product_documents
      ORDER BY sort_num DESC, product_id OFFSET wanted * 3 / 4 LIMIT 1;
    SELECT place_of(sort_num) AS p, product_id >> 14 AS block INTO far FROM product_documents
      ORDER BY sort_num DESC, product_id OFFSET wanted * 5 / 4 LIMIT 1;
    EXIT WHEN far IS NULL;
    p := far.p;
    block := CASE WHEN near.p = far.p THEN greatest(far.block, 1) ELSE 0 END;
    IF near.p < far.p THEN
      FOREACH step IN ARRAY ARRAY[32768, 1024, 32] LOOP
        IF far.p / step * step > near.p THEN
          p := far.p / step * step;
          EXIT;
        END IF;
      END LOOP;
    END IF;
    INSERT INTO search_depths (depth, reach) VALUES (wanted, reach_down_to(p, block));
    wanted := wanted * 2;
  END LOOP;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refresh_product_documents(ids int[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM product_documents d WHERE (ids IS NULL OR d.product_id = ANY (ids)) AND NOT EXISTS (
    SELECT FROM products p JOIN plans pl ON pl.product_id = p.id AND pl.listed WHERE p.id = d.product_id AND p.listed);
  WITH texts AS (
    SELECT p.id, p.sort_num, p.category,
      setweight(search_vector(string_agg(t.name, ' | ' ORDER BY t.locale)), 'A')
        || setweight(search_vector(string_agg(t.tagline, ' | ' ORDER BY t.locale) || ' | ' || p.maker || ' | '
          || (SELECT string_agg(value, ' | ') FROM jsonb_each_text(c.names))), 'B') AS head,
      search_vector(string_agg(t.description || ' | ' || t.includes::text, ' | ' ORDER BY t.locale)) AS body
    FROM products p JOIN categories c ON c.slug = p.category JOIN product_texts t ON t.product_id = p.id
    WHERE p.listed AND (ids IS NULL OR p.id = ANY (ids)) GROUP BY p.id, c.slug)
  INSERT INTO product_documents AS d (product_id, sort_num, head, document)
  SELECT texts.id, texts.sort_num, texts.head, texts.head || texts.body
    || array_to_tsvector(kinds.marks || ('~c_' || texts.category) || place_marks(texts.sort_num, texts.id))
  FROM texts CROSS JOIN LATERAL (
    SELECT array_agg(DISTINCT mark) AS marks FROM plans pl
    CROSS JOIN LATERAL (VALUES ('~' || pl.type), ('~d' || pl.duration_days)) AS m(mark)
    WHERE pl.product_id = texts.id AND pl.listed AND mark IS NOT NULL) kinds
  WHERE kinds.marks IS NOT NULL
  ORDER BY texts.sort_num DESC, texts.id
  ON CONFLICT (product_id) DO UPDATE SET sort_num = excluded.sort_num, head = excluded.head,
    document = excluded.document;
  IF ids IS NULL THEN DELETE FROM search_words; END IF;
  INSERT INTO search_words AS w (word, rank)
  SELECT l.lexeme, min(CASE WHEN 'A' = ANY (l.weights) THEN 0 WHEN 'B' = ANY (l.weights) THEN 1 ELSE 2 END)
  FROM product_documents d CROSS JOIN LATERAL unnest(d.document) l
  WHERE (ids IS NULL OR d.product_id = ANY (ids)) AND l.lexeme ~ '^[a-z][a-z0-9]{2,29}$'
  GROUP BY l.lexeme ORDER BY l.lexeme
  ON CONFLICT (word) DO UPDATE SET rank = excluded.rank WHERE w.rank > excluded.rank;
  IF ids IS NULL THEN PERFORM measure_search(); END IF;
  PERFORM FROM products WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  PERFORM write_offers(ids);
END $$;
--> statement-breakpoint
-- A question within a category.
CREATE FUNCTION within_category(question tsquery, category text) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN category IS NULL THEN question WHEN category ~ '^[A-Za-z0-9-]{1,80}$'
    THEN question && ('''~c_' || category || '''')::tsquery END $$;
--> statement-breakpoint
-- Conditions on an offer as the filters of a list give them: $2 kind, $3 in stock, $4 from, $5 to, $6 price per day.
CREATE FUNCTION offer_filter(a text, kind text, stocked boolean, cents_from int, cents_to int, per_day_to int)
RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT concat(CASE WHEN kind IS NOT NULL THEN ' AND ' || a || '.type = $2' END,
    CASE WHEN stocked THEN ' AND ' || a || '.in_stock' END,
    CASE WHEN cents_from IS NOT NULL THEN ' AND ' || a || '.cents >= $4' END,
    CASE WHEN cents_to IS NOT NULL THEN ' AND ' || a || '.cents <= $5' END,
    CASE WHEN per_day_to IS NOT NULL THEN ' AND ' || a || '.per_day <= $6' END) $$;
--> statement-breakpoint
DROP FUNCTION search_candidates(tsquery, text, int);
--> statement-breakpoint
-- The products that a question finds, with an offer that meets the filters, the most wanted first, at most so many.
-- A common word is looked for among the first few thousand products only: how many are found there tells how far down
-- the rest will be. A fence (OFFSET 0) keeps each step to the index of words.
CREATE FUNCTION search_candidates(question tsquery, in_category text, kind text, stocked boolean, cents_from int,
  cents_to int, per_day_to int, most int)
RETURNS TABLE (product_id int, sort_num int, head tsvector) LANGUAGE plpgsql STABLE ROWS 1000
SET plan_cache_mode = 'force_custom_plan' SET enable_seqscan = off AS $$
DECLARE
  asked tsquery := within_category(question, in_category);
  filter text := offer_filter('o', kind, stocked, cents_from, cents_to, per_day_to);
  statement text;
  reached record;
  found int;
  needed float := 0;
BEGIN
  IF asked IS NULL THEN RETURN; END IF;
  IF filter <> '' THEN
    filter := ' AND EXISTS (SELECT FROM plan_offers o WHERE o.product_id = d.product_id' || filter || ')';
  END IF;
  statement := 'SELECT d.product_id, d.sort_num, d.head FROM (SELECT d.product_id, d.sort_num, d.head
    FROM product_documents d WHERE d.document @@ $1' || filter || ' OFFSET 0) d
    ORDER BY d.sort_num DESC, d.product_id LIMIT $7';
  FOR reached IN SELECT s.depth, s.reach FROM search_depths s ORDER BY s.depth LOOP
    CONTINUE WHEN reached.depth < needed;
    EXECUTE 'SELECT count(*) FROM (' || statement || ') counted' INTO found
      USING asked && reached.reach::tsquery, kind, stocked, cents_from, cents_to, per_day_to, most;
    IF found >= most THEN
      RETURN QUERY EXECUTE statement
        USING asked && reached.reach::tsquery, kind, stocked, cents_from, cents_to, per_day_to, most;
      RETURN;
    END IF;
    needed := CASE WHEN found >= 16 THEN 1.1 * reached.depth * most / found
      WHEN reached.depth < 65536 THEN 65536 ELSE 'infinity' END;
  END LOOP;
  RETURN QUERY EXECUTE statement USING asked, kind, stocked, cents_from, cents_to, per_day_to, most;
END $$;
--> statement-breakpoint
-- A page of the offers that a question finds, in the order of a price, exact. What many products have is met soon on
-- the way up or down the prices; what few have is gathered first.
CREATE FUNCTION search_priced(question tsquery, in_category text, kind text, stocked boolean, cents_from int,
  cents_to int, per_day_to int, sorted text, named_types text[], named_days int[], size int, skip int)
RETURNS SETOF plan_offers LANGUAGE plpgsql STABLE ROWS 100
SET plan_cache_mode = 'force_custom_plan' SET enable_seqscan = off AS $$
DECLARE
  asked tsquery := within_category(question, in_category);
  walked CONSTANT int := 20000;
  few CONSTANT int := 3000;
  filter text := offer_filter('o', kind, stocked, cents_from, cents_to, per_day_to);
  named text := CASE WHEN named_types IS NULL THEN ''
    ELSE 'NOT coalesce(o.type = ANY ($7) OR o.duration_days = ANY ($8), false), ' END;
  rank text := 'NOT o.in_stock, NOT o.buyable, ' || named || 'o.cents, o.position, o.plan_id';
  best text;
  ordered text;
  statement text;
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
  SELECT count(*) INTO found FROM (SELECT FROM search_candidates(question, in_category, NULL, false, NULL, NULL, NULL,
    few)) counted;
  IF found >= few THEN
    statement := 'SELECT o FROM (SELECT o.* FROM plan_offers o WHERE ' || best || ' ORDER BY ' || ordered
      || ' LIMIT ' || walked || ') o WHERE EXISTS (SELECT FROM (SELECT d.document FROM product_documents d
        WHERE d.product_id = o.product_id OFFSET 0) d WHERE d.document @@ $1) ORDER BY ' || ordered
      || ' LIMIT $10 OFFSET $11';
    EXECUTE 'SELECT count(*) FROM (' || statement || ') counted' INTO found USING asked, kind, stocked, cents_from,
      cents_to, per_day_to, named_types, named_days, in_category, size, skip;
  ELSE
    found := 0;
  END IF;
  IF found < size THEN
    statement := 'SELECT o FROM (SELECT d.product_id FROM product_documents d WHERE d.document @@ $1 OFFSET 0) d
      JOIN LATERAL (SELECT o.* FROM plan_offers o WHERE o.product_id = d.product_id AND ' || best
      || ' OFFSET 0) o ON true ORDER BY ' || ordered || ' LIMIT $10 OFFSET $11';
  END IF;
  RETURN QUERY EXECUTE replace(statement, 'SELECT o FROM', 'SELECT o.* FROM') USING asked, kind, stocked, cents_from,
    cents_to, per_day_to, named_types, named_days, in_category, size, skip;
END $$;
--> statement-breakpoint
SELECT refresh_product_documents(NULL);
