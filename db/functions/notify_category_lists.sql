-- Invalidates `list`, which every list of the whole shop carries, and `list:CATEGORY`, which lists and product pages of
-- the category carry.
CREATE OR REPLACE FUNCTION notify_category_lists(category text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_page_tag('list');
  IF category IS NOT NULL THEN
    PERFORM notify_page_tag('list:' || category);
  END IF;
END $$;
