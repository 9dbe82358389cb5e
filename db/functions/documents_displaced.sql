-- How far documents lie from their rank order on average, as a share of the table: 0 in order, a third at random.
CREATE OR REPLACE FUNCTION documents_displaced() RETURNS float
LANGUAGE sql STABLE AS $$
  SELECT coalesce(avg(abs(d.lies - d.wanted)) / count(*), 0)
  FROM (SELECT row_number() OVER (ORDER BY ctid) AS lies, row_number() OVER (ORDER BY sort_num DESC, product_id) AS wanted
    FROM product_documents) d
$$;
