-- The question within a category, with the words that begin like its last word in place of that beginning.
CREATE OR REPLACE FUNCTION search_question(question tsquery, beginning text, in_category text) RETURNS tsquery
LANGUAGE plpgsql STABLE AS $$
DECLARE
  words text[];
BEGIN
  IF beginning IS NOT NULL THEN
    SELECT array_agg(w.word) INTO words FROM (SELECT word FROM search_words
      WHERE word LIKE beginning || '%' LIMIT 257) w;
    IF words IS NULL THEN
      question := ts_rewrite(question, ('''' || beginning || ''':*')::tsquery, ('''' || beginning || '''')::tsquery);
    ELSIF cardinality(words) <= 256 THEN
      question := ts_rewrite(question, ('''' || beginning || ''':*')::tsquery,
        ('''' || array_to_string(words, ''' | ''') || '''')::tsquery);
    END IF;
  END IF;
  RETURN within_category(question, in_category);
END $$;
