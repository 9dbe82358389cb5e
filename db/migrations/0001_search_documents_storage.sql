-- Keeps a search document in its row: reading it from beside the table takes longer than the search itself.
ALTER TABLE "search_documents" SET (toast_tuple_target = 8160);
--> statement-breakpoint
-- The planner looks up a rare word in the index and reads the popular products in order for a common one. It needs the
-- frequencies of ten thousand words to distinguish them.
ALTER TABLE "search_documents" ALTER COLUMN "document" SET STATISTICS 1000;
--> statement-breakpoint
ANALYZE "search_documents";
