-- A question within a category; null when no category can have that name.
CREATE OR REPLACE FUNCTION within_category(question tsquery, category text) RETURNS tsquery
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN category IS NULL THEN question WHEN category ~ '^[A-Za-z0-9-]{1,80}$'
    THEN question && ('''~c_' || category || '''')::tsquery END
$$;
