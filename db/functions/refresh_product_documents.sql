-- Writes the search documents of these products, or of all when null, their words and their listing index. Callers run
-- it in the transaction that writes texts, categories or plans.
CREATE OR REPLACE FUNCTION refresh_product_documents(ids int[]) RETURNS void
LANGUAGE plpgsql AS $$
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
