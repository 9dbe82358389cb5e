-- Marks for what is typed first: `~<d`, `~<dr`, `~<dra` for the words of names, taglines, makers and categories, `~字` for
-- every letter of a run. Looked up among words, the beginning of a word would be a hundred thousand of them.
CREATE FUNCTION is_run(lexeme text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lexeme ~ '^[\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]' $$;
--> statement-breakpoint
CREATE FUNCTION beginning_marks(head tsvector) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT '~<' || left(l.lexeme, n)), '{}')
  FROM unnest(head) l CROSS JOIN generate_series(1, 3) n WHERE length(l.lexeme) >= n AND NOT is_run(l.lexeme) $$;
--> statement-breakpoint
CREATE FUNCTION letter_marks(document tsvector) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT '~' || left(l.lexeme, 1)), '{}') FROM unnest(document) l WHERE is_run(l.lexeme) $$;
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
    || array_to_tsvector(kinds.marks || ('~c_' || texts.category) || place_marks(texts.sort_num, texts.id)
      || beginning_marks(texts.head) || letter_marks(texts.head || texts.body))
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
  WHERE (ids IS NULL OR d.product_id = ANY (ids)) AND l.lexeme ~ '^[a-z][a-z0-9]{2,63}$'
  GROUP BY l.lexeme ORDER BY l.lexeme
  ON CONFLICT (word) DO UPDATE SET rank = excluded.rank WHERE w.rank > excluded.rank;
  IF ids IS NULL THEN PERFORM measure_search(); END IF;
  PERFORM FROM products WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  PERFORM write_offers(ids);
END $$;
--> statement-breakpoint
-- A question within a category, and with the words that begin as its last one does instead of that beginning: a few
-- words each have their list, a beginning has none. Many are left as they are.
CREATE FUNCTION search_question(question tsquery, beginning text, in_category text) RETURNS tsquery
LANGUAGE plpgsql STABLE AS $$
DECLARE
  words text[];
BEGIN
  IF beginning IS NOT NULL THEN
    SELECT array_agg(w.word) INTO words FROM (SELECT word FROM search_words
      WHERE word LIKE beginning || '%' LIMIT 65) w;
    IF words IS NULL THEN
      question := ts_rewrite(question, ('''' || beginning || ''':*')::tsquery, ('''' || beginning || '''')::tsquery);
    ELSIF cardinality(words) <= 64 THEN
      question := ts_rewrite(question, ('''' || beginning || ''':*')::tsquery,
        ('''' || array_to_string(words, ''' | ''') || '''')::tsquery);
    END IF;
  END IF;
  RETURN within_category(question, in_category);
END $$;
--> statement-breakpoint
DROP FUNCTION search_candidates(tsquery, text, text, boolean, int, int, int, int);
--> statement-breakpoint
-- Measured from 1,024 documents on, by twos.
CREATE OR REPLACE FUNCTION measure_search() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wanted int := 1024;
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
-- The products that a question finds, with an offer that meets the filters, the most wanted first, at most so many, and
-- how well each fits. Of each word `fits` asks whether it stands in the head, in a name, and whole in a name: each only
-- where the one before is met, for most documents hold the words in their body alone. How many of the first thousand
-- products match tells how far down the wanted number will be reached; where that was too far up, the next stretches
-- below are asked. A fence (OFFSET 0) keeps each step to the index of words.
CREATE FUNCTION search_candidates(question tsquery, beginning text, in_category text, kind text, stocked boolean,
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
      at := at + ceil(log(2, (CASE WHEN found < 100 THEN 1.4 ELSE 1.15 END * most / found)::numeric));
      EXIT;
    END IF;
    at := at + 5;
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
DROP FUNCTION search_priced(tsquery, text, text, boolean, int, int, int, text, text[], int[], int, int);
--> statement-breakpoint
-- A page of the offers that a question finds, in the order of a price, exact. What many products have is met soon on
-- the way up or down the prices; what few have, or what is not met there, is gathered as a whole.
CREATE FUNCTION search_priced(question tsquery, beginning text, in_category text, kind text, stocked boolean,
  cents_from int, cents_to int, per_day_to int, sorted text, named_types text[], named_days int[], size int, skip int)
RETURNS SETOF plan_offers LANGUAGE plpgsql STABLE ROWS 100
SET plan_cache_mode = 'force_custom_plan' SET enable_seqscan = off AS $$
DECLARE
  asked tsquery := search_question(question, beginning, in_category);
  walked CONSTANT int := 20000;
  common CONSTANT int := 200;
  filter text := offer_filter('o', kind, stocked, cents_from, cents_to, per_day_to);
  named text := CASE WHEN named_types IS NULL THEN ''
    ELSE 'NOT coalesce(o.type = ANY ($7) OR o.duration_days = ANY ($8), false), ' END;
  rank text := 'NOT o.in_stock, NOT o.buyable, ' || named || 'o.cents, o.position, o.plan_id';
  best text;
  ordered text;
  above tsquery := (SELECT s.reach::tsquery FROM search_depths s WHERE s.depth <= 65536 ORDER BY s.depth DESC LIMIT 1);
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
  SELECT count(*) INTO found FROM (SELECT FROM (SELECT FROM product_documents d
    WHERE d.document @@ coalesce(asked && above, asked) OFFSET 0) d LIMIT common) counted;
  IF found >= common THEN
    RETURN QUERY EXECUTE 'SELECT o.* FROM (SELECT o.* FROM plan_offers o WHERE ' || best || ' ORDER BY ' || ordered
      || ' LIMIT ' || walked || ') o WHERE EXISTS (SELECT FROM (SELECT d.document FROM product_documents d
        WHERE d.product_id = o.product_id OFFSET 0) d WHERE d.document @@ $1) ORDER BY ' || ordered
      || ' LIMIT $10 OFFSET $11' USING asked, kind, stocked, cents_from, cents_to, per_day_to, named_types, named_days,
      in_category, size, skip;
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
SELECT refresh_product_documents(NULL);
