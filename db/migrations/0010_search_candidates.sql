-- Documents stay in their rows: reading one is one page, and the planner knows what it costs.
ALTER TABLE "product_documents" SET (toast_tuple_target = 8160);
--> statement-breakpoint
-- The products that a question finds, the most wanted first, at most so many. Planned anew for each question: a rare
-- word is looked up among the words, a common one is met soon enough on the way down the list.
CREATE FUNCTION search_candidates(question tsquery, of_category text, most int)
RETURNS TABLE (product_id int, sort_num int, head tsvector) LANGUAGE plpgsql STABLE ROWS 100
SET plan_cache_mode = 'force_custom_plan' AS $$
BEGIN
  IF of_category IS NULL THEN
    RETURN QUERY SELECT d.product_id, d.sort_num, d.head FROM product_documents d WHERE d.document @@ question
      ORDER BY d.sort_num DESC, d.product_id LIMIT most;
  ELSE
    RETURN QUERY SELECT d.product_id, d.sort_num, d.head FROM product_documents d
      JOIN products p ON p.id = d.product_id AND p.category = of_category WHERE d.document @@ question
      ORDER BY d.sort_num DESC, d.product_id LIMIT most;
  END IF;
END $$;
--> statement-breakpoint
SELECT refresh_product_documents(NULL);
