-- Writes the search documents of these products, or of all when null, and adds their words to the vocabulary. Callers run
-- it in the transaction that writes texts, categories, plans or synonyms. A language without texts has the name and tagline
-- of the dictionary, under which lists show the product. Words of names have weight A, of taglines, vendor
-- and category B, of search terms and their synonyms C, of descriptions D. The terms `category:…`, `type:…`, `days:…` and
-- `price:free` let the index filter. No text can contain them, because search_vector drops colons.
CREATE OR REPLACE FUNCTION refresh_search_documents(ids int[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_documents d WHERE (ids IS NULL OR d.product_id = ANY (ids)) AND NOT EXISTS (
    SELECT FROM products p JOIN plans pl ON pl.product_id = p.id AND pl.listed WHERE p.id = d.product_id AND p.listed);

  INSERT INTO search_documents (product_id, sort_num, document)
  SELECT p.id, p.sort_num,
    head.words || setweight(search_vector(coalesce(synonyms.terms, '')), 'C') || search_vector(texts.descriptions)
      || array_to_tsvector(offers.terms || ('category:' || p.category))
  FROM products p
  CROSS JOIN LATERAL (
    SELECT string_agg(t.name, ' | ' ORDER BY t.locale) AS names,
      string_agg(t.tagline, ' | ' ORDER BY t.locale) AS taglines,
      string_agg(t.description || ' | ' || t.includes::text, ' | ' ORDER BY t.locale) AS descriptions
    FROM (
      SELECT o.locale, o.name, o.tagline, o.description, o.includes FROM product_texts o WHERE o.product_id = p.id
      UNION ALL
      SELECT l.locale, nullif(translate_product_text(e.name, l.locale), e.name),
        nullif(translate_product_text(e.tagline, l.locale), e.tagline), NULL, NULL
      FROM product_texts e CROSS JOIN (VALUES ('zh'), ('ja')) l(locale)
      WHERE e.product_id = p.id AND e.locale = 'en'
        AND NOT EXISTS (SELECT FROM product_texts o WHERE o.product_id = p.id AND o.locale = l.locale)) t) texts
  CROSS JOIN LATERAL (
    SELECT (SELECT string_agg(value, ' | ') FROM jsonb_each_text(c.names)) AS names, c.search_terms AS terms
    FROM categories c WHERE c.slug = p.category) category
  CROSS JOIN LATERAL (
    SELECT string_agg(term, ' | ' ORDER BY list.source, l.key, n) AS terms
    FROM (VALUES (1, p.search_terms), (2, category.terms)) list(source, terms), jsonb_each(list.terms) l,
      jsonb_array_elements_text(l.value) WITH ORDINALITY e(term, n)) own
  CROSS JOIN LATERAL (
    SELECT setweight(search_vector(texts.names), 'A')
      || setweight(search_vector(concat_ws(' | ', texts.taglines, p.vendor, category.names)), 'B')
      || setweight(search_vector(coalesce(own.terms, '')), 'C') AS words
    OFFSET 0) head
  CROSS JOIN LATERAL (
    SELECT string_agg(term, ' | ' ORDER BY s.slug, l.key, n) AS terms
    FROM search_synonyms s, jsonb_each(s.terms) l, jsonb_array_elements_text(l.value) WITH ORDINALITY e(term, n)
    WHERE head.words @@ s.query::tsquery) synonyms
  CROSS JOIN LATERAL (
    SELECT array_agg(DISTINCT 'type:' || pl.type)
      || coalesce(array_agg(DISTINCT 'days:' || pl.duration_days) FILTER (WHERE pl.duration_days IS NOT NULL), '{}')
      || CASE WHEN bool_or(pl.price_cents = 0) THEN '{price:free}'::text[] ELSE '{}' END AS terms
    FROM plans pl WHERE pl.product_id = p.id AND pl.listed HAVING count(*) > 0) offers
  WHERE p.listed AND texts.names IS NOT NULL AND (ids IS NULL OR p.id = ANY (ids))
  ORDER BY p.id
  ON CONFLICT (product_id) DO UPDATE SET sort_num = excluded.sort_num, document = excluded.document;

  IF ids IS NULL THEN DELETE FROM search_vocabulary; END IF;
  INSERT INTO search_vocabulary AS v (word, rank)
  SELECT l.lexeme, min(CASE WHEN 'A' = ANY (l.weights) THEN 0 WHEN l.weights && '{B,C}' THEN 1 ELSE 2 END)
  FROM search_documents d CROSS JOIN LATERAL unnest(d.document) l
  WHERE (ids IS NULL OR d.product_id = ANY (ids)) AND l.lexeme ~ '^[a-z][a-z0-9]{2,63}$'
  GROUP BY l.lexeme ORDER BY l.lexeme
  ON CONFLICT (word) DO UPDATE SET rank = excluded.rank WHERE v.rank > excluded.rank;
END $$;
