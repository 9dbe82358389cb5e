-- Similar words for slips of the finger. scripts/migrate.ts makes it first, and says so when it may not.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "product_documents" (
	"product_id" integer PRIMARY KEY NOT NULL,
	"sort_num" integer NOT NULL,
	"head" "tsvector" NOT NULL,
	"document" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"word" text PRIMARY KEY NOT NULL,
	"rank" smallint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "product_documents" ADD CONSTRAINT "product_documents_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "product_documents_words" ON "product_documents" USING gin ("document");--> statement-breakpoint
CREATE INDEX "product_documents_by_sort" ON "product_documents" USING btree ("sort_num" desc,"product_id");--> statement-breakpoint
CREATE INDEX "search_words_alike" ON "search_words" USING gin ("word" gin_trgm_ops);
--> statement-breakpoint
-- Case, width and accents folded by one list of letters, whatever the locale of the database. As searchFold of
-- lib/catalog/rules-search-text.ts, which takes the queries apart; a test compares the two.
CREATE FUNCTION search_fold(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT replace(replace(replace(replace(replace(replace(translate(
    normalize(regexp_replace(normalize(given, NFKD), '[\u0300-\u036f]', '', 'g'), NFC),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІҐØøĐđŁłı',
    'abcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρστυφχψωσабвгдежзиклмнопрстуфхцчшщъыьэюяєіґooddlli'),
    'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe') $$;
--> statement-breakpoint
-- Words, and of a run of Chinese, Japanese or Korean every pair of neighbours and its last letter, each at its place:
-- a part of a run is a phrase of its pairs.
CREATE FUNCTION search_vector(given text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  WITH parts AS MATERIALIZED (
    SELECT m.part[1] AS run, m.part[2] AS word, coalesce(sum(coalesce(length(m.part[1]), 1))
      OVER (ORDER BY m.n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
    FROM regexp_matches(search_fold(given),
      '([\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+)|([^\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2100-\u2bff\u2e00-\u3004\u3008-\u3040\u3097-\u309c\u30a0\u30fb\u3130-\u31ef\u3200-\u33ff\u4dc0-\u4dff\ue000-\uf8ff\ufe00-\ufe6f\ufff0-\uffff\U0001f000-\U0001ffff\U000e0000-\U0010ffff]+[+#]*)',
      'g') WITH ORDINALITY AS m(part, n)),
  tokens AS (
    SELECT left(word, 64) AS token, before + 1 AS place FROM parts WHERE word IS NOT NULL
    UNION ALL
    SELECT substr(run, i, 2), before + i FROM parts, generate_series(1, length(run)) i WHERE run IS NOT NULL)
  SELECT coalesce(string_agg('''' || token || ''':' || least(place, 16383), ' '), '')::tsvector FROM tokens $$;
--> statement-breakpoint
-- Writes the documents of these products anew, or of all when null, and their words. Called wherever texts, categories
-- or plans are written (lib/catalog/commands-search.ts), in the same transaction.
CREATE FUNCTION refresh_product_documents(ids int[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM product_documents d WHERE (ids IS NULL OR d.product_id = ANY (ids)) AND NOT EXISTS (
    SELECT FROM products p JOIN plans pl ON pl.product_id = p.id AND pl.listed WHERE p.id = d.product_id AND p.listed);
  WITH texts AS (
    SELECT p.id, p.sort_num,
      setweight(search_vector(string_agg(t.name, ' | ' ORDER BY t.locale)), 'A')
        || setweight(search_vector(string_agg(t.tagline, ' | ' ORDER BY t.locale) || ' | ' || p.maker || ' | '
          || (SELECT string_agg(value, ' | ') FROM jsonb_each_text(c.names))), 'B') AS head,
      search_vector(string_agg(t.description || ' | ' || t.includes::text, ' | ' ORDER BY t.locale)) AS body
    FROM products p JOIN categories c ON c.slug = p.category JOIN product_texts t ON t.product_id = p.id
    WHERE p.listed AND (ids IS NULL OR p.id = ANY (ids)) GROUP BY p.id, c.slug)
  INSERT INTO product_documents AS d (product_id, sort_num, head, document)
  SELECT texts.id, texts.sort_num, texts.head, texts.head || texts.body || array_to_tsvector(kinds.marks)
  FROM texts CROSS JOIN LATERAL (
    SELECT array_agg(DISTINCT mark) AS marks FROM plans pl
    CROSS JOIN LATERAL (VALUES ('~' || pl.type), ('~d' || pl.duration_days)) AS m(mark)
    WHERE pl.product_id = texts.id AND pl.listed AND mark IS NOT NULL) kinds
  WHERE kinds.marks IS NOT NULL
  ORDER BY texts.id
  ON CONFLICT (product_id) DO UPDATE SET sort_num = excluded.sort_num, head = excluded.head,
    document = excluded.document;
  IF ids IS NULL THEN DELETE FROM search_words; END IF;
  INSERT INTO search_words AS w (word, rank)
  SELECT l.lexeme, min(CASE WHEN 'A' = ANY (l.weights) THEN 0 WHEN 'B' = ANY (l.weights) THEN 1 ELSE 2 END)
  FROM product_documents d CROSS JOIN LATERAL unnest(d.document) l
  WHERE (ids IS NULL OR d.product_id = ANY (ids)) AND l.lexeme ~ '^[a-z][a-z0-9]{2,29}$'
  GROUP BY l.lexeme ORDER BY l.lexeme
  ON CONFLICT (word) DO UPDATE SET rank = excluded.rank WHERE w.rank > excluded.rank;
END $$;
--> statement-breakpoint
SELECT refresh_product_documents(NULL);
