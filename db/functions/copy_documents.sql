-- Copies product_documents in rank order into laid_documents. swap_documents puts the copy in its place in a second
-- transaction; in between nobody may write documents.
CREATE OR REPLACE FUNCTION copy_documents() RETURNS void
LANGUAGE plpgsql SET maintenance_work_mem = '256MB' AS $$
BEGIN
  CREATE TABLE laid_documents (LIKE product_documents INCLUDING ALL EXCLUDING INDEXES) WITH (toast_tuple_target = 1200);
  ALTER TABLE laid_documents ALTER head SET STATISTICS 0, ALTER document SET STATISTICS 0;
  INSERT INTO laid_documents SELECT * FROM product_documents ORDER BY sort_num DESC, product_id;
  ALTER TABLE laid_documents ADD CONSTRAINT laid_documents_pkey PRIMARY KEY (product_id);
  CREATE INDEX laid_documents_by_sort ON laid_documents (sort_num DESC, product_id);
  CREATE INDEX laid_documents_words ON laid_documents USING gin (document);
  ANALYZE laid_documents;
END $$;
