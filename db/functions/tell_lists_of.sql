-- Invalidates `list`, which every list of the whole shop carries, and `list:CATEGORY`, which lists and product pages of
-- the category carry.
CREATE OR REPLACE FUNCTION tell_lists_of(category text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_page_tag('list');
  IF category IS NOT NULL THEN
    PERFORM tell_page_tag('list:' || category);
  END IF;
END $$;
