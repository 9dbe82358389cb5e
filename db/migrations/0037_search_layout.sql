ALTER TABLE "product_documents" DROP CONSTRAINT "product_documents_product_id_products_id_fk";
--> statement-breakpoint
-- How far a document lies from its place on the list of what is wanted, on average, as a share of the list: a third where
-- they lie as they came, 0 where they lie in its order.
CREATE FUNCTION documents_displaced() RETURNS float LANGUAGE sql STABLE AS $$
  SELECT coalesce(avg(abs(d.lies - d.wanted)) / count(*), 0)
  FROM (SELECT row_number() OVER (ORDER BY ctid) AS lies, row_number() OVER (ORDER BY sort_num DESC, product_id) AS wanted
    FROM product_documents) d $$;
--> statement-breakpoint
-- Lays a copy of the documents in the order of what is wanted: what a search takes lies together there, and at the
-- beginning of each word's list in the index. The copy is to take the table's place in a transaction of its own, as
-- whoever looked at the shop before this one was through would see it empty. Until then nobody may write documents.
CREATE FUNCTION copy_documents() RETURNS void LANGUAGE plpgsql SET maintenance_work_mem = '256MB' AS $$
BEGIN
  CREATE TABLE laid_documents (LIKE product_documents INCLUDING ALL EXCLUDING INDEXES) WITH (toast_tuple_target = 1200);
  ALTER TABLE laid_documents ALTER head SET STATISTICS 0, ALTER document SET STATISTICS 0;
  INSERT INTO laid_documents SELECT * FROM product_documents ORDER BY sort_num DESC, product_id;
  ALTER TABLE laid_documents ADD CONSTRAINT laid_documents_pkey PRIMARY KEY (product_id);
  CREATE INDEX laid_documents_by_sort ON laid_documents (sort_num DESC, product_id);
  CREATE INDEX laid_documents_words ON laid_documents USING gin (document);
  ANALYZE laid_documents;
END $$;
--> statement-breakpoint
-- Puts the copy in the table's place, under its names. A vacuum that runs by itself makes way; where somebody else reads
-- for long (a backup), lock_not_available, and nobody has waited behind it for longer than a fifth of a second.
CREATE FUNCTION swap_documents() RETURNS void LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
BEGIN
  LOCK TABLE laid_documents, product_documents IN SHARE UPDATE EXCLUSIVE MODE;
  PERFORM set_config('lock_timeout', '200ms', true);
  LOCK TABLE laid_documents, product_documents IN ACCESS EXCLUSIVE MODE;
  DROP TABLE product_documents;
  ALTER TABLE laid_documents RENAME TO product_documents;
  ALTER INDEX laid_documents_pkey RENAME TO product_documents_pkey;
  ALTER INDEX laid_documents_by_sort RENAME TO product_documents_by_sort;
  ALTER INDEX laid_documents_words RENAME TO product_documents_words;
END $$;
