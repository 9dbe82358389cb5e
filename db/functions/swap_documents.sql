-- Puts laid_documents in the place of product_documents. Gives up after 200 ms where a long read holds the table.
CREATE OR REPLACE FUNCTION swap_documents() RETURNS void
LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
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
